#pragma once

#include "common/big_array.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace hprof {

/// An object below another one in the dominator tree.
struct Child {
  std::uint32_t dominator = 0;
  std::uint32_t object = 0;
};

/// Finds the objects of at least some retained size that lie no more than so many levels below one
/// of `tops`. There are few of them: what lies at one level is disjoint.
class NearChildren {
 public:
  /// Needs both columns; takes a byte per object. `depth`: at most 250 levels.
  NearChildren(const Heap& heap, const std::vector<std::uint32_t>& tops, std::size_t depth,
               std::uint64_t least);

  /// Ascending by object.
  std::vector<Child> take() { return std::move(children_); }

 private:
  void settle(const BigArray<std::uint32_t>& dominators, std::uint32_t object);

  BigArray<std::uint8_t> levels_;  ///< from 1 at the tops on
  std::vector<Child> children_;
};

}  // namespace hprof
