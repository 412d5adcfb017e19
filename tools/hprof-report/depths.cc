// Each walk goes up to the first object whose depth is known, then once more to write the depths on
// the way; so every link is walked twice at most, however long the chains are.
#include "tools/hprof-report/depths.h"

#include "formats/domtree_file.h"

#include <algorithm>

namespace hprof {
namespace {

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

}  // namespace

DepthFigures measure_depths(const BigArray<std::uint32_t>& dominators) {
  BigArray<std::uint32_t> depths(dominators.size(), 0);
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (dominators[object] != kUnreachable) {
      settle(dominators, depths, object);
    }
  }
  const auto reachable = std::remove(depths.begin(), depths.end(), 0U) - depths.begin();
  if (reachable == 0) {
    return {};
  }
  auto* const end = depths.begin() + reachable;
  auto* const ninetieth = depths.begin() + (static_cast<std::uint64_t>(reachable) * 9 + 9) / 10 - 1;
  std::nth_element(depths.begin(), ninetieth, end);
  return {.p90 = *ninetieth, .deepest = *std::max_element(ninetieth, end)};
}

}  // namespace hprof
