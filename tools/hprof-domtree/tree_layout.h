#pragma once

#include "common/bit_vector.h"
#include "tools/hprof-domtree/dominators.h"
#include "tools/hprof-domtree/object_log.h"

#include <cstdint>

namespace hprof {

/// The dominator tree in its own preorder, from position 1 (0 is the virtual root): all there is to
/// walk through it once, in about two bytes per node.
struct TreeLayout {
  ObjectLog objects;     ///< by position
  BitVector leaf;        ///< per position: dominates nothing
  BitVector last_child;  ///< per position: no sibling follows
  std::uint32_t reached = 0;
};

/// Lays the tree out; uses up the dominators.
TreeLayout lay_out_tree(DominatorNumbers dominators);

}  // namespace hprof
