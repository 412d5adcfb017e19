#pragma once

#include "common/big_array.h"
#include "common/bit_vector.h"
#include "common/bring_near.h"
#include "common/ranked_bits.h"
#include "common/steps.h"
#include "tools/hprof-domtree/chunked_stack.h"
#include "tools/hprof-domtree/cross_edges.h"
#include "tools/hprof-domtree/object_log.h"
#include "tools/hprof-domtree/parent_log.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace hprof {

/// What a depth-first search from the virtual root (number 0) leaves behind; objects are numbered
/// in preorder.
struct SearchTree {
  explicit SearchTree(std::uint64_t most) : parents(most), cross_edges(most) {}

  ObjectLog objects;  ///< by number, from 1
  ParentLog parents;
  CrossEdges cross_edges;  ///< edges to roots and to oneself, which decide nothing, are left out
  std::uint32_t reached = 0;
  std::uint64_t edges = 0;  ///< edges looked at: all that leave reached objects
  std::uint64_t stack_peak = 0;
};

/// The search itself, with an explicit stack. A node's edges are read ahead to its second unvisited
/// child before the first is entered, so that a node without one needs no stack frame: lists of any
/// length take none. Only joins have a number that can be asked for. Long rows are given back to
/// the graph, if it takes them, while they are read: the log of edges grows into their room.
template <typename Graph>
class DepthFirstSearch {
 public:
  /// `joins` of this graph, see joins.h.
  DepthFirstSearch(Graph& graph, RankedBits joins, Progress& progress)
      : graph_(graph),
        joins_(std::move(joins)),
        number_of_join_(joins_.count()),
        met_(graph.size()),
        progress_(progress),
        tree_(graph.size()) {}

  SearchTree run() {
    for (const auto root : graph_.roots()) {
      number_of_join_[joins_.rank(root)] = kRoot;
      met_.set(root);
    }
    for (const auto root : graph_.roots()) {
      search_from(root);
    }
    for (std::uint32_t i = 0; i < kWaiting; ++i) {
      log({}, kNone);
    }
    tree_.cross_edges.finish();
    tree_.stack_peak = stack_.peak();
    return std::move(tree_);
  }

 private:
  using Cursor = decltype(std::declval<const Graph&>().successors(0U));
  using SavedCursor = decltype(std::declval<const Graph&>().save(std::declval<const Cursor&>()));

  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::uint32_t kRoot = 0xffffffffU;  // stands for a root's number
  static constexpr std::uint32_t kProgressStep = 1U << 18U;
  static constexpr bool kPrefetches = requires(const Graph& graph) { graph.prefetch_row(0U); };
  static constexpr std::uint64_t kManyBytes = 12;  // of coded edges, to make it worth while
  static constexpr bool kGivesBack = requires(Graph & graph, const Cursor& cursor) {
    graph.give_back(cursor, cursor);
  };
  static constexpr std::uint64_t kLongRow = 1U << 17U;  // in bytes
  static constexpr std::uint32_t kMostAhead = 12;
  static constexpr std::uint32_t kWaiting = 16;

  struct Frame {
    SavedCursor edges;  // the next one leads to the child to enter when the one before is done
    std::uint32_t number;
  };

  /// A node whose edges are being looked at.
  struct Node {
    Cursor edges;
    CrossEdges::Source self;
    std::uint32_t distance = 0;  // edges that `ahead` is ahead
    Cursor ahead = {};
  };

  /// A row of many bytes, not read to its end.
  struct LongRow {
    std::uint32_t number;
    Cursor given_back;  // up to here
  };

  /// An edge that is to be logged.
  struct Waiting {
    CrossEdges::Source source = {};
    std::uint32_t target = kNone;  // an object
  };

  void search_from(std::uint32_t root) {
    std::uint32_t object = root;
    std::uint32_t parent = 0;
    while (object != kNone) {
      Node node{.edges = graph_.successors(object), .self = enter(object, parent)};
      look_over(node);
      note_long_row(node);
      object = next_child(node);
      while (object == kNone && !stack_.empty()) {
        const Frame frame = stack_.top();
        stack_.pop();
        node.edges = graph_.restore(frame.edges);
        node.self = {.number = frame.number, .parent = frame.number, .join = true};
        node.distance = 0;
        object = next_child(node);
      }
      if (object != kNone) {
        parent = node.self.number;
        push_if_more(node, object);
      }
    }
  }

  CrossEdges::Source enter(std::uint32_t object, std::uint32_t parent) {
    const std::uint32_t number = ++tree_.reached;
    tree_.objects.append(object);
    tree_.parents.append(number, parent);
    const bool join = joins_.test(object);
    if (join && !met_.test_and_set(object)) {
      number_of_join_[joins_.rank(object)] = number;
    }
    if (number % kProgressStep == 0) {
      progress_.update(number, graph_.size());
    }
    return {.number = number, .parent = parent, .join = join};
  }

