#pragma once

#include "common/bit_vector.h"
#include "common/ranked_bits.h"

#include <cstdint>

namespace hprof {

/// Finds the joins: roots, and objects with more than one edge to them, parallel and own ones and
/// those of unreachable objects included. Only a join can be met twice by a search, so only joins
/// need to be told from objects not met yet.
class JoinCounter {
 public:
  explicit JoinCounter(std::uint64_t objects) : met_(objects), joins_(objects) {}

  void add_edge_to(std::uint32_t target) {
    if (met_.test_and_set(target)) {
      joins_.set(target);
    }
  }
  /// Hints that an edge to `target` will be added soon.
  void prefetch(std::uint32_t target) const {
    met_.prefetch(target);
    joins_.prefetch(target);
  }
  /// Takes an object for a join, whatever its edges.
  void add_join(std::uint32_t object) { joins_.set(object); }

  /// The joins; the counter is used up.
  RankedBits take() {
    joins_.finish();
    return std::move(joins_);
  }

 private:
  BitVector met_;
  RankedBits joins_;
};

/// The joins of any graph.
template <typename Graph>
RankedBits find_joins(const Graph& graph) {
  JoinCounter joins(graph.size());
  for (std::uint32_t object = 0; object < graph.size(); ++object) {
    auto edges = graph.successors(object);
    for (std::uint32_t target = 0; edges.next(target);) {
      joins.add_edge_to(target);
    }
  }
  for (const auto root : graph.roots()) {
    joins.add_join(root);
  }
  return joins.take();
}

}  // namespace hprof
