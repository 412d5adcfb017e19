#pragma once

#include "tests/unit/hprof-domtree/oracle.h"
#include "tools/hprof-domtree/chk.h"
#include "tools/hprof-domtree/depth_first.h"
#include "tools/hprof-domtree/joins.h"
#include "tools/hprof-domtree/semi_nca.h"

#include <cstdint>
#include <vector>

namespace hprof::test {

/// Dominators of a graph of so many objects.
struct Found {
  DominatorNumbers dominators;
  std::uint32_t objects;

  std::uint32_t reached() const { return dominators.reached(); }
};

template <typename Graph>
SearchTree search(const Graph& graph) {
  Progress silent("", false);
  return DepthFirstSearch<const Graph>(graph, find_joins(graph), silent).run();
}

template <typename Graph>
Found run_semi_nca(const Graph& graph, std::uint64_t climb_steps_per_node = kClimbStepsPerNode) {
  Progress silent("", false);
  SemiNcaCounters counters;
  return {semi_nca(search(graph), silent, counters, climb_steps_per_node), graph.size()};
}

template <typename Graph>
Found run_chk(const Graph& graph) {
  Progress silent("", false);
  std::uint64_t rounds = 0;
  return {chk(graph, silent, rounds), graph.size()};
}

/// Immediate dominators by object, so that results under different numberings can be compared.
inline std::vector<std::uint32_t> by_object(const Found& found) {
  const auto& [objects, numbers] = found.dominators;
  std::vector<std::uint32_t> object_of(numbers.size());
  ObjectLog::Reader reader(objects);
  for (std::uint64_t number = 1; number < numbers.size(); ++number) {
    object_of[number] = reader.next();
  }
  std::vector<std::uint32_t> idom(found.objects, kUnreachableOracle);
  for (std::uint64_t number = 1; number < numbers.size(); ++number) {
    idom[object_of[number]] = numbers[number] == 0 ? kRootOracle : object_of[numbers[number]];
  }
  return idom;
}

}  // namespace hprof::test
