#pragma once

#include "formats/diff/heap_diff.h"
#include "tools/hprof-report/diff/join.h"
#include "tools/hprof-report/gate/rule.h"

#include <string>
#include <vector>

namespace hprof {

/// What rules are held against: one report, or several with their comparison.
struct GateInput {
  const Reports& reports;
  const std::vector<std::string>& names;
  const HeapDiff* diff;
  DiffOptions options;
  bool allow_missing = false;  ///< rules that cannot be evaluated do not fail the gate
};

/// Holds all rules against the reports.
GateReport evaluate(const std::vector<GateRule>& rules, const GateInput& input);

}  // namespace hprof
