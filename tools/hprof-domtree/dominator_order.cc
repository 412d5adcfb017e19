// Subtree sizes bottom-up, then positions top-down: every node hands out consecutive stretches to
// its children in the order of their numbers. Both columns are rewritten in place, since a node's
// old entries are last needed when its position is given.
#include "tools/hprof-domtree/dominator_order.h"

#include <utility>

namespace hprof {
namespace {

BigArray<std::uint32_t> subtree_sizes(const BigArray<std::uint32_t>& idom) {
  BigArray<std::uint32_t> size(idom.size(), 1U);
  for (std::uint64_t node = idom.size() - 1; node > 0; --node) {
    size[idom[node]] += size[node];
  }
  return size;
}

// Turns idom into positions and sizes into ends.
void give_positions(BigArray<std::uint32_t>& idom, BigArray<std::uint32_t>& next) {
  next[0] = 1;
  for (std::uint64_t node = 1; node < idom.size(); ++node) {
    const std::uint32_t dominator = idom[node];
    const std::uint32_t position = next[dominator];
    next[dominator] += next[node];
    next[node] = position + 1;
    idom[node] = position;
  }
}

}  // namespace

DominatorOrder dominator_order(NumberedTree tree) {
  auto& number_of = tree.number_of;
  auto& position = tree.idom;
  auto end_by_number = subtree_sizes(position);
  give_positions(position, end_by_number);
  BigArray<std::uint32_t> end(position.size());
  for (std::uint64_t node = 0; node < position.size(); ++node) {
    end[position[node]] = end_by_number[node];
  }
  end_by_number.release();
  for (auto& number : number_of) {
    number = position[number];
  }
  return {.position_of = std::move(number_of), .end = std::move(end)};
}

}  // namespace hprof
