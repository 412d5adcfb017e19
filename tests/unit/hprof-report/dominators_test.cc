#include "common/error.h"
#include "common/ranked_bits.h"
#include "staged_heap.h"
#include "tools/hprof-report/dominators/big_drops.h"
#include "tools/hprof-report/dominators/label_column.h"
#include "tools/hprof-report/dominators/name_pattern.h"
#include "tools/hprof-report/dominators/topmost.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

TEST_CASE("name patterns: alternatives, stars anywhere, whole names only") {
  const NamePattern jdk("java.*|javax.*|exact.Name");
  CHECK(jdk.matches("java.util.HashMap$Node"));
  CHECK(jdk.matches("exact.Name"));
  CHECK_FALSE(jdk.matches("exact.Name2"));
  CHECK_FALSE(jdk.matches("my.java.util.Map"));
  CHECK_FALSE(jdk.matches("javassist.Loader"));
  CHECK_FALSE(NamePattern("").matches(""));
  CHECK_FALSE(NamePattern("|").matches("a"));
  CHECK(NamePattern("*").matches(""));
  const NamePattern inner("a*b*a");
  CHECK(inner.matches("aba"));
  CHECK(inner.matches("axxbyya"));
  CHECK_FALSE(inner.matches("ab"));
  CHECK_FALSE(inner.matches("aa"));
  CHECK(NamePattern("*Cache*").matches("demo.CacheEntry"));
  CHECK(NamePattern("a*aab").matches("aaaab"));
}

/// Small numbers in a row that is always the same.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

  using result_type = std::uint32_t;
  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffU; }

 private:
  std::mt19937 engine_;
};

BigArray<std::uint32_t> column(const std::vector<std::uint32_t>& values) {
  BigArray<std::uint32_t> out(values.size());
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

/// A forest in an order that has nothing to do with its shape; some nodes are unreachable.
std::vector<std::uint32_t> random_forest(Random& random, std::uint32_t size) {
  std::vector<std::uint32_t> order(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    order[i] = i;
  }
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::uint32_t> dominators(size, kUnreachable);
  std::vector<std::uint32_t> placed;
  for (const auto node : order) {
    const auto choice = random() % 8;
    if (choice != 0) {
      dominators[node] = placed.empty() || choice == 1
                             ? kVirtualRoot
                             : placed[choice < 5 ? placed.size() - 1 : random() % placed.size()];
      placed.push_back(node);
    }
  }
  return dominators;
}

TEST_CASE("labels are inherited from the nearest labelled object above") {
  constexpr std::uint32_t kNone = 1;
  Random random(7);
  for (int round = 0; round < 500; ++round) {
    const auto size = 1 + random() % 40;
    const auto dominators = random_forest(random, size);
    for (const std::uint32_t largest : {9U, 255U, 256U, 100'000U}) {
      LabelColumn labels(size, largest);
      std::vector<std::uint32_t> own(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        own[i] = dominators[i] != kUnreachable && random() % 3 == 0 ? largest - random() % 5 : 0;
        labels.set(i, own[i]);
      }
      labels.inherit(column(dominators), kNone);
      for (std::uint32_t i = 0; i < size; ++i) {
        std::uint32_t expected = dominators[i] == kUnreachable ? 0 : kNone;
        for (auto at = i; at < size && expected == kNone; at = dominators[at]) {
          expected = own[at] != 0 ? own[at] : kNone;
        }
        REQUIRE(labels[i] == expected);
      }
    }
  }
}

TEST_CASE("labels come down a million-object chain in either direction") {
  constexpr std::uint32_t kLength = 1'000'000;
  for (const bool up : {true, false}) {
    BigArray<std::uint32_t> chain(kLength);
    for (std::uint32_t i = 0; i < kLength; ++i) {
      chain[i] = up ? i - 1 : i + 1;
    }
    const std::uint32_t top = up ? 0 : kLength - 1;
    const std::uint32_t bottom = up ? kLength - 1 : 0;
    chain[top] = kVirtualRoot;
    LabelColumn labels(kLength, 5);
    labels.set(up ? 1 : kLength - 2, 5);
    labels.inherit(chain, 1);
    CHECK(labels[top] == 1);
    CHECK(labels[bottom] == 5);
    CHECK(labels[kLength / 2] == 5);
  }
}

RankedBits top_level_of(const std::vector<std::uint32_t>& dominators) {
  RankedBits bits(dominators.size());
  for (std::uint32_t i = 0; i < dominators.size(); ++i) {
    if (dominators[i] == kVirtualRoot) {
      bits.set(i);
    }
  }
  bits.finish();
  return bits;
}

TEST_CASE("the top of a long chain is found whatever the order of its objects in the heap") {
  constexpr std::uint32_t kLength = 100'000;
  std::vector<std::uint32_t> order(kLength);
  std::iota(order.begin(), order.end(), 0U);
  Random random(11);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::uint32_t> dominators(kLength, kVirtualRoot);
    for (std::uint32_t i = 1; i < kLength; ++i) {
      dominators[order[i]] = order[i - 1];
    }
    const auto tops = topmost_objects(column(dominators), top_level_of(dominators));
    REQUIRE(std::count(tops.begin(), tops.end(), order[0]) == kLength);
    if (round == 0) {
      std::reverse(order.begin(), order.end());
    } else {
      std::shuffle(order.begin(), order.end(), random);
    }
  }
}

TEST_CASE("topmost objects: those without a dominator, and what is anywhere below them") {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    const auto size = 1 + random() % 60;
    const auto dominators = random_forest(random, size);
    const auto tops = topmost_objects(column(dominators), top_level_of(dominators));
    for (std::uint32_t i = 0; i < size; ++i) {
      auto expected = dominators[i] == kUnreachable ? kUnreachable : i;
      while (expected != kUnreachable && dominators[expected] != kVirtualRoot) {
        expected = dominators[expected];
      }
      REQUIRE(tops[i] == expected);
    }
  }
}

