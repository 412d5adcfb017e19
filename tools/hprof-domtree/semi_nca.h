#pragma once

#include "common/steps.h"
#include "tools/hprof-domtree/depth_first.h"
#include "tools/hprof-domtree/dominators.h"

#include <cstdint>

namespace hprof {

/// Steps that SEMI-NCA's second pass may climb per node on average before it takes to skip
/// pointers.
inline constexpr std::uint64_t kClimbStepsPerNode = 8;

struct SemiNcaCounters {
  std::uint64_t compressed = 0;      ///< nodes moved by path compression
  std::uint64_t semidominators = 0;  ///< nodes whose semidominator is not their parent
  std::uint64_t climb_steps = 0;
  bool skip_pointers = false;
};

/// Dominators from a depth-first tree by SEMI-NCA (Georgiadis 2005): semidominators in
/// reverse preorder with path compression, then every node's dominator is the nearest dominator of
/// its parent that is not below its semidominator. Uses up the tree.
DominatorNumbers semi_nca(SearchTree tree, Progress& progress, SemiNcaCounters& counters,
                          std::uint64_t climb_steps_per_node = kClimbStepsPerNode);

}  // namespace hprof
