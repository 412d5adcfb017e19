#include "staged_heap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

struct NodeHeap {
  NodeHeap() : node(builder.add_class({.name = "demo.Node", .fields = {{"a"}, {"b"}}})) {
    builder.root(Root::sticky_class, node);
  }
  Id add(Id a = 0, Id b = 0, Id address = 0) {
    return builder.add_object(node, {{"a", a}, {"b", b}}, address);
  }

  HeapBuilder builder;
  Id node;
};

TEST_CASE("garbage roots take what is reached from them first, shared parts once") {
  NodeHeap heap;
  const Id shared = heap.add();
  const Id live = heap.add();
  const Id first = heap.add(heap.add(shared), live);
  const Id second = heap.add(shared);
  const Id self = heap.builder.reserve();
  heap.add(self, 0, self);
  heap.builder.root(Root::jni_global, live);
  StagedHeap staged(heap.builder);
  const auto report = staged.report();
  const auto& garbage = *report.unreachable->garbage;
  CHECK(garbage.roots == 3);
  CHECK(garbage.cycles == 0);
  REQUIRE(garbage.largest.size() == 3);
  CHECK(garbage.largest[0].address.value == first);
  CHECK(garbage.largest[0].objects == 3);
  CHECK(garbage.largest[1].address.value == second);
  CHECK(garbage.largest[1].objects == 1);
  CHECK(garbage.largest[2].address.value == self);
  CHECK(garbage.root_classes.at(0).roots == 3);
}

TEST_CASE("a cycle that nothing leads to is a garbage root although what hangs on it lies lower") {
  NodeHeap heap;
  const Id hanging = heap.add();
  const Id low_cycle = heap.builder.reserve();
  const Id low_other = heap.add(low_cycle);
  heap.add(low_other, 0, low_cycle);
  const Id a = heap.builder.reserve();
  const Id b = heap.builder.reserve();
  heap.add(b, low_cycle, a);
  heap.add(a, hanging, b);
  StagedHeap staged(heap.builder);
  const auto report = staged.report();
  const auto& garbage = *report.unreachable->garbage;
  CHECK(garbage.roots == 1);
  CHECK(garbage.cycles == 1);
  CHECK(garbage.largest.at(0).address.value == a);
  CHECK(garbage.largest.at(0).in_cycle);
  CHECK(garbage.largest.at(0).objects == 5);
}

TEST_CASE("filler of the JDK since 19: objects by their class, arrays as lone int[]") {
  HeapBuilder builder;
  const Id filler = builder.add_class({.name = "jdk.internal.vm.FillerObject"});
  builder.root(Root::sticky_class, filler);
  builder.add_object(filler);
  builder.add_array("jdk.internal.vm.FillerElement[]", {});
  builder.add_zeros(Type::int32, 100);
  builder.add_zeros(Type::int8, 100);
  builder.add_object(builder.class_named("java.lang.Object"));
  const Id held = builder.add_zeros(Type::int32, 100);
  builder.add_array("java.lang.Object[]", {held});
  builder.root(Root::jni_global, builder.add_zeros(Type::int32, 100));
  StagedHeap staged(builder);
  const auto report = staged.report();
  const auto& garbage = *report.unreachable->garbage;
  CHECK(garbage.filler_objects == 2);
  CHECK(garbage.filler_shallow >= 16);
  CHECK(garbage.lone_int_arrays == 1);
  CHECK(garbage.lone_int_arrays_shallow >= 400);
  CHECK(garbage.lone_int_arrays_shallow < 800);
  CHECK(garbage.lone_objects == 0);
}

/// Two objects and perhaps an int[] that nothing references, and such as are no filler.
Garbage garbage_of_older_jvm(std::uint32_t reference_size, bool with_int_array) {
  HeapBuilder builder({.reference_size = reference_size});
  const Id object = builder.class_named("java.lang.Object");
  const Id other = builder.add_class({.name = "demo.Other"});
  builder.root(Root::sticky_class, other);
  builder.add_object(object);
  builder.add_object(object);
  builder.add_object(other);
  const Id held = builder.add_object(object);
  builder.add_array("java.lang.Object[]", {held, held, held, held});
  builder.add_array("java.lang.Object[]", {held});
  builder.root(Root::jni_global, builder.add_object(object));
  if (with_int_array) {
    builder.add_zeros(Type::int32, 100);
  }
  return *StagedHeap(builder).report().unreachable->garbage;
}

TEST_CASE("filler of older JVMs is only likely: lone int[], and objects where they are smaller") {
  const auto garbage = garbage_of_older_jvm(8, true);
  CHECK(garbage.filler_objects == 0);
  CHECK(garbage.lone_int_arrays == 1);
  CHECK(garbage.lone_objects == 2);
  CHECK(garbage.lone_objects_shallow >= 16);
  CHECK(garbage.lone_objects_shallow < garbage.lone_int_arrays_shallow);
}

TEST_CASE("lone objects are plain garbage without lone int[], and where an int[] is as small") {
  CHECK(garbage_of_older_jvm(8, false).lone_objects == 0);
  CHECK(garbage_of_older_jvm(4, true).lone_objects == 0);
  CHECK(garbage_of_older_jvm(4, true).lone_int_arrays == 1);
}

TEST_CASE("on random garbage the roots are entries of all of it and add up to it") {
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    NodeHeap heap;
    const std::size_t count = 3 + random() % 25;
    std::vector<Id> ids;
    for (std::size_t i = 0; i < count; ++i) {
      ids.push_back(heap.builder.reserve());
    }
    std::map<Id, std::set<Id>> to;
    const auto target = [&](Id from) {
      const auto at = random() % (count * 2);
      if (at >= count) {
        return Id{0};
      }
      to[from].insert(ids[at]);
      return ids[at];
    };
    for (const Id id : ids) {
      heap.add(target(id), target(id), id);
    }
    StagedHeap staged(heap.builder);
    const auto report = staged.report({"--detail", "max"});
    const auto& garbage = *report.unreachable->garbage;
    CAPTURE(seed);
    std::uint64_t objects = 0;
    std::uint64_t shallow = 0;
    for (const auto& root : garbage.largest) {
      objects += root.objects;
      shallow += root.reached_shallow;
      bool referenced = false;
      for (const auto& [from, targets] : to) {
        referenced =
            referenced || (from != root.address.value && targets.count(root.address.value));
      }
      CHECK(referenced == root.in_cycle);
      // Whatever leads to the root of a cycle is in the cycle.
      if (root.in_cycle) {
        std::set<Id> reached{root.address.value};
        std::vector<Id> stack{root.address.value};
        while (!stack.empty()) {
          const Id at = stack.back();
          stack.pop_back();
          for (const Id next : to[at]) {
            if (reached.insert(next).second) {
              stack.push_back(next);
            }
          }
        }
        for (const auto& [from, targets] : to) {
          CHECK((targets.count(root.address.value) == 0 || reached.count(from) == 1));
        }
      }
    }
    CHECK(garbage.largest.size() == garbage.roots);
    CHECK(objects == report.unreachable->objects);
    CHECK(shallow == report.unreachable->shallow);
  }
}

}  // namespace
}  // namespace hprof
