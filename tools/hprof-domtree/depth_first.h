#pragma once

#include "common/big_array.h"
#include "common/bit_vector.h"
#include "common/steps.h"
#include "tools/hprof-domtree/chunked_stack.h"
#include "tools/hprof-domtree/cross_edges.h"
#include "tools/hprof-domtree/parent_log.h"

#include <cstdint>
#include <utility>

namespace hprof {

/// What a depth-first search from the virtual root (number 0) leaves behind; objects are numbered
/// in preorder.
struct SearchTree {
  explicit SearchTree(std::uint64_t objects)
      : number_of(objects, 0U), parents(objects), cross_edges(objects) {}

  BigArray<std::uint32_t> number_of;  ///< per object; 0: not reached
  ParentLog parents;
  CrossEdges cross_edges;  ///< edges to roots and to oneself, which decide nothing, are left out
  std::uint32_t reached = 0;
  std::uint64_t edges =
      0;  ///< edges looked at: all that leave reached objects, class references included
  std::uint64_t stack_peak = 0;
};

/// The search itself, with an explicit stack. A node's edges are read ahead to its second unvisited
/// child before the first is entered, so that a node without one needs no stack frame: lists of any
/// length take none.
template <typename Graph>
class DepthFirstSearch {
 public:
  DepthFirstSearch(const Graph& graph, Progress& progress)
      : graph_(graph),
        progress_(progress),
        tree_(graph.size()),
        root_numbers_(graph.size() + std::uint64_t{1}) {}

  SearchTree run() {
    for (const auto root : graph_.roots()) {
      tree_.number_of[root] = kUnenteredRoot;
    }
    for (const auto root : graph_.roots()) {
      root_numbers_.set(tree_.reached + std::uint64_t{1});
      search_from(root);
    }
    tree_.cross_edges.finish();
    tree_.stack_peak = stack_.peak();
    return std::move(tree_);
  }

 private:
  using Cursor = decltype(std::declval<const Graph&>().successors(0U));

  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::uint32_t kUnenteredRoot = 0xffffffffU;
  static constexpr std::uint32_t kProgressStep = 1U << 18U;

  struct Frame {
    Cursor edges;
    std::uint32_t number;
    std::uint32_t second;  // the child to enter when the first one's subtree is done
  };

  void search_from(std::uint32_t root) {
    std::uint32_t object = root;
    std::uint32_t parent = 0;
    while (object != kNone) {
      Frame frame{graph_.successors(object), enter(object, parent), kNone};
      object = next_child(frame, parent, kNone);
      while (object == kNone && !stack_.empty()) {
        frame = stack_.top();
        stack_.pop();
        parent = frame.number;
        object = resume(frame);
      }
      if (object != kNone) {
        frame.second = next_child(frame, parent, object);
        parent = frame.number;
        if (frame.second != kNone) {
          stack_.push(frame);
        }
      }
    }
  }

  std::uint32_t enter(std::uint32_t object, std::uint32_t parent) {
    const std::uint32_t number = ++tree_.reached;
    tree_.number_of[object] = number;
    tree_.parents.append(number, parent);
    if (number % kProgressStep == 0) {
      progress_.update(number, graph_.size());
    }
    return number;
  }

  // The next unvisited target other than `first`; the edges passed over are logged.
  std::uint32_t next_child(Frame& frame, std::uint32_t parent, std::uint32_t first) {
    std::uint32_t target = 0;
    while (frame.edges.next(target)) {
      ++tree_.edges;
      const std::uint32_t number = tree_.number_of[target];
      if (number != 0) {
        log(frame.number, number, parent);
      } else if (target != first) {
        return target;
      }
    }
    return kNone;
  }

  std::uint32_t resume(Frame& frame) {
    const std::uint32_t number = tree_.number_of[frame.second];
    if (number == 0) {
      return frame.second;
    }
    log(frame.number, number, frame.number);
    return next_child(frame, frame.number, kNone);
  }

  void log(std::uint32_t source, std::uint32_t target, std::uint32_t parent) {
    if (target != kUnenteredRoot && target != source && !root_numbers_.test(target)) {
      tree_.cross_edges.append(source, target, parent);
    }
  }

  const Graph& graph_;
  Progress& progress_;
  SearchTree tree_;
  BitVector root_numbers_;
  ChunkedStack<Frame> stack_;
};

}  // namespace hprof
