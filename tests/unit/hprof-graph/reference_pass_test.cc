#include "tools/hprof-graph/reference_pass.h"

#include "common/error.h"
#include "tests/unit/hprof-graph/graphed.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace hprof;
using namespace hprof::test;

namespace {

/// What the second reading says of another dump than the one that was indexed.
std::string complaint(const Bytes& indexed, const Bytes& other) {
  const TempFolder folder;
  const HeapIndex index = index_of(indexed);
  const auto sizes = make_sizes(index, SizeModel::mat);
  const Layouts layouts(index);
  std::vector<GraphType> types;
  for (const auto& type : index.types) {
    types.push_back(sizes->describe(type));
  }
  GraphSummary summary;
  summary.objects = index.addresses.size();
  summary.classes = index.classes.size();
  summary.size_unit = sizes->unit();
  GraphWriter writer(folder / "x.graph", Provenance(), summary, types, {});
  ReferencePass pass(index, layouts, *sizes, types);
  pass.set_dump("out/app.hprof");
  StreamingSink sink(writer, pass, summary.objects);
  pass.set_sink(sink);
  try {
    read_dump(other, pass);
    sink.finish();
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::stale);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what contradicts the index is said of the dump, with what to do") {
  const auto dump = [](int objects) {
    HeapBuilder heap;
    const Id node = heap.add_class({.name = "demo.Node"});
    for (int i = 0; i < objects; ++i) {
      heap.add_object(node);
    }
    return finished(heap);
  };
  CHECK(complaint(dump(2), dump(2)).empty());
  CHECK(complaint(dump(2), dump(3)) ==
        "out/app.hprof: holds an object that its index does not know; run hprof-index on it again");
  CHECK(complaint(dump(3), dump(2)) ==
        "out/app.hprof: lacks an object that its index knows; run hprof-index on it again");
}

TEST_CASE("an instance references its class and every object field, subclass fields first") {
  HeapBuilder heap;
  const Id base =
      heap.add_class({.name = "demo.Base", .fields = {{"b"}, {"n", Type::int16}, {"c"}}});
  const Id sub = heap.add_class(
      {.name = "demo.Sub", .super = base, .fields = {{"flag", Type::boolean}, {"b"}}});
  const Id x = heap.add_object(base);
  const Id y = heap.add_object(base);
  const Id object = heap.add_object(sub, {{"demo.Base#b", x}, {"c", y}, {"b", y}});
  const Graphed graph(finished(heap));
  CHECK(graph.successors(object) == std::vector<Id>{sub, y, x, y});
  CHECK(graph.references(x).empty());
}

TEST_CASE("an array references its class and its elements in order, nulls left out") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node"});
  const Id one = heap.add_object(node);
  const Id two = heap.add_object(node);
  const Id array = heap.add_array("demo.Node[]", {two, 0, one, 0, two});
  const Id bytes = heap.add_zeros(Type::int8, 100);
  const Graphed graph(finished(heap));
  CHECK(graph.references(array) == std::vector<Id>{two, one, two});
  CHECK(graph.successors(array)[0] == heap.class_named("demo.Node[]"));
  CHECK(graph.references(bytes).empty());
}

TEST_CASE("a class object references its super class, its loader and its statics") {
  HeapBuilder heap;
  const Id loader_class = heap.add_class({.name = "demo.Loader"});
  const Id loader = heap.add_object(loader_class);
  const Id base = heap.add_class({.name = "demo.Base"});
  const Id value = heap.add_object(base);
  const Id own =
      heap.add_class({.name = "demo.Own",
                      .super = base,
                      .statics = {{"N", Type::int64, 5}, {"FIRST", Type::object, value}, {"NONE"}},
                      .loader = loader,
                      .constants = {{.index = 1, .type = Type::object, .value = value}}});
  const Graphed graph(finished(heap));
  const Id java_lang_class = heap.class_named("java.lang.Class");
  CHECK(graph.successors(own) == std::vector<Id>{java_lang_class, base, loader, value});
  CHECK(graph.references(loader_class).back() == 0);
}

TEST_CASE("a thread references its locals, each once") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node"});
  const Id one = heap.add_object(node);
  const Thread thread = heap.add_thread({.frames = {{}, {}}});
  heap.local(thread, one, 0);
  heap.local(thread, one, 1);
  const Graphed graph(finished(heap));
  const auto references = graph.references(thread.object);
  CHECK(std::count(references.begin(), references.end(), one) == 1);
}