/// demo.Cache has a static Object[] with three byte arrays; a demo.Service, held by a thread of
/// the JDK, has a list of the JDK with two; one byte array is a GC root itself.
struct CacheHeap {
  CacheHeap() {
    const Id list = builder.add_class({.name = "java.util.ArrayList", .fields = {{"elements"}}});
    const Id service = builder.add_class({.name = "demo.Service", .fields = {{"list"}}});
    const auto bytes = [&](std::uint32_t size) { return builder.add_zeros(Type::int8, size); };
    table = builder.add_array("java.lang.Object[]", {bytes(1000), bytes(1000), bytes(1000)});
    builder.add_class(
        {.name = "demo.Cache", .statics = {{"table", Type::object, table}}, .address = 0x20000});
    builder.root(Root::sticky_class, 0x20000);
    const Id elements = builder.add_array("java.lang.Object[]", {bytes(100), bytes(200)});
    const Id held =
        builder.add_object(service, {{"list", builder.add_object(list, {{"elements", elements}})}});
    builder.root(Root::jni_global, held);
    builder.root(Root::jni_global, bytes(40));
  }

  HeapBuilder builder;
  Id table = 0;
};

const DominatedClass& row_of(const Report& report, const std::string& name) {
  const auto& rows = report.dominators->dominated_classes;
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const auto& row) { return row.class_name == name; });
  REQUIRE(found != rows.end());
  return *found;
}

TEST_CASE("holders: a class by its static fields, an instance, and nobody") {
  CacheHeap heap;
  const StagedHeap staged(heap.builder);
  const auto report = staged.report();
  CHECK(report.dominators->skipped_classes == "java.*|javax.*|sun.*|jdk.*|com.sun.*");
  const auto& bytes = row_of(report, "byte[]");
  CHECK(bytes.objects == 6);
  REQUIRE(bytes.holders.size() == 3);
  CHECK(bytes.holders[0].class_name == "demo.Cache");
  CHECK(bytes.holders[0].is_class_object);
  CHECK(bytes.holders[0].class_address == Address{0x20000});
  CHECK(bytes.holders[0].objects == 3);
  CHECK(bytes.holders[1].class_name == "demo.Service");
  CHECK_FALSE(bytes.holders[1].is_class_object);
  CHECK(bytes.holders[1].objects == 2);
  CHECK(bytes.holders[2].class_name == "<ROOT>");
  CHECK_FALSE(bytes.holders[2].class_address.has_value());
  CHECK(bytes.holders[2].objects == 1);
  const auto& arrays = row_of(report, "java.lang.Object[]");
  CHECK(arrays.objects == 2);
  CHECK(arrays.holders[0].class_name == "demo.Cache");
}

TEST_CASE("holders: other classes skipped, other classes asked for") {
  CacheHeap heap;
  const StagedHeap staged(heap.builder);
  const auto report = staged.report({"--dominators-of=byte[]", "--dominators-of", "demo.Service",
                                     "--skip-classes=demo.*|java.lang.*"});
  REQUIRE(report.dominators->dominated_classes.size() == 2);
  const auto& bytes = row_of(report, "byte[]");
  REQUIRE(bytes.holders.size() == 2);
  CHECK(bytes.holders[0].class_name == "<ROOT>");
  CHECK(bytes.holders[0].objects == 4);
  CHECK(bytes.holders[1].class_name == "java.util.ArrayList");
  CHECK(bytes.holders[1].objects == 2);
  CHECK(row_of(report, "demo.Service").holders[0].class_name == "<ROOT>");
  CHECK_THROWS_AS(staged.report({"--dominators-of=demo.None"}), Error);
}

TEST_CASE("holders of one name by two class loaders share a row") {
  HeapBuilder builder;
  const Id loader_class = builder.add_class(
      {.name = "demo.Loader", .super = builder.class_named("java.lang.ClassLoader")});
  for (int i = 0; i < 2; ++i) {
    const Id loader = builder.add_object(loader_class);
    const Id plugin =
        builder.add_class({.name = "demo.Plugin", .fields = {{"data"}}, .loader = loader});
    builder.root(Root::jni_global,
                 builder.add_object(plugin, {{"data", builder.add_zeros(Type::int8, 100)}}));
  }
  const StagedHeap staged(builder);
  const auto report = staged.report();
  const auto& bytes = row_of(report, "byte[]");
  REQUIRE(bytes.holders.size() == 1);
  CHECK(bytes.holders[0].classes == 2);
  CHECK(bytes.holders[0].objects == 2);
}

