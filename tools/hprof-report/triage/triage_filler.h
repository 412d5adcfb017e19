#pragma once

#include "formats/depth_totals.h"
#include "formats/report/report.h"

namespace hprof {

/// Fills OOM Triage by trying every rule on the figures of the other sections, which must be filled
/// already.
Triage fill_triage(const Report& report, const DepthTotals& depths, std::uint64_t top_ten_retained);

}  // namespace hprof
