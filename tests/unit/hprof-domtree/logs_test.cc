// What the stage writes down in compact form comes back as it went in.
#include "tools/hprof-domtree/chunked_stack.h"
#include "tools/hprof-domtree/cross_edges.h"
#include "tools/hprof-domtree/narrow_column.h"
#include "tools/hprof-domtree/object_log.h"
#include "tools/hprof-domtree/parent_log.h"
#include "tools/hprof-domtree/ranked_bits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace hprof;

namespace {

std::vector<std::uint32_t> sorted_sources(CrossEdges::Reader& reader, std::uint32_t target) {
  const auto span = reader.sources(target);
  std::vector<std::uint32_t> sources(span.begin(), span.end());
  std::sort(sources.begin(), sources.end());
  return sources;
}

}  // namespace

TEST_CASE("cross edges come back by target, over many buckets and pages") {
  constexpr std::uint32_t kNodes = 300'000;
  std::mt19937 random(1);
  CrossEdges edges(kNodes);
  std::vector<std::vector<std::uint32_t>> expected(kNodes + 1);
  for (std::uint32_t i = 0; i < 500'000; ++i) {
    const auto source = static_cast<std::uint32_t>(1 + random() % kNodes);
    const auto target = static_cast<std::uint32_t>(1 + random() % kNodes);
    edges.append(source, target, source);
    expected[target].push_back(source);
  }
  edges.finish();
  CrossEdges::Reader reader(edges);
  std::uint64_t wrong = 0;
  for (std::uint32_t target = kNodes; target > 0; --target) {
    std::sort(expected[target].begin(), expected[target].end());
    auto found = sorted_sources(reader, target);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    expected[target].erase(std::unique(expected[target].begin(), expected[target].end()),
                           expected[target].end());
    wrong += found != expected[target] ? 1 : 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("targets without edges may be passed over") {
  CrossEdges edges(200'000);
  edges.append(5, 3, 5);
  edges.finish();
  CrossEdges::Reader reader(edges);
  CHECK(reader.sources(190'000).empty());
  CHECK(sorted_sources(reader, 3) == std::vector<std::uint32_t>{5});
}

TEST_CASE("of a node's and its child's edge to one target the deciding one is kept") {
  CrossEdges edges(100);
  edges.append(20, 10, 19);
  edges.append(21, 10, 20);  // both sources above the target: the child's
  edges.append(30, 40, 29);
  edges.append(31, 40, 30);  // both below: the node's
  edges.append(49, 50, 48);
  edges.append(51, 50, 49);  // on either side: the child's
  edges.append(60, 61, 60);
  edges.append(60, 61, 60);  // the same edge again
  edges.append(70, 5, 69);
  edges.append(72, 5, 71);  // not its child: both
  edges.finish();
  CHECK(edges.edges() == 6);
  CrossEdges::Reader reader(edges);
  CHECK(sorted_sources(reader, 61) == std::vector<std::uint32_t>{60});
  CHECK(sorted_sources(reader, 50) == std::vector<std::uint32_t>{51});
  CHECK(sorted_sources(reader, 40) == std::vector<std::uint32_t>{30});
  CHECK(sorted_sources(reader, 10) == std::vector<std::uint32_t>{21});
  CHECK(sorted_sources(reader, 5) == std::vector<std::uint32_t>{70, 72});
}

TEST_CASE("parents come back in order, near and far") {
  std::mt19937 random(2);
  std::vector<std::uint32_t> expected;
  ParentLog parents(100'000);
  for (std::uint32_t node = 1; node <= 100'000; ++node) {
    expected.push_back(random() % 2 == 0 ? node - 1 : static_cast<std::uint32_t>(random() % node));
    parents.append(node, expected.back());
  }
  ParentLog::Reader reader(parents);
  std::vector<std::uint32_t> found;
  for (std::uint32_t node = 1; node <= 100'000; ++node) {
    found.push_back(reader.next());
  }
  CHECK(found == expected);
}

TEST_CASE("a chunked stack is last in, first out over chunk borders") {
  ChunkedStack<std::uint32_t> stack;
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    stack.push(i);
  }
  bool right = true;
  for (std::uint32_t i = 50'000; i > 20'000; --i) {
    right = right && stack.top() == i - 1;
    stack.pop();
  }
  stack.push(7);
  right = right && stack.top() == 7 && stack.size() == 20'001 && stack.peak() == 50'000;
  stack.pop();
  for (std::uint32_t i = 20'000; i > 0; --i) {
    right = right && stack.top() == i - 1;
    stack.pop();
  }
  CHECK(right);
  CHECK(stack.empty());
}

TEST_CASE("a narrow column keeps every number, few or many") {
  for (const std::uint32_t limit : {3U, 0x10000U, 0x10001U, 0xfffffffeU}) {
    NarrowColumn column(3, limit);
    column.set(1, limit - 1);
    column.set(2, 0);
    CHECK(column[1] == limit - 1);
    CHECK(column[2] == 0);
  }
}

TEST_CASE("objects come back in order, near and far") {
  std::mt19937 random(3);
  std::vector<std::uint32_t> expected{0xfffffffdU, 0, 0xfffffffdU, 0xfffffffdU};
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    expected.push_back(random() % 2 == 0 ? static_cast<std::uint32_t>(random()) : i);
  }
  ObjectLog log;
  for (const auto object : expected) {
    log.append(object);
  }
  ObjectLog::Reader reader(log);
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    found.push_back(reader.next());
  }
  CHECK(found == expected);
}

TEST_CASE("ranked bits count what is set before each of them") {
  std::mt19937 random(4);
  for (const std::uint32_t size : {0U, 1U, 63U, 64U, 65U, 10'000U}) {
    RankedBits bits(size);
    std::vector<bool> expected(size);
    for (std::uint32_t i = 0; i < size / 3; ++i) {
      const auto index = static_cast<std::uint32_t>(random() % size);
      bits.set(index);
      expected[index] = true;
    }
    bits.finish();
    std::uint64_t rank = 0;
    std::uint64_t wrong = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      wrong += bits.rank(i) != rank || bits.test(i) != expected[i] ? 1 : 0;
      rank += expected[i] ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(bits.count() == rank);
  }
}
