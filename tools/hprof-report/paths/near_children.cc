// Whatever retains as much has dominators that do, so only such objects are walked over; each walk
// up ends where an earlier one came by.
#include "tools/hprof-report/paths/near_children.h"

#include "common/error.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint8_t kUnknown = 0;
constexpr std::uint8_t kTop = 1;
constexpr std::uint8_t kFar = 255;

}  // namespace

NearChildren::NearChildren(const Heap& heap, const std::vector<std::uint32_t>& tops,
                           std::size_t depth, std::uint64_t least)
    : levels_(heap.objects(), kUnknown) {
  check(depth < kFar - kTop - 1, "dominator trees are shown too deep");
  for (const auto top : tops) {
    levels_[top] = kTop;
  }
  const auto& dominators = heap.dominators();
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (dominators[object] < kVirtualRoot && heap.retained()[object] >= least) {
      settle(dominators, dominators[object]);
      if (levels_[dominators[object]] <= depth) {
        children_.push_back({.dominator = dominators[object], .object = object});
      }
    }
  }
}

void NearChildren::settle(const BigArray<std::uint32_t>& dominators, std::uint32_t object) {
  std::uint64_t steps = 0;
  auto known = object;
  while (levels_[known] == kUnknown && dominators[known] != kVirtualRoot) {
    known = dominators[known];
    ++steps;
  }
  levels_[known] = levels_[known] == kUnknown ? kFar : levels_[known];
  for (auto at = object; at != known; at = dominators[at], --steps) {
    levels_[at] = static_cast<std::uint8_t>(std::min<std::uint64_t>(levels_[known] + steps, kFar));
  }
}

}  // namespace hprof
