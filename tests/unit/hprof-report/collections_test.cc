#include "staged_heap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof {
namespace {

using test::FieldSpec;
using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

/// Classes of the JDK as far as the rules read them, and one root array over what a test makes.
struct Example {
  Example() {
    list = add("java.util.ArrayList", {{"elementData"}, {"size", Type::int32}});
    map = add("java.util.HashMap", {{"table"}, {"size", Type::int32}});
    set = add("java.util.HashSet", {{"map"}});
    node = add("java.util.HashMap$Node", {{"key"}, {"next"}});
    object = builder.add_object(builder.class_named("java.lang.Object"));
  }

  Id add(std::string_view name, std::vector<FieldSpec> fields) {
    return builder.add_class({.name = std::string(name), .fields = std::move(fields)});
  }

  /// An Object[] of `length` whose first `used` elements are set.
  Id slots(std::size_t length, std::size_t used, std::string_view name = "java.lang.Object[]") {
    std::vector<Id> elements(length, 0);
    std::fill_n(elements.begin(), used, object);
    return builder.add_array(name, elements);
  }

  Id keep(Id id) {
    kept.push_back(id);
    return id;
  }

  Id add_list(Id array, std::uint64_t size) {
    return keep(builder.add_object(list, {{"elementData", array}, {"size", size}}));
  }

  StagedHeap finish() {
    builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", kept));
    return StagedHeap(builder);
  }

  Collections report(const std::vector<std::string>& options = {}) {
    return *finish().report(options).collections;
  }

