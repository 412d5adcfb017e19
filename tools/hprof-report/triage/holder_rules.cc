// Who holds the memory, whatever it is.
#include "common/concat.h"
#include "common/text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/paths/holders.h"
#include "tools/hprof-report/triage/hoards.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/triage/suspect_facts.h"
#include "tools/hprof-report/triage/wording.h"

namespace hprof::triage {
namespace {

constexpr std::uint64_t kHalf = 5000;
constexpr std::uint64_t kFifth = 2000;

}  // namespace

std::optional<Finding> static_anchor(const Facts& facts) {
  if (find_hoard(facts.report)) {
    return std::nullopt;  // hoard() and listener_leak() name the field
  }
  for (const auto& suspect : facts.report.leaks.suspects) {
    const auto* anchor = static_anchor_of(suspect);
    if (anchor == nullptr || suspect.retained_bp < kFifth ||
        is_platform_class(anchor->class_name)) {
      continue;
    }
    return Wording()
        .words("The static field ")
        .name(anchor->name)
        .words(" leads to ")
        .name(suspect.accumulation_point ? suspect.accumulation_point->label : suspect.label)
        .words(concat(", which retains ", size_and_share(facts, gathered(suspect)),
                      "; what a static field leads to stays until its class is unloaded."))
        .finding("static-anchor", Severity::info, "Static field as anchor", "leaks");
  }
  return std::nullopt;
}

std::optional<Finding> root_kind(const Facts& facts) {
  const auto& overview = facts.report.overview;
  for (const auto& row : overview.gc_roots_by_type) {
    const auto share = share_bp(row.retained, overview.total_shallow);
    if (share >= kHalf) {
      return Wording()
          .words("Most of the used heap hangs on GC roots of one kind: " +
                 format_count(row.count, "root", "roots") + " of kind ")
          .name(row.root_type)
          .words(concat(row.count == 1 ? " retains " : " together retain ",
                        format_bytes(row.retained), " (", format_share(share), ")."))
          .finding("root-kind", Severity::info, "Kind of GC root", "overview");
    }
  }
  return std::nullopt;
}

}  // namespace hprof::triage
