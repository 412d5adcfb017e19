#include "tools/hprof-report/components/retained_sets.h"

#include "heap_fixture.h"
#include "tests/support/files.h"
#include "tools/hprof-report/components/set_scan.h"
#include "tools/hprof-report/dominators/topmost.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hprof {
namespace {

using test::HeapFixture;
using test::TempFolder;

constexpr std::uint64_t kFirst = 0x1000;

/// A graph of instances with what the definition needs.
struct Example {
  std::uint32_t size = 0;
  std::vector<std::vector<std::uint32_t>> references;
  std::set<std::pair<std::uint32_t, std::uint32_t>> excluded;  // object, position
  std::vector<std::uint32_t> roots;
  std::vector<RetainedSets::Sets> members;
};

Example random_example(std::mt19937& random) {
  const auto below = [&](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  Example out;
  out.size = 2 + below(14);
  out.references.resize(out.size);
  out.members.resize(out.size);
  for (std::uint32_t i = 0; i < out.size; ++i) {
    for (auto count = below(4); count != 0; --count) {
      if (below(5) == 0) {
        out.excluded.emplace(i, static_cast<std::uint32_t>(out.references[i].size()));
      }
      out.references[i].push_back(below(out.size));
    }
    out.members[i] = static_cast<RetainedSets::Sets>(below(3) == 0 ? 1U << below(8) : 0U);
    if (below(5) == 0) {
      out.roots.push_back(i);
    }
  }
  return out;
}

/// Marks what `start` leads to without entering what is marked already.
void mark(const Example& graph, const std::vector<std::uint32_t>& start, bool follow_excluded,
          std::vector<bool>& marked) {
  std::vector<std::uint32_t> stack;
  const auto enter = [&](std::uint32_t object) {
    if (!marked[object]) {
      marked[object] = true;
      stack.push_back(object);
    }
  };
  for (const auto object : start) {
    enter(object);
  }
  while (!stack.empty()) {
    const auto object = stack.back();
    stack.pop_back();
    for (std::uint32_t i = 0; i < graph.references[object].size(); ++i) {
      if (follow_excluded || !graph.excluded.contains({object, i})) {
        enter(graph.references[object][i]);
      }
    }
  }
}

/// By the definition: what the members lead to, without what the roots do when no member may be
/// entered.
std::vector<bool> retained(const Example& graph, unsigned set) {
  std::vector<std::uint32_t> members;
  std::vector<bool> by_roots(graph.size);
  for (std::uint32_t i = 0; i < graph.size; ++i) {
    if ((graph.members[i] >> set & 1U) != 0) {
      members.push_back(i);
      by_roots[i] = true;
    }
  }
  mark(graph, graph.roots, false, by_roots);
  for (const auto member : members) {
    by_roots[member] = false;
  }
  auto marked = by_roots;
  mark(graph, members, true, marked);
  for (std::uint32_t i = 0; i < graph.size; ++i) {
    marked[i] = marked[i] && !by_roots[i];
  }
  return marked;
}

constexpr auto address(std::uint32_t i) {
  return kFirst + 0x10 * i;
}

HeapFixture::Paths write(const Example& example, const TempFolder& folder) {
  HeapFixture heap;
  heap.add_class(0x900, "demo.Node");
  for (std::uint32_t i = 0; i < example.size; ++i) {
    std::vector<std::uint64_t> references;
    for (const auto target : example.references[i]) {
      references.push_back(address(target));
    }
    heap.add(address(i), "demo.Node", references);
  }
  for (const auto& [object, position] : example.excluded) {
    heap.exclude(address(object), position);
  }
  for (const auto root : example.roots) {
    heap.root(address(root), 0x01);
  }
  return heap.write(folder / "x");
}

TEST_CASE("retained sets are what the definition says, eight at a time, on random graphs") {
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    const auto example = random_example(random);
    const TempFolder folder;
    const auto paths = write(example, folder);
    const ReferenceGraph graph(GraphFile(paths.graph), ReferenceGraph::Excluded::skip);
    const auto first = static_cast<std::uint32_t>(graph.size() - example.size);
    const RetainedSets sets(graph, [&](std::uint32_t object) {
      return object < first ? RetainedSets::Sets{0} : example.members[object - first];
    });
    for (unsigned set = 0; set < RetainedSets::kMost; ++set) {
      const auto expected = retained(example, set);
      for (std::uint32_t i = 0; i < example.size; ++i) {
        REQUIRE((sets.of(first + i) >> set & 1U) == (expected[i] ? 1U : 0U));
      }
    }
  }
}

/// What a SetScan wants to know of an example, by the definitions.
struct ScannedExample {
  ScannedExample(Example& example, const HeapFixture::Paths& paths)
      : heap(HeapFiles::open(paths.index, paths.graph, paths.domtree)),
        first(static_cast<std::uint32_t>(heap.objects() - example.size)),
        top_level(heap.objects()),
        weakly_held(heap.objects()) {
    heap.load_dominators();
    for (std::uint32_t i = 0; i < heap.objects(); ++i) {
      if (heap.dominators()[i] == kVirtualRoot) {
        top_level.set(i);
      }
    }
    top_level.finish();
    std::vector<bool> strong(example.size);
    std::vector<bool> reachable(example.size);
    mark(example, example.roots, false, strong);
    mark(example, example.roots, true, reachable);
    for (std::uint32_t i = 0; i < example.size; ++i) {
      if (reachable[i] && !strong[i]) {
        weakly_held.set(first + i);
      }
      if (!top_level.test(first + i)) {
        example.members[i] = 0;
      }
    }
    for (const auto& [object, position] : example.excluded) {
      excluded.add({.source = first + object, .ordinal = position, .strength = Strength::weak});
    }
    tops = topmost_objects(heap.take_dominators(), top_level);
  }

