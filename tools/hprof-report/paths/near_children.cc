// Whatever retains as much has dominators that do. So the objects of enough size are looked through
// again and again, each time for those whose dominator is already found, until nothing is added:
// what lies behind its dominator in the order of addresses is found in the same round.
#include "tools/hprof-report/paths/near_children.h"

#include "common/bit_vector.h"

#include <algorithm>
#include <unordered_map>

namespace hprof {
namespace {

/// Where no more than one object in so many is large, they are laid side by side.
constexpr std::uint64_t kObjectsPerLarge = 8;

/// Objects of some size that another object dominates, until they are taken away.
class LargeChildren {
 public:
  LargeChildren(const Heap& heap, std::uint64_t least) : heap_(heap), large_(heap.objects()) {
    std::uint64_t count = 0;
    heap.retained().for_each_from(least, [&](std::uint32_t object) {
      if (heap.dominators()[object] < kVirtualRoot) {
        large_.set(object);
        ++count;
      }
    });
    if (count <= heap.objects() / kObjectsPerLarge) {
      gather(count);
    }
  }

  /// Calls `takes(child)` for each, ascending; those for which it says so are gone.
  template <typename Takes>
  void for_each(Takes&& takes) {
    if (is_gathered_) {
      for (auto& child : gathered_) {
        if (child.dominator != kUnreachable && takes(child)) {
          child.dominator = kUnreachable;
        }
      }
      return;
    }
    large_.for_each_set([&](std::uint64_t object) {
      const auto index = static_cast<std::uint32_t>(object);
      if (takes({.dominator = heap_.dominators()[index], .object = index})) {
        large_.clear(index);
      }
    });
  }

 private:
  void gather(std::uint64_t count) {
    is_gathered_ = true;
    gathered_ = BigArray<Child>(count);
    auto* next = gathered_.begin();
    large_.for_each_set([&](std::uint64_t object) {
      *next++ = {.dominator = heap_.dominators()[object],
                 .object = static_cast<std::uint32_t>(object)};
    });
    large_ = {};
  }

  const Heap& heap_;
  BitVector large_;
  BigArray<Child> gathered_;
  bool is_gathered_ = false;
};

}  // namespace

std::vector<Child> near_children(const Heap& heap, const std::vector<std::uint32_t>& tops,
                                 std::size_t depth, std::uint64_t least) {
  LargeChildren candidates(heap, least);
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
    candidates.for_each([&](const Child& child) {
      const bool is_child = above.test(child.dominator);
      if (is_child) {
        children.push_back(child);
        want_below(child.object, levels.at(child.dominator) + 1);
      }
      return is_child;
    });
  } while (children.size() != before);
  std::sort(children.begin(), children.end(),
            [](const Child& a, const Child& b) { return a.object < b.object; });
  return children;
}

}  // namespace hprof
