#include "tests/unit/hprof-domtree/algorithms.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::test;

namespace {

constexpr std::uint32_t kSeeds = 600;

// Splits into parts that a test can name: which algorithm, which graph.
void check_all_algorithms(const AdjacencyGraph& graph) {
  const std::string text = graph.text();
  CAPTURE(text);
  const auto expected = Oracle(graph).immediate();
  REQUIRE(by_object(run_semi_nca(graph)) == expected);
  REQUIRE(by_object(run_semi_nca(graph, 0)) == expected);
  REQUIRE(by_object(run_chk(graph)) == expected);
}

}  // namespace

TEST_CASE("all algorithms agree with removing each node and searching, on graphs of every shape") {
  for (unsigned shape = 0; shape < kShapes; ++shape) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      check_all_algorithms(random_graph(shape, seed));
    }
  }
}

TEST_CASE("a root's dominator is the virtual root, whatever else references it") {
  AdjacencyGraph graph(3);
  graph.add_edge(0, 1);
  graph.add_edge(1, 2);
  graph.add_edge(2, 0);
  graph.set_roots({0, 2});
  const std::vector<std::uint32_t> expected{kRootOracle, 0, kRootOracle};
  CHECK(by_object(run_semi_nca(graph)) == expected);
  CHECK(by_object(run_chk(graph)) == expected);
}

TEST_CASE("without roots nothing is reachable") {
  AdjacencyGraph graph(2);
  graph.add_edge(0, 1);
  CHECK(by_object(run_semi_nca(graph)) == std::vector(2, kUnreachableOracle));
  CHECK(by_object(run_chk(graph)) == std::vector(2, kUnreachableOracle));
}

TEST_CASE("an empty heap has an empty tree") {
  const AdjacencyGraph graph(0);
  CHECK(run_semi_nca(graph).reached() == 0);
  CHECK(run_chk(graph).reached() == 0);
}

TEST_CASE("the algorithms agree on large random graphs, where brute force is out of reach") {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    std::mt19937 random(seed);
    AdjacencyGraph graph(200'000);
    for (std::uint32_t i = 0; i < graph.size() * 3 / 2; ++i) {
      graph.add_edge(static_cast<std::uint32_t>(random() % graph.size()),
                     static_cast<std::uint32_t>(random() % graph.size()));
    }
    for (std::uint32_t i = 1; i < graph.size(); ++i) {
      graph.add_edge(i, i % 7);
      graph.add_edge(i - 1 - static_cast<std::uint32_t>(random() % std::min(i, 50U)), i);
    }
    graph.set_roots({7, 100});
    const auto expected = by_object(run_chk(graph));
    CHECK(by_object(run_semi_nca(graph)) == expected);
    CHECK(by_object(run_semi_nca(graph, 0)) == expected);
  }
}
