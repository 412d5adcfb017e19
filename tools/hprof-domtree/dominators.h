#pragma once

#include "common/big_array.h"
#include "tools/hprof-domtree/object_log.h"

#include <cstdint>

namespace hprof {

/// Immediate dominators under a numbering in which dominators come first: number 0 is the virtual
/// root that references every GC root, reachable objects have 1..reached.
struct DominatorNumbers {
  ObjectLog objects;             ///< by number, from 1
  BigArray<std::uint32_t> idom;  ///< per number; idom[v] < v, idom[0] = 0

  std::uint32_t reached() const { return static_cast<std::uint32_t>(idom.size() - 1); }
};

}  // namespace hprof
