#include "tools/hprof-report/triage/rules.h"

namespace hprof::triage {

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      loader_leak,   thread_local_leak, finalizer_backlog, self_held_keys, listener_leak,
      hoard,         damaged,           big_array,         shape,          one_or_many,
      static_anchor, root_kind,         garbage,           off_heap,       boxed_numbers,
  };
  return all;
}

}  // namespace hprof::triage
