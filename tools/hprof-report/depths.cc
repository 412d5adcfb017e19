// Each walk goes up to the first object whose depth is known, then once more to write the depths on
// the way; so every link is walked twice at most, however long the chains are.
#include "tools/hprof-report/depths.h"

#include "formats/domtree_file.h"

#include <algorithm>
#include <bit>

namespace hprof {
namespace {

constexpr std::uint32_t kSingleLevels = 64;

void settle(const BigArray<std::uint32_t>& dominators, BigArray<std::uint32_t>& depths,
            std::uint32_t object) {
  std::uint32_t depth = 0;
  std::uint32_t at = object;
  for (; at != kVirtualRoot && depths[at] == 0; at = dominators[at]) {
    ++depth;
  }
  depth += at == kVirtualRoot ? 0 : depths[at];
  for (at = object; at != kVirtualRoot && depths[at] == 0; at = dominators[at]) {
    depths[at] = depth--;
  }
}

BigArray<std::uint32_t> depths_of(const BigArray<std::uint32_t>& dominators) {
  BigArray<std::uint32_t> depths(dominators.size(), 0);
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (dominators[object] != kUnreachable) {
      settle(dominators, depths, object);
    }
  }
  return depths;
}

/// Changes the order of the column.
DepthFigures figures_of(BigArray<std::uint32_t>& depths) {
  const auto reachable = std::remove(depths.begin(), depths.end(), 0U) - depths.begin();
  if (reachable == 0) {
    return {};
  }
  auto* const end = depths.begin() + reachable;
  auto* const ninetieth = depths.begin() + (static_cast<std::uint64_t>(reachable) * 9 + 9) / 10 - 1;
  std::nth_element(depths.begin(), ninetieth, end);
  return {.p90 = *ninetieth, .deepest = *std::max_element(ninetieth, end)};
}

}  // namespace

Depths::Depths(const BigArray<std::uint32_t>& dominators) : row_of_(dominators.size()) {
  auto depths = depths_of(dominators);
  std::transform(depths.begin(), depths.end(), row_of_.begin(), row_of);
  figures_ = figures_of(depths);
}

std::uint8_t Depths::row_of(std::uint32_t depth) {
  constexpr int kSingleBits = std::bit_width(kSingleLevels);
  return static_cast<std::uint8_t>(
      depth <= kSingleLevels
          ? depth
          : kSingleLevels + 1 + static_cast<unsigned>(std::bit_width(depth - 1) - kSingleBits));
}

std::vector<DepthRow> Depths::rows() const {
  std::vector<DepthRow> rows;
  for (std::size_t row = 1; row < kRows; ++row) {
    if (sums_[row].objects != 0) {
      const std::uint64_t to =
          row <= kSingleLevels ? row : std::uint64_t{kSingleLevels} << (row - kSingleLevels);
      rows.push_back({.from = row <= kSingleLevels ? row : to / 2 + 1,
                      .to = to,
                      .objects = sums_[row].objects,
                      .shallow = sums_[row].shallow});
    }
  }
  return rows;
}

}  // namespace hprof
