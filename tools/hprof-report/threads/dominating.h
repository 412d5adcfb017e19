#pragma once

#include "common/big_array.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// A few objects of the heap, and which of them dominate which; so sets of them can be summed with
/// nothing counted twice.
class DominatingObjects {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// `objects` in any order, repeated or not.
  DominatingObjects(const BigArray<std::uint32_t>& dominators, std::vector<std::uint32_t> objects);

  /// Place of one of the objects among them.
  std::uint32_t place_of(std::uint32_t object) const;
  std::uint32_t object_at(std::uint32_t place) const { return objects_[place]; }
  /// Whether one of them dominates another, or is it.
  bool covers(std::uint32_t upper_place, std::uint32_t lower_place) const {
    const auto& upper = stretches_[upper_place];
    const auto number = stretches_[lower_place].first;
    return upper.first <= number && number <= upper.last;
  }
  /// What each of the objects at these places retains, added up in bytes, nothing counted twice: at
  /// most what they retain together.
  std::uint64_t retained(std::vector<std::uint32_t> places, const RetainedColumn& retained) const;

 private:
  /// A stretch of numbers that holds those of everything below, as in a tree's preorder.
  struct Stretch {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  std::vector<std::uint32_t> find_parents(const BigArray<std::uint32_t>& dominators) const;
  void number(const std::vector<std::uint32_t>& parents);

  std::vector<std::uint32_t> objects_;  ///< ascending, distinct
  std::vector<Stretch> stretches_;      ///< by place
};

}  // namespace hprof
