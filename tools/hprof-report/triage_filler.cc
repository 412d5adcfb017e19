// A rule looks at the figures and says one sentence or nothing. To add one, write it and put it
// into kRules.
#include "tools/hprof-report/triage_filler.h"

#include "common/text.h"
#include "formats/report/units.h"

#include <algorithm>
#include <array>
#include <optional>

namespace hprof {
namespace {

constexpr std::uint64_t kShallowDepth = 20;
constexpr std::uint64_t kDeepDepth = 1000;
constexpr std::uint64_t kHalf = 5000;
constexpr std::uint64_t kTenth = 1000;

struct Facts {
  const Report& report;
  const Triage& figures;
};

std::optional<Finding> shape(const Facts& facts) {
  const auto& figures = facts.figures;
  if (figures.depth_max == 0) {
    return std::nullopt;
  }
  const char* form = figures.depth_p90 <= kShallowDepth
                         ? "shallow: memory hangs closely under its holders"
                     : figures.depth_p90 < kDeepDepth ? "of middling depth: nested structures"
                                                      : "deep: long chains such as linked lists";
  return Finding{
      .rule = "shape",
      .severity = Severity::info,
      .title = "Shape",
      .text = concat("The dominator tree is ", form,
                     "; 90 % of the objects lie no deeper than level ", grouped(figures.depth_p90),
                     ", the deepest at level ", grouped(figures.depth_max), "."),
      .section = "top"};
}

std::optional<Finding> one_or_many(const Facts& facts) {
  const auto& figures = facts.figures;
  const auto& objects = facts.report.top.biggest_objects;
  if (objects.empty()) {
    return std::nullopt;
  }
  const char* answer = figures.top_object_bp >= kHalf ? "One object holds most of the heap: "
                       : figures.top_ten_bp >= kHalf  ? "A few objects hold most of the heap: "
                       : figures.top_ten_bp >= kTenth
                           ? "The memory is spread out: "
                           : "The memory is spread over very many objects: ";
  return Finding{
      .rule = "one-or-many",
      .severity = Severity::info,
      .title = "One leak or many",
      .text = concat(
          answer, "the biggest object retains ", format_share(figures.top_object_bp), " (",
          objects.front().label, "), the ten biggest together ", format_share(figures.top_ten_bp),
          "; ", format_count(figures.objects_over_one_percent, "object retains", "objects retain"),
          " over 1 %."),
      .section = "leaks"};
}

using Rule = std::optional<Finding> (*)(const Facts& facts);
constexpr std::array<Rule, 2> kRules{shape, one_or_many};

}  // namespace

Triage fill_triage(const Report& report, const DepthFigures& depths,
                   std::uint64_t top_ten_retained) {
  const auto& objects = report.top.biggest_objects;
  Triage triage;
  triage.depth_p90 = depths.p90;
  triage.depth_max = depths.deepest;
  triage.top_object_bp = objects.empty() ? 0 : objects.front().retained_bp;
  triage.top_ten_bp = share_bp(top_ten_retained, report.overview.total_shallow);
  triage.objects_over_one_percent = static_cast<std::uint64_t>(
      std::count_if(objects.begin(), objects.end(),
                    [](const TopObject& object) { return object.above_threshold; }));
  for (const auto rule : kRules) {
    if (auto finding = rule(Facts{report, triage})) {
      triage.findings.push_back(std::move(*finding));
    }
  }
  return triage;
}

}  // namespace hprof
