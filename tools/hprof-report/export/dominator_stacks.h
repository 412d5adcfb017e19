#pragma once

#include "formats/export/stack_tree.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>

namespace hprof {

/// How far a tree of stacks goes into detail.
struct StackLimits {
  std::uint64_t least_bytes = 0;  ///< a frame that retains less goes to "(other)"
  std::uint32_t depth = 200;      ///< frames from the root down, at most kMostDepth
  static constexpr std::uint32_t kMostDepth = 250;
};

/// The dominator tree with objects of one class under one frame merged. What is too small or too
/// deep is under a frame "(other)" of its parent, so that all bytes are there: the stacks sum up to
/// the used heap. Children by descending size. Takes 11 bytes per object.
StackTree dominator_stacks(const Heap& heap, const StackLimits& limits);

}  // namespace hprof
