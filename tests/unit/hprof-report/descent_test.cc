#include "staged_heap.h"
#include "tools/hprof-report/components/number_log.h"
#include "tools/hprof-report/paths/big_descent.h"
#include "tools/hprof-report/paths/near_children.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

/// A forest of nodes with payloads of very different sizes, in no order of addresses; some of its
/// ways down are long.
struct Forest {
  explicit Forest(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t limit) { return static_cast<Id>(random() % limit); };
    const Id node = builder.add_class({.name = "demo.Node", .fields = {{"a"}, {"b"}, {"data"}}});
    std::vector<Id> waiting;
    for (int i = 0; i < 120; ++i) {
      const auto size = static_cast<std::uint32_t>(below(8) == 0 ? below(4000) : below(20));
      const auto take = [&]() -> Id {
        if (waiting.empty() || below(4) == 0) {
          return 0;
        }
        std::swap(waiting[below(static_cast<std::uint32_t>(waiting.size()))], waiting.back());
        const Id taken = waiting.back();
        waiting.pop_back();
        return taken;
      };
      const Id a = take();
      const Id b = below(3) == 0 ? take() : 0;
      waiting.push_back(builder.add_object(
          node, {{"a", a}, {"b", b}, {"data", builder.add_zeros(Type::int8, size)}}));
    }
    for (const auto top : waiting) {
      builder.root(Root::jni_global, top);
    }
    builder.root(Root::sticky_class, node);
  }

  HeapBuilder builder;
};

std::optional<std::uint32_t> big_child(const Heap& heap, std::uint32_t parent) {
  for (std::uint32_t object = 0; object < heap.objects(); ++object) {
    if (heap.dominators()[object] == parent &&
        10 * heap.retained()[object] >= 7 * heap.retained()[parent]) {
      return object;
    }
  }
  return std::nullopt;
}

std::uint64_t level_below(const Heap& heap, std::uint32_t object,
                          const std::vector<std::uint32_t>& tops) {
  std::uint64_t level = 0;
  for (auto at = object; at < kVirtualRoot; at = heap.dominators()[at], ++level) {
    if (std::find(tops.begin(), tops.end(), at) != tops.end() && level != 0) {
      return level;
    }
  }
  return 0;
}

TEST_CASE("a descent ends where no child has seven tenths of its parent's size") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Forest forest(seed);
    const StagedHeap staged(forest.builder);
    const auto heap = staged.open();
    heap->load_tree();
    std::vector<std::uint32_t> tops;
    for (std::uint32_t object = 0; object < heap->objects(); ++object) {
      if (heap->dominators()[object] == kVirtualRoot) {
        tops.push_back(object);
      }
    }
    const BigDescent descent(*heap, tops);
    for (const auto top : tops) {
      auto expected = top;
      while (const auto child = big_child(*heap, expected)) {
        expected = *child;
      }
      REQUIRE(descent.end_of(top) == expected);
    }
  }
}

TEST_CASE("children near some objects, nested ones included, none that is small or far") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Forest forest(seed);
    const StagedHeap staged(forest.builder);
    const auto heap = staged.open();
    heap->load_tree();
    std::mt19937 random(seed);
    std::vector<std::uint32_t> tops;
    for (std::uint32_t object = 0; object < heap->objects(); ++object) {
      if (heap->dominators()[object] != kUnreachable && random() % 20 == 0) {
        tops.push_back(object);
      }
    }
    const std::uint64_t least = 100;
    const std::size_t depth = 3;
    auto found = near_children(*heap, tops, depth, least);
    std::vector<std::uint32_t> objects;
    for (const auto& child : found) {
      CHECK(child.dominator == heap->dominators()[child.object]);
      objects.push_back(child.object);
    }
    std::vector<std::uint32_t> expected;
    for (std::uint32_t object = 0; object < heap->objects(); ++object) {
      const auto level = level_below(*heap, object, tops);
      if (level != 0 && level <= depth && heap->retained()[object] >= least) {
        expected.push_back(object);
      }
    }
    REQUIRE(objects == expected);
  }
}

TEST_CASE("numbers take the bytes that the largest one needs") {
  for (const std::uint32_t largest : {0U, 255U, 256U, 65535U, 70000U, 0xffffffffU}) {
    NumberLog log(largest);
    for (std::uint32_t i = 0; i < 2000; ++i) {
      log.append(largest - std::min(largest, i * 37));
    }
    CHECK(log[0] == largest);
    CHECK(log[1999] == largest - std::min(largest, 1999U * 37));
  }
}

}  // namespace
}  // namespace hprof
