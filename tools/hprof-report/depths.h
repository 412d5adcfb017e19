#pragma once

#include "common/big_array.h"

#include <cstdint>

namespace hprof {

/// How deep the dominator tree is; objects under the virtual root have depth 1.
struct DepthFigures {
  std::uint64_t p90 = 0;  ///< 90 % of the reachable objects are no deeper
  std::uint64_t deepest = 0;
};

/// Takes four bytes per object on top of the column.
DepthFigures measure_depths(const BigArray<std::uint32_t>& dominators);

}  // namespace hprof
