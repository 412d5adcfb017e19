#include "common/inflate_points.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hprof {

void InflatePoints::add(InflatePoint point) {
  points_.push_back(std::move(point));
  if (points_.size() == kMost) {
    for (std::size_t i = 0; 2 * i + 1 < kMost; ++i) {
      points_[i] = std::move(points_[2 * i + 1]);
    }
    points_.resize(kMost / 2);
    distance_ *= 2;
  }
}

const InflatePoint* InflatePoints::before(std::uint64_t position) const {
  const auto behind = std::upper_bound(
      points_.begin(), points_.end(), position,
      [](std::uint64_t wanted, const InflatePoint& point) { return wanted < point.delivered; });
  return behind == points_.begin() ? nullptr : &*std::prev(behind);
}

}  // namespace hprof
