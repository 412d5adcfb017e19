#pragma once

#include "common/big_array.h"
#include "common/steps.h"
#include "tools/hprof-domtree/chunked_stack.h"
#include "tools/hprof-domtree/dominators.h"

#include <cstdint>
#include <utility>

namespace hprof {

/// Cooper, Harvey and Kennedy's iteration over predecessors numbered in reverse postorder, until
/// nothing changes. Shares nothing with SEMI-NCA, so that the two check each other; slower and
/// larger (4 bytes per edge).
struct ChkGraph {
  BigArray<std::uint32_t>
      number_of;  ///< per object: reverse postorder, virtual root 0; 0: unreachable
  BigArray<std::uint64_t> starts;        ///< per number: where its predecessors begin
  BigArray<std::uint32_t> predecessors;  ///< numbers
};

/// Iterates to the fixed point; `rounds` receives the number of passes over all nodes.
BigArray<std::uint32_t> chk_dominators(const ChkGraph& graph, std::uint32_t reached,
                                       Progress& progress, std::uint64_t& rounds);

/// The inverse of ChkGraph::number_of, from number 1.
ObjectLog objects_by_number(const BigArray<std::uint32_t>& number_of, std::uint32_t reached);

/// Numbers a graph's reachable objects and inverts its edges for chk_dominators().
template <typename Graph>
class ChkBuilder {
 public:
  explicit ChkBuilder(const Graph& graph) : graph_(graph) {}

  ChkGraph build() {
    number();
    invert();
    return std::move(result_);
  }
  std::uint32_t reached() const { return reached_; }

 private:
  using Cursor = decltype(std::declval<const Graph&>().successors(0U));
  struct Frame {
    Cursor edges;
    std::uint32_t object;
  };

  // Postorder numbers from 1 first; a node on the stack has kOpen.
  void number() {
    result_.number_of = BigArray<std::uint32_t>(graph_.size(), 0U);
    const auto roots = graph_.roots();
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
      visit(*root);
    }
    for (auto& number : result_.number_of) {
      number = number == 0 ? 0 : reached_ + 1 - number;
    }
  }

  void visit(std::uint32_t object) {
    open(object);
    while (!stack_.empty()) {
      auto& frame = stack_.top();
      std::uint32_t target = 0;
      if (frame.edges.next(target)) {
        open(target);
      } else {
        result_.number_of[frame.object] = ++reached_;
        stack_.pop();
      }
    }
  }

  void open(std::uint32_t object) {
    auto& number = result_.number_of[object];
    if (number == 0) {
      number = kOpen;
      stack_.push({graph_.successors(object), object});
    }
  }

  template <typename Visit>
  void for_each_edge(Visit&& visit_edge) const {
    for (const auto root : graph_.roots()) {
      visit_edge(0U, result_.number_of[root]);
    }
    for (std::uint32_t object = 0; object < graph_.size(); ++object) {
      const std::uint32_t source = result_.number_of[object];
      if (source != 0) {
        auto edges = graph_.successors(object);
        for (std::uint32_t target = 0; edges.next(target);) {
          visit_edge(source, result_.number_of[target]);
        }
      }
    }
  }

  void invert() {
    auto& starts = result_.starts;
    starts = BigArray<std::uint64_t>(reached_ + std::uint64_t{3}, 0U);
    for_each_edge(
        [&](std::uint32_t, std::uint32_t target) { ++starts[target + std::uint64_t{2}]; });
    for (std::uint64_t i = 1; i < starts.size(); ++i) {
      starts[i] += starts[i - 1];
    }
    result_.predecessors = BigArray<std::uint32_t>(starts[starts.size() - 1]);
    for_each_edge([&](std::uint32_t source, std::uint32_t target) {
      result_.predecessors[starts[target + std::uint64_t{1}]++] = source;
    });
  }

  static constexpr std::uint32_t kOpen = 0xffffffffU;

  const Graph& graph_;
  ChkGraph result_;
  ChunkedStack<Frame> stack_;
  std::uint32_t reached_ = 0;
};

/// The whole of it.
template <typename Graph>
DominatorNumbers chk(const Graph& graph, Progress& progress, std::uint64_t& rounds) {
  ChkBuilder<Graph> builder(graph);
  ChkGraph numbered = builder.build();
  auto idom = chk_dominators(numbered, builder.reached(), progress, rounds);
  return {.objects = objects_by_number(numbered.number_of, builder.reached()),
          .idom = std::move(idom)};
}

}  // namespace hprof