  HeapBuilder builder;
  std::vector<Id> kept;
  Id list = 0;
  Id map = 0;
  Id set = 0;
  Id node = 0;
  Id object = 0;
};

CollectionClass row_of(const Collections& all, const std::string& name) {
  const auto found = std::find_if(all.classes.begin(), all.classes.end(),
                                  [&](const auto& row) { return row.class_name == name; });
  REQUIRE_MESSAGE(found != all.classes.end(), name);
  return *found;
}

/// Bytes of an array of so many references of 8 bytes.
std::uint64_t bytes(std::uint64_t length) {
  return 24 + 8 * length;
}

TEST_CASE("waste of lists is counted in bytes of their arrays, of shared ones once and as needed") {
  Example example;
  example.add_list(example.slots(10, 0), 0);  // empty with a table
  example.add_list(example.slots(10, 4), 4);  // six too many
  const Id none = example.slots(0, 0);
  example.add_list(none, 0);
  example.add_list(none, 0);
  example.add_list(0, 0);
  const Id shared = example.slots(20, 15);
  example.add_list(shared, 0);
  example.add_list(shared, 15);
  example.add_list(shared, 3);
  example.add_list(example.slots(5, 5), 5);
  const auto all = example.report();
  const auto row = row_of(all, "java.util.ArrayList");
  CHECK(row.collections == 9);
  CHECK(row.empty == 5);
  CHECK(row.elements == 27);
  CHECK(row.largest == 15);
  CHECK(row.arrays == 4);
  CHECK(row.slots == 45);
  CHECK(row.array_shallow == bytes(10) + bytes(10) + bytes(20) + bytes(5));
  CHECK(row.empty_with_array == 1);
  CHECK(row.wasted_empty == bytes(10));
  CHECK(row.over_capacity == 2);
  CHECK(row.wasted_capacity == 6 * 8 + 5 * 8);
  CHECK(all.savings.total == bytes(10) + 11 * 8);
  CHECK(all.savings.empty_arrays == 1);
  CHECK_FALSE(row.collision_bp.has_value());
}

TEST_CASE("what a set keeps its elements in is counted with the set, with its collisions") {
  Example example;
  const Id inner = example.builder.add_object(
      example.map, {{"table", example.slots(64, 6, "java.util.HashMap$Node[]")}, {"size", 8}});
  example.keep(example.builder.add_object(example.set, {{"map", inner}}));
  example.keep(example.builder.add_object(
      example.map, {{"table", example.slots(16, 12, "java.util.HashMap$Node[]")}, {"size", 12}}));
  const auto all = example.report();
  const auto set = row_of(all, "java.util.HashSet");
  CHECK(set.collections == 1);
  CHECK(set.elements == 8);
  CHECK(set.slots == 64);
  CHECK(set.bucket_entries == 8);
  CHECK(set.used_buckets == 6);
  CHECK(set.collision_bp == 2500);
  CHECK(set.wasted_capacity == (64 - 16) * 8);  // eight entries need 16 slots at a load of 3/4
  const auto map = row_of(all, "java.util.HashMap");
  CHECK(map.collections == 1);
  CHECK(map.elements == 12);
  CHECK(map.wasted_capacity == 0);
  CHECK(all.collections == 2);
}

TEST_CASE("a subclass is read like its super class, whatever its own fields are called") {
  Example example;
  const Id own = example.builder.add_class({.name = "demo.Own",
                                            .super = example.list,
                                            .fields = {{"size", Type::int32}, {"elementData"}}});
  example.keep(
      example.builder.add_object(own, {{"size", 99},
                                       {"java.util.ArrayList#size", 2},
                                       {"java.util.ArrayList#elementData", example.slots(3, 2)}}));
  const auto row = row_of(example.report(), "demo.Own");
  CHECK(row.kind == "list");
  CHECK(row.elements == 2);
  CHECK(row.slots == 3);
}

TEST_CASE("sizes are summed over other objects: counter cells, segments") {
  Example example;
  const Id cell =
      example.add("java.util.concurrent.ConcurrentHashMap$CounterCell", {{"value", Type::int64}});
  const Id map = example.add("java.util.concurrent.ConcurrentHashMap",
                             {{"baseCount", Type::int64}, {"counterCells"}, {"table"}});
  const Id cells = example.builder.add_array(
      "java.util.concurrent.ConcurrentHashMap$CounterCell[]",
      {example.builder.add_object(cell, {{"value", 5}}), 0,
       example.builder.add_object(cell, {{"value", static_cast<std::uint64_t>(-2)}})});
  example.keep(example.builder.add_object(
      map, {{"baseCount", 9}, {"counterCells", cells}, {"table", example.slots(16, 12)}}));
  const auto row = row_of(example.report(), "java.util.concurrent.ConcurrentHashMap");
  CHECK(row.elements == 12);
  CHECK(row.wasted_capacity == 0);

  Example old;
  const Id segment = old.add("java.util.concurrent.ConcurrentHashMap$Segment",
                             {{"count", Type::int32}, {"table"}});
  const Id older = old.add("java.util.concurrent.ConcurrentHashMap", {{"segments"}});
  const Id full = old.builder.add_object(segment, {{"count", 3}, {"table", old.slots(4, 3)}});
  const Id empty = old.builder.add_object(segment, {{"count", 0}, {"table", old.slots(2, 0)}});
  old.keep(old.builder.add_object(
      older, {{"segments", old.builder.add_array("java.util.concurrent.ConcurrentHashMap$Segment[]",
                                                 {full, empty})}}));
  const auto all = old.report();
  CHECK(row_of(all, "java.util.concurrent.ConcurrentHashMap").elements == 3);
  CHECK(row_of(all, "java.util.concurrent.ConcurrentHashMap$Segment").kind == "part");
  CHECK(all.collections == 1);
  CHECK(all.elements == 3);
  CHECK(all.savings.empty_bytes == bytes(2));
}

TEST_CASE("rings, chains, sets of bits and of fields tell their sizes; cycles end") {
  Example example;
  const Id deque = example.add("java.util.ArrayDeque",
                               {{"elements"}, {"head", Type::int32}, {"tail", Type::int32}});
  const auto ring = [&](Id array, std::uint64_t head, std::uint64_t tail) {
    example.keep(
        example.builder.add_object(deque, {{"elements", array}, {"head", head}, {"tail", tail}}));
  };
  ring(example.slots(17, 3), 16, 2);
  ring(example.slots(17, 3), 1, 0);  // full but one
  ring(example.slots(17, 0), 5, 5);
  ring(0, 3, 1);  // no array: not known
  const Id queue = example.add("java.util.concurrent.ConcurrentLinkedQueue", {{"head"}});
  const Id link =
      example.add("java.util.concurrent.ConcurrentLinkedQueue$Node", {{"item"}, {"next"}});
  const Id first = example.builder.reserve();
  const Id second = example.builder.add_object(link, {{"item", example.object}, {"next", first}});
  example.builder.add_object(link, {{"item", example.object}, {"next", second}}, first);
  const Id removed = example.builder.reserve();
  example.builder.add_object(link, {{"next", removed}}, removed);
  for (const Id head : {first, removed}) {
    example.keep(example.builder.add_object(queue, {{"head", head}}));
  }
  const Id bits = example.add("java.util.RegularEnumSet", {{"elements", Type::int64}});
  example.keep(example.builder.add_object(bits, {{"elements", 0x8000000000000101U}}));
  const Id pair = example.add("java.util.ImmutableCollections$List12", {{"e0"}, {"e1"}});
  const Id nothing = example.object;
  example.builder.add_class(
      {.name = "java.util.ImmutableCollections", .statics = {{"EMPTY", Type::object, nothing}}});
  example.keep(example.builder.add_object(pair, {{"e0", first}, {"e1", nothing}}));
  const auto all = example.report();
  const auto rings = row_of(all, "java.util.ArrayDeque");
  CHECK(rings.elements == 3 + 16);
  CHECK(rings.empty == 1);
  CHECK(rings.unknown_size == 1);
  CHECK(rings.wasted_empty == bytes(17));
  CHECK(rings.wasted_capacity == (17 - 4) * 8);
  CHECK(row_of(all, "java.util.concurrent.ConcurrentLinkedQueue").unknown_size >= 1);
  CHECK(row_of(all, "java.util.RegularEnumSet").elements == 3);
  CHECK(row_of(all, "java.util.ImmutableCollections$List12").elements == 1);
}

TEST_CASE("views have the size of what they wrap and no storage; wrappers in a circle have none") {
  Example example;
  const Id view = example.add("java.util.Collections$UnmodifiableCollection", {{"c"}});
  const Id list = example.add_list(example.slots(8, 2), 2);
  const Id inner = example.keep(example.builder.add_object(view, {{"c", list}}));
  example.keep(example.builder.add_object(view, {{"c", inner}}));
  const Id circle = example.builder.reserve();
  example.keep(example.builder.add_object(view, {{"c", circle}}, circle));
  const Id set_circle = example.builder.reserve();
  example.keep(example.builder.add_object(example.set, {{"map", set_circle}}, set_circle));
  const auto all = example.report();
  const auto row = row_of(all, "java.util.Collections$UnmodifiableCollection");
  CHECK(row.kind == "view");
  CHECK(row.collections == 3);
  CHECK(row.elements == 4);
  CHECK(row.unknown_size == 1);
  CHECK(row.arrays == 0);
  CHECK(row_of(all, "java.util.HashSet").unknown_size == 1);
  CHECK(all.collections == 2);
  CHECK(all.savings.total == 6 * 8);
}

TEST_CASE("damaged collections are counted without a size, and waste nothing") {
  Example example;
  example.add_list(example.slots(4, 4), 0xffffffffU);
  example.add_list(example.object, 7);
  const auto row = row_of(example.report(), "java.util.ArrayList");
  CHECK(row.collections == 2);
  CHECK(row.unknown_size == 1);
  CHECK(row.wasted_capacity == 0);
}

TEST_CASE("a collection belongs to the field of the nearest object that is no collection") {
  Example example;
  const Id holder = example.add("demo.Cache", {{"other"}, {"entries"}});
  const Id inner =
      example.builder.add_object(example.list, {{"elementData", example.slots(9, 0)}, {"size", 0}});
  const Id entry = example.builder.add_object(example.node, {{"key", inner}});
  const Id outer = example.builder.add_object(
      example.map,
      {{"table", example.builder.add_array("java.util.HashMap$Node[]", {0, entry})}, {"size", 1}});
  example.keep(example.builder.add_object(holder, {{"entries", outer}}));
  const Id fixed = example.builder.add_object(example.list, {{"elementData", 0}, {"size", 0}});
  const Id owner = example.builder.add_class(
      {.name = "demo.Registry", .statics = {{"ALL", Type::object, fixed}}});
  example.keep(owner);
  const auto all = example.report({"--collections"});
  const auto owner_of = [&](std::uint64_t address) {
    const auto found =
        std::find_if(all.biggest.begin(), all.biggest.end(),
                     [&](const BigCollection& big) { return big.address.value == address; });
    REQUIRE(found != all.biggest.end());
    return found->owner;
  };
  CHECK(owner_of(outer).field == "demo.Cache#entries");
  CHECK_FALSE(owner_of(outer).nested);
  CHECK(owner_of(inner).field == "demo.Cache#entries");
  CHECK(owner_of(inner).nested);
  CHECK(owner_of(fixed).field == "class demo.Registry.ALL");
  CHECK(owner_of(fixed).address == Address{owner});
  REQUIRE(all.by_field.has_value());
  REQUIRE(all.by_field->size() == 2);
  const auto& field = all.by_field->front();
  CHECK(field.field == "demo.Cache#entries");
  CHECK(field.collections == 2);
  CHECK(field.empty == 1);
  CHECK(field.elements == 1);
  CHECK(field.wasted == bytes(9));
}

TEST_CASE(
    "a collection that no field alone leads to belongs to a local, to several paths, to roots") {
  Example example;
  auto& builder = example.builder;
  const auto empty_list = [&] {
    return builder.add_object(example.list, {{"elementData", example.slots(9, 0)}, {"size", 0}});
  };
  const auto thread = builder.add_thread({.name = "worker", .frames = {{.method = "work"}}});
  const Id local = empty_list();
  builder.local(thread, local);
  const Id wrapper = example.add("demo.Wrapper", {{"value"}});
  const Id pair = example.add("demo.Pair", {{"a"}, {"b"}});
  const Id shared = empty_list();
  example.keep(builder.add_object(pair, {{"a", builder.add_object(wrapper, {{"value", shared}})},
                                         {"b", builder.add_object(wrapper, {{"value", shared}})}}));
  const Id rooted = empty_list();
  builder.root(Root::jni_global, rooted);
  const Id everywhere = example.keep(empty_list());
  builder.local(thread, everywhere);
  const auto all = example.report({"--collections"});
  const auto owner_of = [&](Id address) {
    const auto found =
        std::find_if(all.biggest.begin(), all.biggest.end(),
                     [&](const BigCollection& big) { return big.address.value == address; });
    REQUIRE(found != all.biggest.end());
    return found->owner.field;
  };
  CHECK(owner_of(local) == "java.lang.Thread (local variable)");
  CHECK(owner_of(shared) == "demo.Pair (several paths)");
  CHECK(owner_of(rooted) == "(GC root: JNI Global)");
  CHECK(owner_of(everywhere) == "(several holders)");
}

TEST_CASE("what a field's collections hold alone is told by class, of trees once") {
  Example example;
  const Id tree = example.add("demo.Tree", {{"children"}});
  const Id event = example.add("demo.Event", {{"number", Type::int32}});
  Id below = example.builder.add_object(event);
  for (int level = 0; level < 3; ++level) {
    const Id array = example.builder.add_array("java.lang.Object[]", {below});
    const Id children =
        example.builder.add_object(example.list, {{"elementData", array}, {"size", 1}});
    below = example.builder.add_object(tree, {{"children", children}});
  }
  example.keep(below);
  const auto all = example.report({"--collections"});
  REQUIRE(all.by_field.has_value());
  REQUIRE(all.by_field->size() == 1);
  const auto& row = all.by_field->front();
  CHECK(row.field == "demo.Tree#children");
  CHECK(row.collections == 3);
  REQUIRE(row.contents.size() >= 2);  // and a class that only these lists have
  CHECK(row.contents[0].class_name == "demo.Tree");
  CHECK(row.contents[0].objects == 2);
  CHECK(row.contents[1].class_name == "demo.Event");
  CHECK(row.contents[1].share_bp == 10'000);
  CHECK(row.retained == all.biggest.front().retained);
}

TEST_CASE("arrays are told by length, fill and content") {
  Example example;
  example.keep(example.slots(0, 0));
  example.keep(example.slots(10, 0));
  example.keep(example.slots(10, 2));
  example.keep(example.slots(10, 3));
  example.keep(example.slots(10, 10));
  example.keep(example.builder.add_zeros(Type::int64, 100'000));
  example.keep(example.builder.add_primitives(Type::int16, {7, 7, 7}));
  example.keep(example.builder.add_primitives(Type::int16, {7, 7, 8}));
  example.keep(example.builder.add_primitives(Type::int16, {7}));
  const auto report = example.finish().report();
  REQUIRE(report.arrays.has_value());
  const auto& arrays = *report.arrays;
  CHECK(arrays.object_arrays == 6);
  CHECK(arrays.zero_length == 1);
  CHECK(arrays.zero_length_shallow == bytes(0));
  CHECK(arrays.biggest.front().length == 100'000);
  REQUIRE(arrays.fill.has_value());
  std::vector<std::pair<std::uint64_t, std::uint64_t>> fill;
  for (const auto& row : *arrays.fill) {
    fill.emplace_back(row.most_bp, row.arrays);
  }
  CHECK(fill == std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                    {0, 1}, {2000, 1}, {4000, 1}, {10'000, 2}});
  REQUIRE(arrays.constant.has_value());
  REQUIRE(arrays.constant->size() == 2);
  CHECK(arrays.constant->at(0).class_name == "long[]");
  CHECK(arrays.constant->at(0).zero_arrays == 1);
  CHECK(arrays.constant->at(1).class_name == "short[]");
  CHECK(arrays.constant->at(1).arrays == 1);
  CHECK(arrays.constant->at(1).zero_arrays == 0);
}

}  // namespace
}  // namespace hprof
