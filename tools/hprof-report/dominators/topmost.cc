// Every object takes over what its dominator points at, which halves its way to the top or better:
// where dominators come earlier in the same reading, they are through already. Objects that are not
// are looked at again, to and fro, so that lists in either direction take one reading more and
// others twice as many steps in each. No look depends on the one before, unlike the steps of a walk
// up.
#include "tools/hprof-report/dominators/topmost.h"

#include "common/bit_vector.h"
#include "common/bring_near.h"
#include "formats/domtree_file.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hprof {
namespace {

constexpr std::uint32_t kAhead = 16;  ///< objects whose dominators are brought near

class Climb {
 public:
  Climb(BigArray<std::uint32_t>& tops, const RankedBits& top_level)
      : tops_(tops), top_level_(top_level), open_(tops.size()) {}

  /// Takes the first step for all.
  void start() {
    const auto objects = static_cast<std::uint32_t>(tops_.size());
    for (std::uint32_t object = 0; object < objects; ++object) {
      tops_[object] = tops_[object] == kVirtualRoot ? object : tops_[object];
    }
    for (std::uint32_t object = 0; object < objects; ++object) {
      if (object + kAhead < objects) {
        look_ahead(object + kAhead);
      }
      if (tops_[object] != kUnreachable && !step(object)) {
        open_.set(object);
        any_open_ = true;
      }
    }
  }

  /// Takes a step for those that are not on top yet; false when there are none.
  bool go_on(bool backwards) {
    if (!any_open_) {
      return false;
    }
    any_open_ = false;
    const std::uint64_t blocks = (open_.size() + kBlock - 1) / kBlock;
    for (std::uint64_t block = 0; block < blocks; ++block) {
      look_at_block((backwards ? blocks - 1 - block : block) * kBlock, backwards);
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kBlock = 4096;

  void look_ahead(std::uint32_t object) const {
    if (tops_[object] != kUnreachable) {
      bring_near(&tops_[tops_[object]]);
    }
  }

  /// Whether the object's top is known then.
  bool step(std::uint32_t object) {
    const std::uint32_t next = tops_[tops_[object]];
    tops_[object] = next;
    return top_level_.test(next);
  }

  void look_at_block(std::uint64_t first, bool backwards) {
    std::array<std::uint32_t, kBlock> objects;  // NOLINT: filled up to `count`
    std::size_t count = 0;
    open_.for_each_set(first, first + kBlock, [&](std::uint64_t object) {
      bring_near(&tops_[object]);
      objects[count++] = static_cast<std::uint32_t>(object);
    });
    if (backwards) {
      std::reverse(objects.begin(), objects.begin() + static_cast<std::ptrdiff_t>(count));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) {
        look_ahead(objects[i + kAhead]);
      }
      if (step(objects[i])) {
        open_.clear(objects[i]);
      } else {
        any_open_ = true;
      }
    }
  }

  BigArray<std::uint32_t>& tops_;
  const RankedBits& top_level_;
  BitVector open_;  ///< objects that are not at their top yet
  bool any_open_ = false;
};

}  // namespace

BigArray<std::uint32_t> topmost_objects(BigArray<std::uint32_t> dominators,
                                        const RankedBits& top_level) {
  Climb climb(dominators, top_level);
  climb.start();
  for (bool backwards = true; climb.go_on(backwards); backwards = !backwards) {
  }
  return dominators;
}

}  // namespace hprof
