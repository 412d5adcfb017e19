// The meeting point of a node's predecessors in the tree so far is found by climbing from each of
// them. A climb stops early where an earlier climb for the same node has passed: from there on the
// two agree. Without that, an object referenced by every element of a long list would cost the
// square of the list's length.
#include "tools/hprof-domtree/chk.h"

#include <span>

namespace hprof {
namespace {

constexpr std::uint32_t kUnknown = 0xffffffffU;

class Iteration {
 public:
  Iteration(const ChkGraph& graph, std::uint32_t reached)
      : graph_(graph),
        idom_(reached + std::uint64_t{1}, kUnknown),
        seen_(reached + std::uint64_t{1}, 0U) {
    idom_[0] = 0;
  }

  /// One pass in reverse postorder; true when a dominator moved.
  bool pass(Progress& progress) {
    bool moved = false;
    for (std::uint32_t node = 1; node < idom_.size(); ++node) {
      const std::uint32_t dominator = meet_of_predecessors(node);
      moved |= dominator != idom_[node];
      idom_[node] = dominator;
      if (node % (1U << 18U) == 0) {
        progress.update(node, idom_.size());
      }
    }
    return moved;
  }

  BigArray<std::uint32_t> take() { return std::move(idom_); }

 private:
  std::uint32_t meet_of_predecessors(std::uint32_t node) {
    ++stamp_;
    std::uint32_t meet = kUnknown;
    for (auto at = graph_.starts[node]; at < graph_.starts[node + std::uint64_t{1}]; ++at) {
      const std::uint32_t predecessor = graph_.predecessors[at];
      if (idom_[predecessor] != kUnknown) {
        meet = meet == kUnknown ? predecessor : intersect(meet, predecessor);
      }
    }
    return meet;
  }

  std::uint32_t intersect(std::uint32_t meet, std::uint32_t finger) {
    while (finger != meet) {
      if (finger > meet) {
        if (seen_[finger] == stamp_) {
          return meet;
        }
        seen_[finger] = stamp_;
        finger = idom_[finger];
      } else {
        meet = idom_[meet];
      }
    }
    return meet;
  }

  const ChkGraph& graph_;
  BigArray<std::uint32_t> idom_;
  BigArray<std::uint64_t> seen_;  // the last evaluation whose climb from a predecessor passed here
  std::uint64_t stamp_ = 0;
};

}  // namespace

BigArray<std::uint32_t> chk_dominators(const ChkGraph& graph, std::uint32_t reached,
                                       Progress& progress, std::uint64_t& rounds) {
  Iteration iteration(graph, reached);
  rounds = 1;
  while (iteration.pass(progress)) {
    ++rounds;
  }
  return iteration.take();
}

ObjectLog objects_by_number(const BigArray<std::uint32_t>& number_of, std::uint32_t reached) {
  BigArray<std::uint32_t> objects(reached + std::uint64_t{1});
  for (std::uint32_t object = 0; object < number_of.size(); ++object) {
    objects[number_of[object]] = object;
  }
  ObjectLog log;
  for (std::uint64_t number = 1; number < objects.size(); ++number) {
    log.append(objects[number]);
  }
  return log;
}

}  // namespace hprof
