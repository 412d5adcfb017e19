#pragma once

#include "formats/report/triage.h"
#include "tools/hprof-report/diff/join.h"

#include <vector>

namespace hprof {

/// Why figures of these dumps may differ although nothing grew: other layouts, other JVMs, garbage
/// in one of them, other programs, damage; and what only some of the reports hold.
std::vector<Finding> comparability_warnings(const Reports& reports, const DiffOptions& options);

}  // namespace hprof
