#include "tools/hprof-report/paths/shared_holdings.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kMostPoints = 4;
constexpr std::size_t kMostLarge = 32;

}  // namespace

SharedHoldings::SharedHoldings(const Heap& heap, const std::vector<Suspicion>& suspicions)
    : heap_(heap) {
  for (const auto& suspicion : suspicions) {
    if (suspicion.kind == SuspectKind::single && suspicion.accumulation &&
        points_.size() < kMostPoints) {
      points_.push_back({.object = *suspicion.accumulation,
                         .children = BitVector(heap.objects()),
                         .largest = {},
                         .ways = {}});
    }
  }
  if (!points_.empty()) {
    find_children();
  }
}

void SharedHoldings::find_children() {
  const auto& dominators = heap_.dominators();
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    for (auto& point : points_) {
      if (dominators[object] == point.object) {
        point.children.set(object);
        note_large(point, object);
      }
    }
  }
}

void SharedHoldings::note_large(Point& point, std::uint32_t child) const {
  auto& largest = point.largest;
  const auto& retained = heap_.retained();
  const auto place = std::upper_bound(
      largest.begin(), largest.end(), retained[child],
      [&](std::uint64_t bytes, std::uint32_t other) { return bytes > retained[other]; });
  if (place != largest.end() || largest.size() < kMostLarge) {
    largest.insert(place, child);
    largest.resize(std::min(largest.size(), kMostLarge));
  }
}

void SharedHoldings::search(const ReferenceGraph& graph) {
  if (points_.empty()) {
    return;
  }
  SharedSearch search(heap_, graph);
  for (auto& point : points_) {
    point.ways = search.ways(point.object, point.children, point.largest);
    point.children = {};
  }
}

const std::vector<SharedWay>& SharedHoldings::ways_of(std::uint32_t point) const {
  static const std::vector<SharedWay> none;
  const auto found = std::find_if(points_.begin(), points_.end(),
                                  [&](const Point& known) { return known.object == point; });
  return found == points_.end() ? none : found->ways;
}

}  // namespace hprof
