// A node that no cross edge leads to has its parent as its semidominator, so of the nodes on a path
// only the targets of cross edges need a label; what the others would add is at most the ancestor
// at which the path ends, and that is where the last link leads. Parents and cross edges are
// streamed; semidominators are kept only where they differ from the parent, on a stack, since the
// first pass finds them in descending and the second uses them in ascending order.
#include "tools/hprof-domtree/semi_nca.h"

#include "tools/hprof-domtree/chunked_stack.h"
#include "tools/hprof-domtree/dominator_climb.h"
#include "tools/hprof-domtree/link_forest.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint32_t kProgressStep = 1U << 18U;

/// Semidominators of the nodes where they are not the parent; filled from the highest node down,
/// taken from the lowest up.
struct Semidominators {
  explicit Semidominators(std::uint64_t nodes) : differs(nodes + 1) {}

  BitVector differs;
  ChunkedStack<std::uint32_t> values;
};

Semidominators find_semidominators(SearchTree& tree, Progress& progress,
                                   SemiNcaCounters& counters) {
  Semidominators semidominators(tree.reached);
  const RankedBits& targets = tree.cross_edges.targets();
  LinkForest forest(tree.parents, targets, tree.reached);
  CrossEdges::Reader cross_edges(tree.cross_edges);
  PathsAhead paths(forest);
  for (std::uint32_t node = tree.reached; node > 0; --node) {
    if (targets.test(node)) {
      const std::uint32_t parent = forest.parent(node);
      std::uint32_t semidominator = parent;
      for (const auto& source : cross_edges.sources(node)) {
        paths.walk(cross_edges.later(source, PathsAhead::kDistance), node);
        semidominator =
            std::min(semidominator, source < node ? source : forest.least(source, node));
      }
      forest.finish_target(node, semidominator);
      if (semidominator != parent) {
        semidominators.differs.set(node);
        semidominators.values.push(semidominator);
      }
    }
    if (node % kProgressStep == 0) {
      progress.update(tree.reached - node, tree.reached);
    }
  }
  counters.compressed = forest.compressed();
  counters.semidominators = semidominators.values.size();
  return semidominators;
}

BigArray<std::uint32_t> climb_to_dominators(const ParentLog& parents, std::uint32_t nodes,
                                            Semidominators& semidominators, std::uint64_t budget,
                                            SemiNcaCounters& counters) {
  BigArray<std::uint32_t> idom(nodes + std::uint64_t{1});
  idom[0] = 0;
  DominatorClimb climb(idom, budget);
  ParentLog::Reader reader(parents);
  for (std::uint32_t node = 1; node <= nodes; ++node) {
    std::uint32_t dominator = reader.next();
    if (semidominators.differs.test(node)) {
      const std::uint32_t semidominator = semidominators.values.top();
      semidominators.values.pop();
      dominator = climb.first_at_most(dominator, semidominator, node);
    }
    climb.add(node, dominator);
  }
  counters.climb_steps = climb.steps();
  counters.skip_pointers = climb.uses_skips();
  return idom;
}

}  // namespace

DominatorNumbers semi_nca(SearchTree tree, Progress& progress, SemiNcaCounters& counters,
                          std::uint64_t climb_steps_per_node) {
  auto semidominators = find_semidominators(tree, progress, counters);
  const std::uint64_t budget = climb_steps_per_node * tree.reached;
  auto idom = climb_to_dominators(tree.parents, tree.reached, semidominators, budget, counters);
  return {.objects = std::move(tree.objects), .idom = std::move(idom)};
}

}  // namespace hprof
