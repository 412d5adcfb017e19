#pragma once

#include "common/big_array.h"
#include "common/ranked_bits.h"

#include <cstdint>

namespace hprof {

/// Makes out of the dominators, in their place, the topmost object above each object in the
/// dominator tree, or the object itself where it is on top; kUnreachable for unreachable ones.
/// `top_level`: those that no other object dominates. Takes a bit per object for the time being.
BigArray<std::uint32_t> topmost_objects(BigArray<std::uint32_t> dominators,
                                        const RankedBits& top_level);

}  // namespace hprof