TEST_CASE("references to what is no object are dropped and counted by where they stand") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  const Id own = heap.add_class({.name = "demo.Own", .statics = {{"LOST", Type::object, 0xbad0}}});
  const Id object = heap.add_object(node, {{"next", 0xbad1}});
  const Id array = heap.add_array("demo.Node[]", {0xbad2, object, 0xbad3});
  const Graphed graph(finished(heap));
  CHECK(graph.references(object).empty());
  CHECK(graph.references(array) == std::vector<Id>{object});
  CHECK(graph.references(own).size() == 2);
  CHECK(graph.totals().dangling_instance == 1);
  CHECK(graph.totals().dangling_array == 2);
  CHECK(graph.totals().dangling_class == 1);
  CHECK(graph.totals().dangling_references == 4);
}

TEST_CASE("the referent of a reference is marked, also below other fields and in subclasses") {
  HeapBuilder heap;
  const Id reference = heap.add_class(
      {.name = "java.lang.ref.Reference", .fields = {{"queue"}, {"referent"}, {"next"}}});
  const Id weak =
      heap.add_class({.name = "demo.Weak", .super = reference, .fields = {{"referent"}}});
  const Id x = heap.add_object(reference);
  const Id y = heap.add_object(
      weak, {{"demo.Weak#referent", x}, {"java.lang.ref.Reference#referent", x}, {"next", x}});
  heap.add_object(weak, {{"next", x}});
  const Graphed graph(finished(heap));
  REQUIRE(graph.excluded().size() == 1);
  CHECK(graph.excluded()[0].source == graph.index().addresses.index_of(y).value());
  CHECK(graph.excluded()[0].ordinal == 1);
}

TEST_CASE("an instance record shorter than its class's fields loses only what is not there") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"a"}, {"b"}}});
  const Id one = heap.add_object(node);
  Encoder data(8);
  data.id(one).u4(0xffffffff);
  heap.writer().instance(0x9000000, node, data.out());
  heap.writer().instance(0x9000100, node, Bytes());
  const Graphed graph(finished(heap));
  CHECK(graph.references(0x9000000) == std::vector<Id>{one});
  CHECK(graph.references(0x9000100).empty());
  CHECK(graph.totals().short_instances == 2);
}

TEST_CASE("content arrays of strings are harvested, strings of unknown layout counted") {
  HeapBuilder heap;
  const Id array = heap.add_zeros(Type::int8, 10);
  const Id one = heap.add_string_over(array);
  const Id two = heap.add_string_over(array);
  const Graphed graph(finished(heap));
  CHECK(graph.totals().strings_harvested == 2);
  CHECK(graph.totals().strings_fallback == 0);
  CHECK(graph.references(one) == std::vector<Id>{array});
  CHECK(graph.references(two) == std::vector<Id>{array});
  HeapBuilder odd({.core = CoreClasses::none});
  const Id string = odd.add_class({.name = "java.lang.String", .fields = {{"value"}, {"other"}}});
  odd.add_object(string);
  CHECK(Graphed(finished(odd)).totals().strings_fallback == 1);
}

TEST_CASE("records in any order give the same file as records in address order") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}, {"other"}}});
  std::vector<Id> nodes;
  for (int i = 0; i < 500; ++i) {
    const Id next = nodes.empty() ? 0 : nodes[nodes.size() / 2];
    nodes.push_back(
        heap.add_object(node, {{"next", next}, {"other", nodes.empty() ? 0 : nodes[0]}}));
    if (i % 50 == 0) {
      nodes.push_back(heap.add_array("demo.Node[]", std::vector<Id>(nodes)));
    }
  }
  const Bytes bytes = finished(heap);
  const Graphed streamed(bytes);
  REQUIRE(streamed.index().summary.addresses_ascend);
  CHECK(Graphed(bytes, SizeModel::mat, true).file_bytes() == streamed.file_bytes());
}

TEST_CASE("the first record of an id is the one that counts") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  const Id one = heap.add_object(node);
  heap.add_object(node, {{"next", one}}, 0x9000000);
  heap.add_object(node, {{"next", 0x9000000}}, 0x9000000);
  heap.add_object(node, {{"next", one}}, node);
  const Graphed graph(finished(heap));
  CHECK(graph.references(0x9000000) == std::vector<Id>{one});
  CHECK(graph.successors(node)[0] == heap.class_named("java.lang.Class"));
}

TEST_CASE("objects that wait in memory, small and large, are written as if they had not") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  std::vector<Id> nodes;
  for (int i = 0; i < 300; ++i) {
    nodes.push_back(heap.add_object(node, {{"next", nodes.empty() ? 0 : nodes.back()}}));
    if (i % 50 == 0) {
      heap.add_array("demo.Node[]", std::span<const Id>(nodes));
    }
  }
  heap.add_array("demo.Node[]", std::span<const Id>(nodes));
  heap.add_object(node, {{"next", nodes.front()}});
  const Bytes dump = finished(heap);
  CHECK(Graphed(dump, SizeModel::mat, true).file_bytes() == Graphed(dump).file_bytes());
}
