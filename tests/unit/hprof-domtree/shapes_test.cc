// Shapes that break recursion or turn careless algorithms quadratic. Millions of nodes: what is not
// linear does not come back, and what recurses does not survive the small stack.
#include "tests/unit/hprof-domtree/algorithms.h"

#include <doctest/doctest.h>

#include <functional>
#include <pthread.h>

using namespace hprof;
using namespace hprof::test;

namespace {

/// A graph whose edges are computed: target number k of node v, or none.
struct ComputedGraph {
  using Edge = std::uint32_t (*)(std::uint32_t node, std::uint32_t k, std::uint32_t size);
  static constexpr std::uint32_t kEnd = 0xffffffffU;

  struct Cursor {
    bool next(std::uint32_t& target) {
      target = edge(node, k++, size);
      return target != kEnd;
    }
    Edge edge;
    std::uint32_t node;
    std::uint32_t k;
    std::uint32_t size;
  };

  std::uint32_t size() const { return nodes; }
  std::span<const std::uint32_t> roots() const { return root_list; }
  Cursor successors(std::uint32_t node) const { return {edge, node, 0, nodes}; }
  static Cursor save(const Cursor& cursor) { return cursor; }
  static Cursor restore(const Cursor& cursor) { return cursor; }

  std::uint32_t nodes;
  Edge edge;
  std::vector<std::uint32_t> root_list{0};
};

constexpr std::uint32_t kEnd = ComputedGraph::kEnd;

std::uint32_t chain(std::uint32_t node, std::uint32_t k, std::uint32_t size) {
  return k == 0 && node + 1 < size ? node + 1 : kEnd;
}

// Node 1 is the class of all others, referenced first; every element references both neighbours.
std::uint32_t doubly_linked_list(std::uint32_t node, std::uint32_t k, std::uint32_t size) {
  switch (k) {
    case 0:
      return 1;
    case 1:
      return node == 1 ? kEnd : node == 0 ? 2 : std::min(node + 1, size - 1);
    case 2:
      return node < 3 ? kEnd : node - 1;
    default:
      return kEnd;
  }
}

std::uint32_t star(std::uint32_t node, std::uint32_t k, std::uint32_t size) {
  if (node == 0) {
    return k + 2 < size ? k + 2 : kEnd;
  }
  return node != 1 && k == 0 ? 1 : kEnd;
}

/// Runs `work` on a thread with 256 KiB of stack.
void with_small_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, 256U << 10U) == 0);
  pthread_t thread{};
  const auto start = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, start, const_cast<std::function<void()>*>(&work)) ==
          0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

template <typename Expected>
void check_dominators(const Found& found, Expected&& expected) {
  const auto idom = by_object(found);
  std::uint64_t wrong = 0;
  for (std::uint32_t node = 0; node < idom.size(); ++node) {
    wrong += idom[node] != expected(node) ? 1 : 0;
  }
  CHECK(wrong == 0);
}

std::uint32_t chain_dominator(std::uint32_t node) {
  return node == 0 ? kRootOracle : node - 1;
}

std::uint32_t list_dominator(std::uint32_t node) {
  return node == 0 ? kRootOracle : node <= 2 ? 0 : node - 1;
}

std::uint32_t star_dominator(std::uint32_t node) {
  return node == 0 ? kRootOracle : 0;
}

}  // namespace

TEST_CASE("a chain of five million objects takes no stack") {
  const ComputedGraph graph{5'000'000, chain};
  with_small_stack([&] {
    check_dominators(run_semi_nca(graph), chain_dominator);
    check_dominators(run_chk(graph), chain_dominator);
  });
}

TEST_CASE("a doubly linked list of two million elements with their class is linear work") {
  const ComputedGraph graph{2'000'000, doubly_linked_list};
  with_small_stack([&] {
    check_dominators(run_semi_nca(graph), list_dominator);
    check_dominators(run_chk(graph), list_dominator);
  });
}

TEST_CASE("a doubly linked list needs no frames in the search and one logged edge for its class") {
  const ComputedGraph graph{100'000, doubly_linked_list};
  const auto tree = search(graph);
  CHECK(tree.reached == 100'000);
  CHECK(tree.stack_peak <= 1);
  CHECK(tree.cross_edges.edges() <= 101'000);
}

TEST_CASE("an object that two million others reference is linear work") {
  const ComputedGraph graph{2'000'000, star};
  check_dominators(run_semi_nca(graph), star_dominator);
  check_dominators(run_chk(graph), star_dominator);
}

TEST_CASE("plain climbing on a fan above a chain would be quadratic; skip pointers bound it") {
  // Every climb from the chain's end passes its second half.
  constexpr std::uint32_t kHalf = 300'000;
  Progress silent("", false);
  AdjacencyGraph built(2 * kHalf);
  for (std::uint32_t i = 0; i + 1 < kHalf; ++i) {
    built.add_edge(i, i + 1);
  }
  for (std::uint32_t i = 0; i < kHalf; ++i) {
    built.add_edge(kHalf - 1, kHalf + i);          // children of the chain's end …
    built.add_edge(kHalf / 2 - i / 2, kHalf + i);  // … that its first half references too
  }
  built.set_roots({0});
  SemiNcaCounters counters;
  const auto idom = by_object({semi_nca(search(built), silent, counters), built.size()});
  CHECK(counters.skip_pointers);
  CHECK(counters.climb_steps < std::uint64_t{100} * 2 * kHalf);
  std::uint64_t wrong = 0;
  for (std::uint32_t i = 0; i < kHalf; ++i) {
    wrong += idom[kHalf + i] != kHalf / 2 - i / 2 ? 1 : 0;
  }
  CHECK(wrong == 0);
}
