// Subtree sizes bottom-up, then positions top-down: every node hands out consecutive stretches to
// its children in the order of their numbers. Both columns are rewritten in place, since a node's
// old entries are last needed when its position is given.
#include "tools/hprof-domtree/tree_layout.h"

#include <utility>

namespace hprof {
namespace {

using Column = BigArray<std::uint32_t>;

struct Subtrees {
  Column size;           // per number
  BitVector last_child;  // per number
};

Subtrees subtrees(const Column& idom) {
  Subtrees result{Column(idom.size(), 1U), BitVector(idom.size())};
  for (std::uint64_t node = idom.size() - 1; node > 0; --node) {
    auto& above = result.size[idom[node]];
    if (above == 1) {
      result.last_child.set(node);
    }
    above += result.size[node];
  }
  return result;
}

// Turns idom into positions.
void give_positions(Column& idom, Subtrees tree, TreeLayout& layout) {
  auto& next = tree.size;
  next[0] = 1;
  for (std::uint64_t node = 1; node < idom.size(); ++node) {
    const std::uint32_t dominator = idom[node];
    const std::uint32_t position = next[dominator];
    if (next[node] == 1) {
      layout.leaf.set(position);
    }
    if (tree.last_child.test(node)) {
      layout.last_child.set(position);
    }
    next[dominator] += next[node];
    next[node] = position + 1;
    idom[node] = position;
  }
}

Column objects_by_position(const Column& position_of, const ObjectLog& by_number) {
  Column objects(position_of.size());
  ObjectLog::Reader reader(by_number);
  for (std::uint64_t number = 1; number < objects.size(); ++number) {
    objects[position_of[number]] = reader.next();
  }
  return objects;
}

}  // namespace

TreeLayout lay_out_tree(DominatorNumbers dominators) {
  const std::uint64_t positions = dominators.idom.size();
  TreeLayout layout{.objects = {},
                    .leaf = BitVector(positions),
                    .last_child = BitVector(positions),
                    .reached = dominators.reached()};
  give_positions(dominators.idom, subtrees(dominators.idom), layout);
  const auto objects = objects_by_position(dominators.idom, dominators.objects);
  dominators = {};
  for (std::uint64_t position = 1; position < positions; ++position) {
    layout.objects.append(objects[position]);
  }
  return layout;
}

}  // namespace hprof
