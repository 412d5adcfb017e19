#include "tools/hprof-report/dominators/dominator_views.h"

#include "formats/report/units.h"
#include "tools/hprof-report/thresholds.h"

#include <algorithm>
#include <array>

namespace hprof {
namespace {

constexpr std::array<std::size_t, 3> kLargest{1, 10, 100};

std::vector<ConcentrationRow> concentration(const Heap& heap,
                                            const std::vector<HeapObject>& largest) {
  std::vector<ConcentrationRow> rows;
  for (const auto count : kLargest) {
    if (!rows.empty() && rows.back().objects == largest.size()) {
      break;
    }
    ConcentrationRow row{.objects = std::min(count, largest.size())};
    for (std::size_t i = 0; i < row.objects; ++i) {
      row.retained += largest[i].retained;
    }
    row.retained_bp = share_bp(row.retained, heap.used_heap());
    rows.push_back(row);
  }
  return rows;
}

/// Without empty rows.
std::vector<DepthRow> depth_rows(const DepthTotals& depths) {
  std::vector<DepthRow> rows;
  for (std::size_t row = 1; row < depths.rows.size(); ++row) {
    const auto& sum = depths.rows.at(row);
    if (sum.objects != 0) {
      rows.push_back({.from = DepthTotals::first_level(row),
                      .to = DepthTotals::last_level(row),
                      .objects = sum.objects,
                      .shallow = sum.shallow});
    }
  }
  return rows;
}

}  // namespace

DominatorViews::DominatorViews(const Heap& heap, const ReportOptions& options,
                               const DetailCaps& caps)
    : heap_(heap),
      caps_(caps),
      threshold_(share_of(heap.used_heap(), 1, 100)),
      holders_(heap, options.skip_classes, options.dominators_of, caps.dominated_classes) {}

void DominatorViews::find_drops() {
  drops_.emplace(heap_, threshold_, caps_.top_rows);
}

Dominators DominatorViews::result(const TopLevel& top_level) const {
  const auto largest = top_level.largest();
  Dominators out;
  out.drop_threshold = threshold_;
  out.big_drops = drops_->result();
  out.further_drops = drops_->count() - out.big_drops.size();
  out.skipped_classes = holders_.skip();
  out.dominated_classes = holders_.result(caps_.top_rows);
  const auto& depths = heap_.domtree().summary().depths;
  out.depth_p90 = depths.p90;
  out.depth_max = depths.deepest;
  out.depths = depth_rows(depths);
  out.concentration = concentration(heap_, largest);
  out.objects_over_one_percent = static_cast<std::uint64_t>(
      std::count_if(largest.begin(), largest.end(),
                    [this](const HeapObject& object) { return object.retained > threshold_; }));
  return out;
}

}  // namespace hprof