  /// The next unvisited target; the edges passed over are logged.
  std::uint32_t next_child(Node& node) {
    std::uint32_t target = 0;
    while (next_target(node, target)) {
      ++tree_.edges;
      if (!met_.test(target)) {
        give_back(node);
        return target;
      }
      log(node.self, target);
    }
    give_back(node);
    return kNone;
  }

  /// Puts the node on the stack if it has an unvisited target besides `first`.
  void push_if_more(Node& node, std::uint32_t first) {
    std::uint32_t target = 0;
    for (Cursor before = node.edges; next_target(node, target); before = node.edges) {
      if (met_.test(target)) {
        log(node.self, target);
      } else if (target != first) {
        stack_.push({graph_.save(before), node.self.number});
        prefetch(target);
        return;
      }
      ++tree_.edges;
    }
    give_back(node);
  }

  void note_long_row(const Node& node) {
    if constexpr (kGivesBack) {
      if (node.edges.bytes_left() >= 2 * kLongRow) {
        long_rows_.push_back({.number = node.self.number, .given_back = node.edges});
      }
    }
  }

  /// Gives back what has been read of the node's row, if it is a long one.
  void give_back(const Node& node) {
    if constexpr (kGivesBack) {
      if (long_rows_.empty() || long_rows_.back().number != node.self.number) {
        return;
      }
      auto& last = long_rows_.back().given_back;
      const bool done = node.edges.bytes_left() == 0;
      if (done || last.bytes_left() - node.edges.bytes_left() >= kLongRow) {
        graph_.give_back(last, node.edges);
        last = node.edges;
      }
      if (done) {
        long_rows_.pop_back();
      }
    }
  }

  /// The edge after the one at hand, while what the edges behind it lead to is asked for.
  bool next_target(Node& node, std::uint32_t& target) const {
    if (!node.edges.next(target)) {
      return false;
    }
    if constexpr (kPrefetches) {
      if (node.edges.bytes_left() >= kManyBytes) {
        run_ahead(node);
      }
    }
    return true;
  }

  /// Asks for what the first of many edges lead to, all at once.
  void look_over(Node& node) const {
    if constexpr (kPrefetches) {
      if (node.edges.bytes_left() < kManyBytes) {
        return;
      }
      node.ahead = node.edges;
      std::uint32_t first = kNone;
      for (std::uint32_t target = 0; node.distance < kMostAhead && node.ahead.next(target);) {
        prefetch_object(target);
        first = node.distance++ == 0 ? target : first;
      }
      graph_.prefetch_row(first);
    }
  }

  void run_ahead(Node& node) const {
    if (node.distance == 0) {
      node.ahead = node.edges;
    } else {
      --node.distance;
    }
    std::uint32_t target = 0;
    for (unsigned i = 0; i < 2 && node.distance < kMostAhead && node.ahead.next(target); ++i) {
      ++node.distance;
      prefetch_object(target);
    }
  }

  void prefetch_object(std::uint32_t object) const {
    met_.prefetch(object);
    joins_.prefetch(object);
    graph_.prefetch_place(object);
  }

  /// `next` is entered when the subtree at hand is done.
  void prefetch(std::uint32_t next) const {
    if constexpr (kPrefetches) {
      graph_.prefetch_row(next);
    }
  }

  /// Logs an edge to a target that was met, after a while: its number is far away.
  void log(const CrossEdges::Source& source, std::uint32_t target) {
    Waiting& last = waiting_[waited_ % kWaiting];
    if (last.target != kNone) {
      settle(last);
    }
    last = {.source = source, .target = target};
    ++waited_;
    const Waiting& middle = waiting_[(waited_ + kWaiting / 2) % kWaiting];
    if (middle.target != kNone) {
      bring_near(&number_of_join_[joins_.rank(middle.target)]);
    }
  }

  void settle(const Waiting& edge) {
    const std::uint32_t number = number_of_join_[joins_.rank(edge.target)];
    if (number != kRoot && number != edge.source.number) {
      tree_.cross_edges.append(edge.source, number);
    }
  }

  Graph& graph_;
  RankedBits joins_;
  BigArray<std::uint32_t> number_of_join_;  // of those that were met
  BitVector met_;                           // roots, and joins that were visited
  std::array<Waiting, kWaiting> waiting_ = {};
  std::uint32_t waited_ = 0;
  Progress& progress_;
  SearchTree tree_;
  ChunkedStack<Frame> stack_;
  std::vector<LongRow> long_rows_;  // of nodes on the way to the one at hand
};

}  // namespace hprof
