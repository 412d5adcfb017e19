#pragma once

#include "common/big_array.h"

#include <cstdint>

namespace hprof {

/// A dominator tree under any numbering in which dominators come first.
struct NumberedTree {
  BigArray<std::uint32_t> number_of;  ///< per object; 0: unreachable
  BigArray<std::uint32_t> idom;       ///< per number; idom[v] < v, idom[0] = 0
};

/// The dominator tree in its own preorder: whatever a node dominates lies in [position,
/// end[position]). Position 0 is the virtual root. Made for looking things up; the stage itself
/// makes do with a TreeLayout.
struct DominatorOrder {
  BigArray<std::uint32_t> position_of;  ///< per object; 0: unreachable
  BigArray<std::uint32_t> end;          ///< per position
};

/// Lays the tree out; uses it up.
DominatorOrder dominator_order(NumberedTree tree);

}  // namespace hprof
