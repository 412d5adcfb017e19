// What the stage writes down in compact form comes back as it went in.
#include "common/ranked_bits.h"
#include "tools/hprof-domtree/chunked_stack.h"
#include "tools/hprof-domtree/cross_edges.h"
#include "tools/hprof-domtree/narrow_column.h"
#include "tools/hprof-domtree/object_log.h"
#include "tools/hprof-domtree/parent_log.h"

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
    edges.append({source, source, true}, target);
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
  edges.append({5, 5, true}, 3);
  edges.finish();
  CrossEdges::Reader reader(edges);
  CHECK(reader.sources(190'000).empty());
  CHECK(sorted_sources(reader, 3) == std::vector<std::uint32_t>{5});
}

TEST_CASE("of a node's and its child's edge to one distant target the deciding one is kept") {
  CrossEdges edges(10'000);
  edges.append({2000, 1999, true}, 1000);
  edges.append({2001, 2000, true}, 1000);  // both sources above the target: the child's
  edges.append({3000, 2999, true}, 4000);
  edges.append({3001, 3000, true}, 4000);  // both below: the node's
  edges.append({4900, 4899, true}, 5000);
  edges.append({5100, 4900, true}, 5000);  // on either side: the child's
  edges.append({6000, 6000, true}, 6100);
  edges.append({6000, 6000, true}, 6100);  // the same edge again
  edges.append({7000, 6999, true}, 500);
  edges.append({7002, 7001, true}, 500);  // not its child: both
  edges.finish();
  CHECK(edges.edges() == 6);
  CrossEdges::Reader reader(edges);
  CHECK(sorted_sources(reader, 6100) == std::vector<std::uint32_t>{6000});
  CHECK(sorted_sources(reader, 5000) == std::vector<std::uint32_t>{5100});
  CHECK(sorted_sources(reader, 4000) == std::vector<std::uint32_t>{3000});
  CHECK(sorted_sources(reader, 1000) == std::vector<std::uint32_t>{2001});
  CHECK(sorted_sources(reader, 500) == std::vector<std::uint32_t>{7000, 7002});
}

TEST_CASE("a node with one referrer adds nothing to a sibling's edge, nor by one to its parent") {
  CrossEdges edges(10'000);
  edges.append({2001, 2000, true}, 1000);
  edges.append({2002, 2000, false}, 1000);  // counts as 2000 does, and 2001 is not worse
  edges.append({2003, 2000, true}, 1000);   // may have a lower semidominator
  edges.append({2005, 2004, false}, 1000);  // no sibling
  edges.append({3001, 3000, false}, 5000);
  edges.append({3002, 3000, false}, 5000);  // from ancestors of the target: both
  edges.append({7500, 7000, false}, 7000);  // to its parent
  edges.append({7501, 7000, true}, 7000);   // to its parent, but the node has other referrers
  edges.finish();
  CHECK(edges.edges() == 6);
  CrossEdges::Reader reader(edges);
  CHECK(sorted_sources(reader, 7000) == std::vector<std::uint32_t>{7501});
  CHECK(sorted_sources(reader, 5000) == std::vector<std::uint32_t>{3001, 3002});
  CHECK(sorted_sources(reader, 1000) == std::vector<std::uint32_t>{2001, 2003, 2005});
}

TEST_CASE("edges from near above stay in order and come back, whatever lies between them") {
  CrossEdges edges(1'000'000);
  for (std::uint32_t node = 2; node < 200'000; ++node) {
    edges.append({node, node - 1, true}, node - 1 - node % 2);
    if (node % 3 == 0) {
      edges.append({node, node - 1, true}, 150'000);
    }
    if (node % 5 == 0) {
      edges.append({900'000 - node, 1, true}, node);
    }
  }
  edges.finish();
  CHECK(edges.bytes() < 800'000);
  CrossEdges::Reader reader(edges);
  std::uint64_t wrong = 0;
  for (std::uint32_t target = 149'999; target > 0; --target) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t node = std::max(target, 2U); node <= target + 2; ++node) {
      if (node - 1 - node % 2 == target) {
        expected.push_back(node);
      }
    }
    if (target % 5 == 0) {
      expected.push_back(900'000 - target);
    }
    wrong += sorted_sources(reader, target) != expected ? 1 : 0;
  }
  CHECK(wrong == 0);
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
