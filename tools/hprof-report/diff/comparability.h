#pragma once

#include "formats/report/triage.h"
#include "tools/hprof-report/diff/join.h"

#include <string>
#include <vector>

namespace hprof {

/// Why figures of these dumps may differ although nothing grew: other layouts, other JVMs, garbage
/// in one of them, other programs, damage; and what only some of the reports hold.
std::vector<Finding> comparability_warnings(const Reports& reports, const DiffOptions& options);

/// How objects are laid out or measured differently, "size model mat against hotspot"; empty:
/// alike.
std::string layout_difference(const Report& a, const Report& b);

/// How other objects are reachable though nothing changed, "references followed all against
/// strong"; empty: they are not.
std::string reach_difference(const Report& a, const Report& b);

}  // namespace hprof
