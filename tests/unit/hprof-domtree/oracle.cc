#include "tests/unit/hprof-domtree/oracle.h"

namespace hprof::test {
namespace {

constexpr std::uint32_t kNothing = 0xffffffffU;

std::vector<bool> reached_without(const AdjacencyGraph& graph, std::uint32_t removed) {
  std::vector<bool> seen(graph.size());
  std::vector<std::uint32_t> todo;
  const auto visit = [&](std::uint32_t object) {
    if (object != removed && !seen[object]) {
      seen[object] = true;
      todo.push_back(object);
    }
  };
  for (const auto root : graph.roots()) {
    visit(root);
  }
  while (!todo.empty()) {
    const auto object = todo.back();
    todo.pop_back();
    for (const auto target : graph.targets(object)) {
      visit(target);
    }
  }
  return seen;
}

}  // namespace

Oracle::Oracle(const AdjacencyGraph& graph) : reachable_(reached_without(graph, kNothing)) {
  for (std::uint32_t removed = 0; removed < graph.size(); ++removed) {
    const auto seen = reached_without(graph, removed);
    std::vector<bool> lost(graph.size());
    for (std::uint32_t object = 0; object < graph.size(); ++object) {
      lost[object] = reachable_[object] && !seen[object];
    }
    lost_.push_back(std::move(lost));
  }
}

// Of an object's strict dominators, the immediate one is dominated by all the others.
std::vector<std::uint32_t> Oracle::immediate() const {
  const auto size = static_cast<std::uint32_t>(reachable_.size());
  std::vector<std::uint32_t> idom(size, kUnreachableOracle);
  for (std::uint32_t object = 0; object < size; ++object) {
    if (!reachable_[object]) {
      continue;
    }
    idom[object] = kRootOracle;
    for (std::uint32_t candidate = 0; candidate < size; ++candidate) {
      const bool strict = candidate != object && dominates(candidate, object);
      if (strict && (idom[object] == kRootOracle || dominates(idom[object], candidate))) {
        idom[object] = candidate;
      }
    }
  }
  return idom;
}

std::uint64_t Oracle::retained(std::uint32_t object,
                               const std::vector<std::uint64_t>& shallow) const {
  std::uint64_t sum = 0;
  for (std::uint32_t other = 0; other < shallow.size(); ++other) {
    sum += dominates(object, other) ? shallow[other] : 0;
  }
  return sum;
}

}  // namespace hprof::test
