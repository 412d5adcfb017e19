#include "tools/hprof-report/triage/triage_filler.h"

#include "formats/report/units.h"
#include "tools/hprof-report/triage/leading_rule.h"
#include "tools/hprof-report/triage/rules.h"

#include <algorithm>

namespace hprof {

Triage fill_triage(const Report& report, const DepthTotals& depths,
                   std::uint64_t top_ten_retained) {
  const auto& objects = report.top.biggest_objects;
  Triage out;
  out.depth_p90 = depths.p90;
  out.depth_max = depths.deepest;
  out.top_object_bp = objects.empty() ? 0 : objects.front().retained_bp;
  out.top_ten_bp = share_bp(top_ten_retained, report.overview.total_shallow);
  out.objects_over_one_percent = static_cast<std::uint64_t>(
      std::count_if(objects.begin(), objects.end(),
                    [](const TopObject& object) { return object.above_threshold; }));
  for (const auto rule : triage::rules()) {
    if (auto finding = rule({report, out})) {
      out.findings.push_back(std::move(*finding));
    }
  }
  std::stable_sort(out.findings.begin(), out.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  out.leading_rule = triage::leading_rule(out.findings, report.leaks.suspects);
  return out;
}

}  // namespace hprof
