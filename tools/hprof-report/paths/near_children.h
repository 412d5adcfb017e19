#pragma once

#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// An object below another one in the dominator tree.
struct Child {
  std::uint32_t dominator = 0;
  std::uint32_t object = 0;
};

/// The objects that retain at least `least` bytes and lie no more than `depth` levels below one of
/// `tops`, ascending; few, since what lies at one level is disjoint. Needs both columns; takes up
/// to a byte and a quarter per object for the time being.
std::vector<Child> near_children(const Heap& heap, const std::vector<std::uint32_t>& tops,
                                 std::size_t depth, std::uint64_t least);

}  // namespace hprof
