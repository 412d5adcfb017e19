#pragma once

#include "tests/unit/hprof-domtree/oracle.h"
#include "tools/hprof-domtree/chk.h"
#include "tools/hprof-domtree/depth_first.h"
#include "tools/hprof-domtree/semi_nca.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace hprof::test {

template <typename Graph>
Dominators run_semi_nca(const Graph& graph,
                        std::uint64_t climb_steps_per_node = kClimbStepsPerNode) {
  Progress silent("", false);
  SemiNcaCounters counters;
  return semi_nca(DepthFirstSearch<Graph>(graph, silent).run(), silent, counters,
                  climb_steps_per_node);
}

template <typename Graph>
Dominators run_chk(const Graph& graph) {
  Progress silent("", false);
  std::uint64_t rounds = 0;
  return chk(graph, silent, rounds);
}

/// Immediate dominators by object, so that results under different numberings can be compared.
inline std::vector<std::uint32_t> by_object(const Dominators& dominators) {
  std::vector<std::uint32_t> object_of(dominators.idom.size());
  for (std::uint32_t object = 0; object < dominators.number_of.size(); ++object) {
    object_of[dominators.number_of[object]] = object;
  }
  std::vector<std::uint32_t> idom;
  for (const auto number : dominators.number_of) {
    const std::uint32_t dominator = number == 0 ? 0 : dominators.idom[number];
    idom.push_back(number == 0      ? kUnreachableOracle
                   : dominator == 0 ? kRootOracle
                                    : object_of[dominator]);
  }
  return idom;
}

}  // namespace hprof::test