TEST_CASE("minimal detail adds up what it leaves out") {
  HeapBuilder builder;
  for (int i = 0; i < 30; ++i) {
    const Id owner =
        builder.add_class({.name = "demo.Owner" + std::to_string(i), .fields = {{"data"}}});
    builder.root(Root::jni_global,
                 builder.add_object(owner, {{"data", builder.add_zeros(Type::int8, 800)}}));
  }
  const StagedHeap staged(builder);
  const auto report = staged.report({"--detail=minimal"});
  const auto& bytes = row_of(report, "byte[]");
  CHECK(bytes.holders.size() == 10);
  CHECK(bytes.further_holders == 20);
  CHECK(bytes.further_objects == 20);
  std::uint64_t shallow = bytes.further_shallow;
  for (const auto& holder : bytes.holders) {
    shallow += holder.shallow;
  }
  CHECK(shallow == bytes.shallow);
}

/// A random tree of demo.Node objects, each with an array of its children, and blobs of many sizes.
Id random_tree(HeapBuilder& builder, Random& random, Id node_class, unsigned depth) {
  std::vector<Id> children;
  for (auto count = random() % 4; count != 0 && depth != 0; --count) {
    children.push_back(random_tree(builder, random, node_class, depth - 1));
  }
  children.push_back(builder.add_zeros(Type::int8, random() % 500));
  const Id array = builder.add_array("java.lang.Object[]", children);
  return builder.add_object(node_class, {{"children", array}});
}

TEST_CASE("big drops are what the definition says, on random trees") {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    HeapBuilder builder;
    const Id node_class = builder.add_class({.name = "demo.Node", .fields = {{"children"}}});
    builder.root(Root::jni_global, random_tree(builder, random, node_class, 7));
    const StagedHeap staged(builder);
    const auto heap = staged.open();
    heap->load_dominators();
    heap->load_retained();
    const auto size = static_cast<std::uint32_t>(heap->objects());
    std::vector<std::uint64_t> largest(size);
    std::vector<std::uint64_t> children(size);
    for (std::uint32_t i = 0; i < size; ++i) {
      const auto dominator = heap->dominators()[i];
      if (dominator < kVirtualRoot) {
        largest[dominator] = std::max(largest[dominator], heap->retained()[i]);
        ++children[dominator];
      }
    }
    for (const std::uint64_t threshold :
         {std::uint64_t{0}, heap->used_heap() / 100, heap->used_heap() / 10}) {
      std::multimap<std::uint64_t, std::uint32_t, std::greater<>> expected;
      for (std::uint32_t i = 0; i < size; ++i) {
        if (heap->dominators()[i] != kUnreachable && heap->retained()[i] - largest[i] > threshold) {
          expected.emplace(heap->retained()[i] - largest[i], i);
        }
      }
      BigDrops drops(*heap, threshold, 15);
      heap->for_each_object([&](const HeapObject& object) { drops.add(object); });
      CHECK(drops.count() == expected.size());
      const auto rows = drops.result();
      REQUIRE(rows.size() == std::min<std::size_t>(15, expected.size()));
      auto next = expected.begin();
      for (const auto& row : rows) {
        CHECK(row.drop == next->first);
        CHECK(row.address == heap->address(next->second));
        CHECK(row.children == children[next->second]);
        CHECK(row.retained == heap->retained()[next->second]);
        CHECK(row.shallow != 0);
        CHECK(row.largest_child.has_value() == (children[next->second] != 0));
        CHECK((!row.largest_child || row.largest_child->retained == largest[next->second]));
        ++next;
      }
    }
  }
}

TEST_CASE("concentration and sizes of top-level objects") {
  HeapBuilder builder;
  for (int i = 0; i < 12; ++i) {
    builder.root(Root::jni_global, builder.add_zeros(Type::int8, 1000));
  }
  builder.root(Root::jni_global, builder.add_zeros(Type::int8, 100'000));
  const StagedHeap staged(builder);
  const auto report = staged.report();
  const auto& rows = report.dominators->concentration;
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].objects == 1);
  CHECK(rows[0].retained == report.top.biggest_objects[0].retained);
  CHECK(rows[1].objects == 10);
  CHECK(rows[2].retained == report.overview.total_shallow);
  CHECK(report.dominators->objects_over_one_percent == 1);
  std::uint64_t objects = 0;
  std::uint64_t retained = 0;
  for (const auto& row : *report.top.size_distribution) {
    CHECK((row.from == 0 ? row.to == 0 : row.to == 2 * row.from - 1));
    objects += row.objects;
    retained += row.retained;
  }
  CHECK(objects == report.top.top_level_objects);
  CHECK(retained == report.overview.total_shallow);
  CHECK(report.top.size_distribution->back().from == 65536);
  CHECK(report.top.size_distribution->back().objects == 1);
}

}  // namespace
}  // namespace hprof
