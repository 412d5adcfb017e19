// Whatever retains as much has dominators that do. So the objects of enough size are looked through
// again and again, each time for those whose dominator is already found, until nothing is added:
// what lies behind its dominator in the order of addresses is found in the same round.
#include "tools/hprof-report/paths/near_children.h"

#include "common/bit_vector.h"

#include <algorithm>
#include <unordered_map>

namespace hprof {
namespace {

/// Objects of at least that size that another object dominates.
BitVector large_children(const Heap& heap, std::uint64_t least) {
  const auto& dominators = heap.dominators();
  BitVector large(heap.objects());
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (heap.retained()[object] >= least && dominators[object] < kVirtualRoot) {
      large.set(object);
    }
  }
  return large;
}

}  // namespace

std::vector<Child> near_children(const Heap& heap, const std::vector<std::uint32_t>& tops,
                                 std::size_t depth, std::uint64_t least) {
  auto candidates = large_children(heap, least);
  std::vector<Child> children;
  BitVector above(heap.objects());                        // objects whose children are wanted
  std::unordered_map<std::uint32_t, std::size_t> levels;  // of those
  const auto want_below = [&](std::uint32_t object, std::size_t level) {
    if (level < depth && !above.test_and_set(object)) {
      levels.emplace(object, level);
    }
  };
  for (const auto top : tops) {
    want_below(top, 0);
  }
  std::size_t before = 0;
  do {
    before = children.size();
    candidates.for_each_set([&](std::uint64_t index) {
      const auto object = static_cast<std::uint32_t>(index);
      const auto dominator = heap.dominators()[object];
      if (above.test(dominator)) {
        candidates.clear(object);
        children.push_back({.dominator = dominator, .object = object});
        want_below(object, levels.at(dominator) + 1);
      }
    });
  } while (children.size() != before);
  std::sort(children.begin(), children.end(),
            [](const Child& a, const Child& b) { return a.object < b.object; });
  return children;
}

}  // namespace hprof
