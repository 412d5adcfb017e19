#pragma once

#include "common/big_array.h"

#include <cstdint>

namespace hprof {

/// Finds ancestors in a dominator tree that grows by leaves in number order. Plain climbing is
/// fastest on real heaps but quadratic on some graphs; once it has taken more steps than a budget,
/// skip pointers bound every further search by a few times the logarithm of the depth.
class DominatorClimb {
 public:
  /// `idom` is filled by the caller, idom[0] = 0 and others before they are climbed through.
  DominatorClimb(BigArray<std::uint32_t>& idom, std::uint64_t budget)
      : idom_(idom), budget_(budget) {}

  /// Sets idom[node]; nodes come as 1, 2, 3, …
  void add(std::uint32_t node, std::uint32_t dominator) {
    idom_[node] = dominator;
    if (!skip_.empty() && has_skip(node)) {
      add_skip(node);
    }
  }

  /// The nearest of `from` and its dominators with a number ≤ `limit`; all nodes below `next_node`
  /// have been added.
  std::uint32_t first_at_most(std::uint32_t from, std::uint32_t limit, std::uint32_t next_node) {
    if (!skip_.empty()) {
      return skip_to(from, limit);
    }
    while (from > limit) {
      from = idom_[from];
      ++steps_;
    }
    if (steps_ > budget_) [[unlikely]] {
      build_skips(next_node);
    }
    return from;
  }

  std::uint64_t steps() const { return steps_; }
  bool uses_skips() const { return !skip_.empty(); }

 private:
  // One node of every kGroup neighbouring ones has a skip, seemingly at random, so that wherever a
  // climb starts one comes soon; the virtual root is one of them.
  static constexpr std::uint32_t kGroup = 4;
  static constexpr std::uint32_t kHashFactor = 0x9e3779b1U;

  static bool has_skip(std::uint32_t node) {
    return ((node / kGroup) * kHashFactor) >> 30U == node % kGroup;
  }

  void build_skips(std::uint32_t next_node);
  void add_skip(std::uint32_t node);
  std::uint32_t skip_to(std::uint32_t from, std::uint32_t limit);

  BigArray<std::uint32_t>& idom_;
  BigArray<std::uint32_t> skip_;   // per group
  BigArray<std::uint8_t> length_;  // per group k where the skip leads 2^k − 1 skips' nodes up
  std::uint64_t budget_;
  std::uint64_t steps_ = 0;
};

}  // namespace hprof
