// Whatever retains as much has dominators that do. So the objects of enough size are looked through
// again and again, each time for those whose dominator is already found, until nothing is added:
// what lies behind its dominator in the order of addresses is found in the same round.
#include "tools/hprof-report/paths/near_children.h"

#include "common/bit_vector.h"

#include <algorithm>
#include <unordered_map>

namespace hprof {
namespace {

constexpr std::uint64_t kObjectsPerCandidate = 4;
constexpr std::uint64_t kFewestCandidates = 1U << 12U;

/// The objects of at least some size: put aside where they are not too many, else looked for anew
/// each time.
class Candidates {
 public:
  Candidates(const Heap& heap, std::uint64_t least) : heap_(heap), least_(least) {
    most_ = std::max(kFewestCandidates, heap.objects() / kObjectsPerCandidate);
    search([this](std::uint32_t object) {
      few_ = found_.size() < most_;
      if (few_) {
        found_.push_back(object);
      }
      return few_;
    });
    if (!few_) {
      found_ = {};
    }
  }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    if (!few_) {
      search([&](std::uint32_t object) {
        visit(object);
        return true;
      });
      return;
    }
    for (const auto object : found_) {
      visit(object);
    }
  }

 private:
  /// Until `visit` says false.
  template <typename Visit>
  void search(Visit&& visit) const {
    const auto& dominators = heap_.dominators();
    for (std::uint32_t object = 0; object < dominators.size(); ++object) {
      if (heap_.retained()[object] >= least_ && dominators[object] < kVirtualRoot &&
          !visit(object)) {
        return;
      }
    }
  }

  const Heap& heap_;
  std::uint64_t least_;
  std::uint64_t most_;
  bool few_ = true;
  std::vector<std::uint32_t> found_;
};

}  // namespace

std::vector<Child> near_children(const Heap& heap, const std::vector<std::uint32_t>& tops,
                                 std::size_t depth, std::uint64_t least) {
  const Candidates candidates(heap, least);
  std::vector<Child> children;
  BitVector listed(heap.objects());
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
    candidates.for_each([&](std::uint32_t object) {
      const auto dominator = heap.dominators()[object];
      if (above.test(dominator) && !listed.test_and_set(object)) {
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
