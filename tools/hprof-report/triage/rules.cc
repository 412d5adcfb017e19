#include "tools/hprof-report/triage/rules.h"

namespace hprof::triage {

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      loader_leak, damaged, big_array, shape, one_or_many, root_kind, garbage, boxed_numbers,
  };
  return all;
}

}  // namespace hprof::triage
