// Who holds the memory, whatever it is.
#include "common/concat.h"
#include "common/text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/triage/wording.h"

namespace hprof::triage {
namespace {

constexpr std::uint64_t kHalf = 5000;

}  // namespace

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
