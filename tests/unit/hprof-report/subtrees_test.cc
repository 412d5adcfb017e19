#include "tools/hprof-report/paths/subtrees.h"

#include "staged_heap.h"
#include "tools/hprof-report/paths/near_children.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

TEST_CASE("the accumulation point tells what it holds, by class, by size and as a tree") {
  HeapBuilder heap;
  const Id part = heap.add_class({.name = "demo.Part", .fields = {{"data"}}});
  std::vector<Id> parts;
  for (std::uint32_t i = 0; i < 20; ++i) {
    parts.push_back(heap.add_object(part, {{"data", heap.add_zeros(Type::int8, 1000 * (i + 1))}}));
  }
  parts.push_back(heap.add_zeros(Type::int64, 100));
  for (const Id type : {part, heap.class_named("byte[]"), heap.class_named("long[]"),
                        heap.class_named("java.lang.Object[]")}) {
    heap.root(Root::sticky_class, type);
  }
  heap.root(Root::jni_global, heap.add_array("java.lang.Object[]", parts));
  const auto report = StagedHeap(heap).report();
  REQUIRE(report.leaks.suspects.size() == 1);
  const auto& suspect = report.leaks.suspects[0];
  REQUIRE(suspect.accumulated.has_value());
  CHECK(suspect.accumulated->objects == 21);
  CHECK(suspect.accumulated->retained ==
        suspect.accumulation_point->retained - suspect.accumulation_point->shallow);
  REQUIRE(suspect.accumulated->classes.size() == 2);
  CHECK(suspect.accumulated->classes[0].class_name == "demo.Part");
  CHECK(suspect.accumulated->classes[0].objects == 20);
  CHECK(suspect.accumulated->largest[0].address.value == parts[19]);
  REQUIRE(suspect.tree.has_value());
  REQUIRE(suspect.tree->children.size() == 21);
  CHECK(suspect.tree->children[0].address.value == parts[19]);
  REQUIRE(suspect.tree->children[0].children.size() == 1);
  CHECK(suspect.tree->children[0].retained ==
        suspect.tree->children[0].shallow + suspect.tree->children[0].children[0].retained);
}

TEST_CASE("trees keep to their caps: nodes level by level, the largest first, children of one") {
  HeapBuilder heap;
  const Id part = heap.add_class({.name = "demo.Part", .fields = {{"data"}}});
  std::vector<Id> parts;
  for (std::uint32_t i = 0; i < 6; ++i) {
    parts.push_back(heap.add_object(part, {{"data", heap.add_zeros(Type::int8, 1000 * (i + 1))}}));
  }
  const Id top = heap.add_array("java.lang.Object[]", parts);
  heap.root(Root::jni_global, top);
  for (const Id type : {part, heap.class_named("byte[]"), heap.class_named("java.lang.Object[]")}) {
    heap.root(Root::sticky_class, type);
  }
  const StagedHeap staged(heap);
  const auto opened = staged.open();
  opened->load_tree();
  const auto top_object = opened->index().addresses.index_of(top).value();
  const auto nodes = [&](std::size_t most, std::size_t depth, std::size_t children) {
    return Subtrees(*opened, {top_object}, {most, depth, children}).objects();
  };
  CHECK(nodes(100, 9, 100).size() == 13);
  CHECK(nodes(100, 1, 100).size() == 7);
  CHECK(nodes(100, 9, 2).size() == 5);
  const auto eight = nodes(8, 9, 100);
  REQUIRE(eight.size() == 8);
  CHECK(opened->address(eight[1]).value == parts[5]);
  CHECK(opened->address(eight[4]).value == parts[2]);
  CHECK(opened->graph().types()[opened->describe({eight[5]})[0].type].kind ==
        RecordKind::byte_array);
  CHECK(nodes(1, 9, 100).size() == 1);
}

/// `chain` objects, each of which holds the next and `beside` bytes, below a GC root.
Id add_chain(HeapBuilder& heap, Id node, std::uint32_t chain, std::uint32_t beside) {
  Id next = 0;
  for (std::uint32_t i = 0; i < chain; ++i) {
    next = heap.add_object(node, {{"next", next}, {"data", heap.add_zeros(Type::int8, beside)}});
  }
  heap.root(Root::jni_global, next);
  return next;
}

TEST_CASE("children are found level by level, be most objects of the heap large or few of them") {
  for (const std::uint32_t small : {0U, 2000U}) {
    HeapBuilder heap;
    const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}, {"data"}}});
    const Id top = add_chain(heap, node, 50, 1000);
    for (std::uint32_t i = 0; i < small; ++i) {
      heap.root(Root::jni_global, heap.add_zeros(Type::int8, 1));
    }
    const StagedHeap staged(heap);
    const auto opened = staged.open();
    opened->load_tree();
    const auto object = opened->index().addresses.index_of(top).value();
    const auto children = near_children(*opened, {object}, 7, 500);
    CHECK(children.size() == 14);
    CHECK(std::all_of(children.begin(), children.end(), [&](const Child& child) {
      return opened->dominators()[child.object] == child.dominator;
    }));
    CHECK(near_children(*opened, {object}, 7, 2000).size() == 7);
    CHECK(near_children(*opened, {object}, 60, 2000).size() == 48);
  }
}

}  // namespace
}  // namespace hprof
