#include "tools/hprof-report/export/stack_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace hprof {
namespace {

std::vector<std::uint64_t> totals_of(const std::vector<StackTree::Node>& nodes) {
  std::vector<std::uint64_t> totals(nodes.size());
  for (std::size_t at = nodes.size(); at-- > 0;) {
    totals[at] += nodes[at].bytes;
    if (at != 0) {
      totals[nodes[at].parent] += totals[at];
    }
  }
  return totals;
}

/// All nodes but the root, by parent; of each parent the last to be visited first.
std::vector<std::uint32_t> siblings_together(const std::vector<StackTree::Node>& nodes,
                                             const std::vector<std::string>& frames) {
  const auto totals = totals_of(nodes);
  std::vector<std::uint32_t> order(nodes.size() - 1);
  std::iota(order.begin(), order.end(), 1U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(nodes[a].parent, totals[a], frames[nodes[b].frame]) <
           std::tie(nodes[b].parent, totals[b], frames[nodes[a].frame]);
  });
  return order;
}

}  // namespace

std::vector<StackTree::Node> in_order(const std::vector<StackTree::Node>& nodes,
                                      const std::vector<std::string>& frames) {
  const auto order = siblings_together(nodes, frames);
  std::vector<std::uint32_t> first_child(nodes.size() + 1, 0);
  for (const auto node : order) {
    ++first_child[nodes[node].parent + 1];
  }
  std::partial_sum(first_child.begin(), first_child.end(), first_child.begin());

  std::vector<StackTree::Node> out;
  out.reserve(nodes.size());
  struct Visit {
    std::uint32_t node;
    std::uint32_t new_parent;
  };
  std::vector<Visit> todo{{0, 0}};
  while (!todo.empty()) {
    const Visit visit = todo.back();
    todo.pop_back();
    const auto here = static_cast<std::uint32_t>(out.size());
    out.push_back(nodes[visit.node]);
    out.back().parent = visit.new_parent;
    for (auto at = first_child[visit.node]; at != first_child[visit.node + 1]; ++at) {
      todo.push_back({order[at], here});
    }
  }
  return out;
}

void drop_unused_frames(StackTree& tree) {
  constexpr std::uint32_t kUnused = 0xffffffffU;
  std::vector<std::uint32_t> numbers(tree.frames.size(), kUnused);
  std::vector<std::string> frames;
  for (std::size_t at = 1; at < tree.nodes.size(); ++at) {
    auto& number = numbers[tree.nodes[at].frame];
    if (number == kUnused) {
      number = static_cast<std::uint32_t>(frames.size());
      frames.push_back(tree.frames[tree.nodes[at].frame]);
    }
    tree.nodes[at].frame = number;
  }
  tree.frames = std::move(frames);
}

}  // namespace hprof
