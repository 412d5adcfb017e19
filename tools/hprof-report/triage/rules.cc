#include "tools/hprof-report/triage/rules.h"

namespace hprof::triage {

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      // leaks
      loader_leak,
      thread_local_leak,
      finalizer_backlog,
      self_held_keys,
      listener_leak,
      hoard,
      // what deserves a look
      out_of_memory,
      damaged,
      big_array,
      // facts
      shape,
      one_or_many,
      big_collection,
      static_anchor,
      big_thread,
      root_kind,
      garbage,
      off_heap,
      over_capacity,
      boxed_numbers,
  };
  return all;
}

}  // namespace hprof::triage
