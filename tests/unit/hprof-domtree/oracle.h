#pragma once

#include "tests/unit/hprof-domtree/adjacency_graph.h"

#include <cstdint>
#include <vector>

namespace hprof::test {

/// Stands for the virtual root and for "no dominator" in lists of dominators by object.
inline constexpr std::uint32_t kRootOracle = 0xfffffffeU;
inline constexpr std::uint32_t kUnreachableOracle = 0xffffffffU;

/// Dominance by definition: remove a node, search, see what is no longer reached.
class Oracle {
 public:
  explicit Oracle(const AdjacencyGraph& graph);

  bool reachable(std::uint32_t object) const { return reachable_[object]; }
  /// Whether every way from the roots to `object` leads through `dominator` (which may be the
  /// object itself).
  bool dominates(std::uint32_t dominator, std::uint32_t object) const {
    return lost_[dominator][object];
  }
  /// Immediate dominator per object.
  std::vector<std::uint32_t> immediate() const;
  /// Sum of `shallow` over what is lost with the object.
  std::uint64_t retained(std::uint32_t object, const std::vector<std::uint64_t>& shallow) const;

 private:
  std::vector<bool> reachable_;
  std::vector<std::vector<bool>>
      lost_;  // [removed][object]: reachable only while `removed` is there
};

}  // namespace hprof::test
