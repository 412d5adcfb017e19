#pragma once

#include "common/big_array.h"
#include "tools/hprof-domtree/dominators.h"

#include <cstdint>

namespace hprof {

/// The dominator tree in its own preorder: whatever a node dominates lies in [position,
/// end[position]). Position 0 is the virtual root.
struct DominatorOrder {
  BigArray<std::uint32_t> position_of;  ///< per object; 0: unreachable
  BigArray<std::uint32_t> end;          ///< per position

  std::uint32_t reached() const { return static_cast<std::uint32_t>(end.size() - 1); }
};

/// Lays the tree out; uses up the dominators.
DominatorOrder dominator_order(Dominators dominators);

/// Per position the position of its immediate dominator, in place of the ends; [0] = 0.
BigArray<std::uint32_t> dominators_by_position(BigArray<std::uint32_t> end);

/// Per position its object; position_of's inverse. [0] = 0.
BigArray<std::uint32_t> objects_by_position(const BigArray<std::uint32_t>& position_of,
                                            std::uint32_t reached);

}  // namespace hprof
