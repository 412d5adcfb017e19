// An object is a big drop unless one of its children comes near it, so one look at each child of
// the large objects is enough to tell: two bits per object, and nothing about the tree's shape.
#include "tools/hprof-report/dominators/big_drops.h"

#include "formats/report/units.h"
#include "tools/hprof-report/tree_check.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint32_t kAhead = 16;  ///< objects whose dominators are brought near

}  // namespace

BigDrops::BigDrops(const Heap& heap, std::uint64_t threshold, std::size_t most) : heap_(heap) {
  look_at_children(find(threshold));
  keep(most);
}

BitVector BigDrops::find(std::uint64_t threshold) {
  const auto& dominators = heap_.dominators();
  const auto& retained = heap_.retained();
  BitVector child_is_near(heap_.objects());
  BitVector below_large(heap_.objects());
  TreeCheck check(heap_);
  RetainedColumn::Reader own_sizes(retained);
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    const std::uint64_t own = own_sizes.next();
    const auto dominator = dominators[object];
    if (object + kAhead < dominators.size() && dominators[object + kAhead] < kVirtualRoot) {
      retained.prefetch(dominators[object + kAhead]);
    }
    if (dominator >= kVirtualRoot) {
      continue;
    }
    const std::uint64_t above = retained[dominator];
    check.note(object, own, above);
    if (above > threshold) {
      below_large.set(object);
      if (above - own <= threshold) {
        child_is_near.set(dominator);
      }
    }
  }
  check.finish();
  retained.for_each_from(threshold + 1, [&](std::uint32_t object) {
    if (dominators[object] != kUnreachable && !child_is_near.test(object)) {
      drops_.push_back({.object = object, .retained = retained[object]});
    }
  });
  count_ = drops_.size();
  return below_large;
}

void BigDrops::look_at_children(const BitVector& below_large) {
  const auto& dominators = heap_.dominators();
  const auto& retained = heap_.retained();
  BitVector is_drop(heap_.objects());
  for (const auto& drop : drops_) {
    is_drop.set(drop.object);
  }
  below_large.for_each_set([&](std::uint64_t child) {
    const auto object = static_cast<std::uint32_t>(child);
    const auto dominator = dominators[object];
    if (!is_drop.test(dominator)) {
      return;
    }
    auto& drop = *std::lower_bound(
        drops_.begin(), drops_.end(), dominator,
        [](const Drop& other, std::uint32_t wanted) { return other.object < wanted; });
    ++drop.children;
    if (drop.largest_child == kNone || retained[object] > drop.largest) {
      drop.largest_child = object;
      drop.largest = retained[object];
    }
  });
}

void BigDrops::keep(std::size_t most) {
  std::stable_sort(drops_.begin(), drops_.end(),
                   [](const Drop& a, const Drop& b) { return a.size() > b.size(); });
  drops_.resize(std::min(drops_.size(), most));
  for (const auto& drop : drops_) {
    objects_[drop.object];
    if (drop.largest_child != kNone) {
      objects_[drop.largest_child];
    }
  }
  next_ = objects_.begin();
}

void BigDrops::add(const HeapObject& object) {
  if (next_ != objects_.end() && next_->first == object.index) {
    next_->second = object;
    ++next_;
  }
}

std::vector<BigDrop> BigDrops::result() const {
  std::vector<BigDrop> out;
  for (const auto& drop : drops_) {
    const auto& object = objects_.at(drop.object);
    BigDrop row{.address = heap_.address(object.index),
                .class_name = heap_.class_name(heap_.class_of(object)),
                .label = heap_.label(object),
                .shallow = object.shallow,
                .retained = drop.retained,
                .retained_bp = share_bp(drop.retained, heap_.used_heap()),
                .children = drop.children,
                .largest_child = std::nullopt,
                .drop = drop.size(),
                .drop_bp = share_bp(drop.size(), heap_.used_heap())};
    if (drop.largest_child != kNone) {
      row.largest_child = heap_.reference(objects_.at(drop.largest_child));
    }
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace hprof
