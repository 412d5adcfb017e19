// Memory: link and label of a node lie in one 8-byte slot (one cache miss); parents and cross edges
// are streamed; semidominators are kept only where they differ from the parent, on a stack, since
// the first pass finds them in descending and the second uses them in ascending order.
#include "tools/hprof-domtree/semi_nca.h"

#include "tools/hprof-domtree/chunked_stack.h"
#include "tools/hprof-domtree/dominator_climb.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;
constexpr std::uint32_t kProgressStep = 1U << 18U;

/// The forest of the nodes done so far: every node links to an ancestor, its label is the least
/// semidominator between itself and that ancestor.
class LinkForest {
 public:
  LinkForest(const ParentLog& parents, std::uint32_t nodes) : slots_(nodes + std::uint64_t{1}) {
    ParentLog::Reader reader(parents);
    slots_[0] = {.link = 0, .label = 0};
    for (std::uint32_t node = 1; node <= nodes; ++node) {
      slots_[node].link = reader.next();
    }
  }

  /// The parent of a node that is not done yet.
  std::uint32_t parent(std::uint32_t node) const { return slots_[node].link; }

  void finish_node(std::uint32_t node, std::uint32_t semidominator) {
    slots_[node].label = semidominator;
  }

  /// The least semidominator among `node` and its ancestors above `floor`; all nodes above `floor`
  /// are done.
  std::uint32_t least(std::uint32_t node, std::uint32_t floor) {
    if (slots_[node].link > floor) {
      compress(node, floor);
    }
    return slots_[node].label;
  }

  std::uint64_t compressed() const { return compressed_; }

 private:
  struct Slot {
    std::uint32_t link;
    std::uint32_t label;
  };

  // Walks up turning the links round, then back down along them: no stack however long the path.
  void compress(std::uint32_t node, std::uint32_t floor) {
    std::uint32_t below = kNone;
    while (slots_[node].link > floor) {
      const std::uint32_t above = slots_[node].link;
      slots_[node].link = below;
      below = node;
      node = above;
    }
    const std::uint32_t top = slots_[node].link;
    std::uint32_t label = slots_[node].label;
    while (below != kNone) {
      auto& slot = slots_[below];
      below = slot.link;
      slot.link = top;
      slot.label = label = std::min(label, slot.label);
      ++compressed_;
    }
  }

  BigArray<Slot> slots_;
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
  LinkForest forest(tree.parents, tree.reached);
  CrossEdges::Reader cross_edges(tree.cross_edges);
  for (std::uint32_t node = tree.reached; node > 0; --node) {
    const std::uint32_t parent = forest.parent(node);
    std::uint32_t semidominator = parent;
    for (const auto source : cross_edges.sources(node)) {
      semidominator = std::min(semidominator, source < node ? source : forest.least(source, node));
    }
    forest.finish_node(node, semidominator);
    if (semidominator != parent) {
      semidominators.differs.set(node);
      semidominators.values.push(semidominator);
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
  return {.number_of = std::move(tree.number_of), .idom = std::move(idom)};
}

}  // namespace hprof
