// A node that no cross edge leads to has its parent as its semidominator, so of the nodes on a path
// only the targets of cross edges need a label; what the others would add is at most the ancestor
// at which the path ends, and that is where the last link leads. Parents and cross edges are
// streamed; semidominators are kept only where they differ from the parent, on a stack, since the
// first pass finds them in descending and the second uses them in ascending order.
#include "tools/hprof-domtree/semi_nca.h"

#include "tools/hprof-domtree/chunked_stack.h"
#include "tools/hprof-domtree/dominator_climb.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;
constexpr std::uint32_t kProgressStep = 1U << 18U;

/// The forest of the nodes done so far: every node links to an ancestor, past none but nodes that
/// are done and, unless the node is a target itself, past no target. A target's label is the least
/// semidominator among itself and the targets that its link skips.
class LinkForest {
 public:
  LinkForest(const ParentLog& parents, const RankedBits& targets, std::uint32_t nodes)
      : targets_(targets), links_(nodes + std::uint64_t{1}), labels_(targets.count()) {
    ParentLog::Reader reader(parents);
    links_[0] = 0;
    for (std::uint32_t node = 1; node <= nodes; ++node) {
      links_[node] = reader.next();
    }
  }

  /// The parent of a node that is not done yet.
  std::uint32_t parent(std::uint32_t node) const { return links_[node]; }

  void finish_target(std::uint32_t target, std::uint32_t semidominator) {
    labels_[targets_.rank(target)] = semidominator;
  }

  /// The least semidominator among `node` and its ancestors above `floor`, or what decides no less:
  /// their nearest common ancestor with `floor`. All nodes above `floor` are done.
  std::uint32_t least(std::uint32_t node, std::uint32_t floor) {
    const std::uint32_t link = links_[node];
    if (link > floor) {
      return compress(node, floor);
    }
    return targets_.test(node) ? std::min(link, labels_[targets_.rank(node)]) : link;
  }

  std::uint64_t compressed() const { return compressed_; }

 private:
  // Walks up turning the links round, then back down along them: no stack however long the path.
  std::uint32_t compress(std::uint32_t node, std::uint32_t floor) {
    std::uint32_t below = kNone;
    while (links_[node] > floor) {
      const std::uint32_t above = links_[node];
      links_[node] = below;
      below = node;
      node = above;
    }
    const std::uint32_t top = links_[node];
    std::uint32_t least = kNone;
    std::uint32_t nearest_target = top;
    if (targets_.test(node)) {
      least = labels_[targets_.rank(node)];
      nearest_target = node;
    }
    while (below != kNone) {
      node = below;
      below = links_[node];
      if (targets_.test(node)) {
        auto& label = labels_[targets_.rank(node)];
        label = least = std::min(least, label);
        links_[node] = top;
        nearest_target = node;
      } else {
        links_[node] = nearest_target;
      }
      ++compressed_;
    }
    return std::min(least, top);
  }

  const RankedBits& targets_;
  BigArray<std::uint32_t> links_;
  BigArray<std::uint32_t> labels_;  // per target
  std::uint64_t compressed_ = 0;
};

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
  for (std::uint32_t node = tree.reached; node > 0; --node) {
    if (targets.test(node)) {
      const std::uint32_t parent = forest.parent(node);
      std::uint32_t semidominator = parent;
      for (const auto source : cross_edges.sources(node)) {
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

Dominators semi_nca(SearchTree tree, Progress& progress, SemiNcaCounters& counters,
                    std::uint64_t climb_steps_per_node) {
  auto semidominators = find_semidominators(tree, progress, counters);
  const std::uint64_t budget = climb_steps_per_node * tree.reached;
  auto idom = climb_to_dominators(tree.parents, tree.reached, semidominators, budget, counters);
  return {.objects = std::move(tree.objects), .idom = std::move(idom)};
}

}  // namespace hprof
