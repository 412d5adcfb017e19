#pragma once

#include "formats/report/report.h"
#include "tools/hprof-report/depths.h"

namespace hprof {

/// Fills OOM Triage by trying every rule on the figures of the other sections, which must be filled
/// already.
Triage fill_triage(const Report& report, const DepthFigures& depths,
                   std::uint64_t top_ten_retained);

}  // namespace hprof
