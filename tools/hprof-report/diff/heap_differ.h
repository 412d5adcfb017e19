#pragma once

#include "formats/diff/heap_diff.h"
#include "tools/hprof-report/diff/join.h"

#include <string>
#include <vector>

namespace hprof {

/// A report and the name of the file that it came from.
struct NamedReport {
  std::string name;
  Report report;
};

/// Reports in the order of comparison, and what there is to say about that.
struct OrderedReports {
  std::vector<std::string> names;
  Reports reports;
  std::optional<DiffDump> warm_up;
  std::vector<Finding> warnings;
};

/// Puts two or more reports in the order of their dumps' capture times, and takes the first one
/// away where a warm-up is to be ignored; Error(usage) where too few are left.
OrderedReports order_reports(std::vector<NamedReport> given, const DiffOptions& options);

/// Compares reports that are in order.
HeapDiff diff_reports(const OrderedReports& ordered, const DiffOptions& options);

}  // namespace hprof
