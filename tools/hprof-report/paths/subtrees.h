#pragma once

#include "formats/report/leaks.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/paths/described_objects.h"
#include "tools/hprof-report/paths/near_children.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// How much of dominator trees is shown.
struct TreeCaps {
  std::size_t nodes = 0;     ///< in all trees together
  std::size_t depth = 0;     ///< levels below the top
  std::size_t children = 0;  ///< of one object
};

/// The largest objects below some objects in the dominator tree, taken level by level, within a
/// level by retained size, so that no branch can eat up the others.
class Subtrees {
 public:
  /// A byte per object on top of both columns, which must be loaded.
  Subtrees(const Heap& heap, const std::vector<std::uint32_t>& tops, const TreeCaps& caps);

  /// All objects in the trees.
  std::vector<std::uint32_t> objects() const;
  /// The tree under the top of that number.
  DominatedObject tree(std::size_t top, const Heap& heap, const DescribedObjects& described) const;

 private:
  struct Node {
    std::uint32_t object = 0;
    std::size_t parent = 0;  ///< place in nodes_; of a top its own
    std::size_t children = 0;
  };

  void add_level(const Heap& heap, const std::vector<Child>& children, const TreeCaps& caps,
                 std::size_t first);

  std::vector<Node> nodes_;  ///< level by level
};

}  // namespace hprof
