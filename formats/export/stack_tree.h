#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hprof {

/// A tree whose nodes are stacks of frames, with what each has of its own: what flame graphs and
/// profilers draw.
struct StackTree {
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t frame = 0;  ///< row of `frames`
    std::uint64_t objects = 0;
    std::uint64_t bytes = 0;
  };

  std::vector<std::string> frames;  ///< distinct names
  std::vector<Node> nodes;          ///< parents before children; 0 is the root, which has no frame
  std::string title;                ///< of which dump
  std::uint64_t time_ms = 0;        ///< since 1970

  std::uint64_t total_objects() const;
  std::uint64_t total_bytes() const;
};

/// Calls `visit(frames from the root down, node)` for each node that has objects of its own, in
/// order.
template <typename Visit>
void for_each_stack(const StackTree& tree, Visit&& visit) {
  std::vector<std::uint32_t> stack;
  for (std::uint32_t at = 1; at < tree.nodes.size(); ++at) {
    if (tree.nodes[at].objects == 0) {
      continue;
    }
    stack.clear();
    for (std::uint32_t up = at; up != 0; up = tree.nodes[up].parent) {
      stack.push_back(tree.nodes[up].frame);
    }
    std::reverse(stack.begin(), stack.end());
    visit(std::span<const std::uint32_t>(stack), tree.nodes[at]);
  }
}

}  // namespace hprof
