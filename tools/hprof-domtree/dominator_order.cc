// Subtree sizes bottom-up, then positions top-down: every node hands out consecutive stretches to
// its children in the order of their numbers. Both columns are rewritten in place, since a node's
// old entries are last needed when its position is given.
#include "tools/hprof-domtree/dominator_order.h"

#include "tools/hprof-domtree/chunked_stack.h"

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

DominatorOrder dominator_order(Dominators dominators) {
  auto& number_of = dominators.number_of;
  auto& position = dominators.idom;
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

BigArray<std::uint32_t> dominators_by_position(BigArray<std::uint32_t> end) {
  struct Open {
    std::uint32_t position;
    std::uint32_t end;
  };
  ChunkedStack<Open> open;
  open.push({0, end[0]});
  end[0] = 0;
  for (std::uint32_t position = 1; position < end.size(); ++position) {
    while (open.top().end <= position) {
      open.pop();
    }
    const Open self{position, end[position]};
    end[position] = open.top().position;
    if (self.end > position + 1) {
      open.push(self);
    }
  }
  return end;
}

BigArray<std::uint32_t> objects_by_position(const BigArray<std::uint32_t>& position_of,
                                            std::uint32_t reached) {
  BigArray<std::uint32_t> objects(reached + std::uint64_t{1}, 0U);
  for (std::uint32_t object = 0; object < position_of.size(); ++object) {
    if (position_of[object] != 0) {
      objects[position_of[object]] = object;
    }
  }
  return objects;
}

}  // namespace hprof