  Heap heap;
  std::uint32_t first;
  RankedBits top_level;
  BitVector weakly_held;
  ReferentLog excluded;
  BigArray<std::uint32_t> tops;
};

TEST_CASE("a scan finds the sets of top-level objects, reading again where it must") {
  std::mt19937 random(4);
  for (int round = 0; round < 600; ++round) {
    auto example = random_example(random);
    const TempFolder folder;
    ScannedExample input(example, write(example, folder));
    SetScan scan({input.heap, input.tops, input.top_level, input.weakly_held, input.excluded},
                 [&](std::uint32_t object) {
                   return object < input.first ? RetainedSets::Sets{0}
                                               : example.members[object - input.first];
                 });
    REQUIRE(scan.run());
    const RetainedSets sets(scan.take());
    for (unsigned set = 0; set < RetainedSets::kMost; ++set) {
      const auto expected = retained(example, set);
      for (std::uint32_t i = 0; i < example.size; ++i) {
        REQUIRE((sets.of(input.first + i) >> set & 1U) == (expected[i] ? 1U : 0U));
      }
    }
  }
}

TEST_CASE("a scan gives up where one top-level object after the other would take a reading each") {
  constexpr std::uint32_t kLength = 60;  // each held by the next one and by a root of its own path
  Example example;
  example.size = 2 * kLength;
  example.references.resize(example.size);
  example.members.assign(example.size, 0);
  for (std::uint32_t i = 0; i + 1 < kLength; ++i) {
    example.references[i + 1] = {i, i};
    example.references[kLength + i] = {i};
    example.roots.push_back(kLength + i);
    example.members[kLength + i] = 1;
  }
  example.roots.push_back(kLength - 1);
  const TempFolder folder;
  ScannedExample input(example, write(example, folder));
  SetScan scan({input.heap, input.tops, input.top_level, input.weakly_held, input.excluded},
               [&](std::uint32_t object) {
                 return object < input.first ? RetainedSets::Sets{0}
                                             : example.members[object - input.first];
               });
  CHECK_FALSE(scan.run());
}

}  // namespace
}  // namespace hprof
