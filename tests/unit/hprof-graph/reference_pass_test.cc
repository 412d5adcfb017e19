#include "tools/hprof-graph/reference_pass.h"

#include "common/error.h"
#include "formats/content_hash.h"
#include "formats/reference_graph.h"
#include "tests/support/hprof_builder.h"
#include "tests/support/indexing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>

using namespace hprof;
using namespace hprof::test;

namespace {

/// Of a sink that takes objects in any order; so small that an array of 200 references needs more.
constexpr unsigned kSlabBits = 8;

/// A dump taken through both readings, with what a test asks of the graph.
class Graphed {
 public:
  explicit Graphed(const Bytes& bytes, SizeModel model = SizeModel::mat, bool scattered = false,
                   std::uint64_t hash_mask = 0)
      : index_(index_of(bytes)) {
    const auto shallow_sizes = make_sizes(index_, model);
    const ShallowSizes& sizes = *shallow_sizes;
    const Layouts layouts(index_);
    std::vector<GraphType> types;
    for (const auto& type : index_.types) {
      types.push_back(sizes.describe(type));
    }
    GraphSummary summary{.objects = index_.addresses.size(),
                         .classes = index_.classes.size(),
                         .size_unit = sizes.unit(),
                         .size_model = to_string(model),
                         .java_lang_class = index_.summary.java_lang_class,
                         .class_objects = {},
                         .content_hashes = hash_mask != 0};
    for (const auto& info : index_.classes) {
      summary.class_objects.push_back(info.object.value());
    }
    GraphWriter writer(folder_ / "x.graph", Provenance(), summary, types, {});
    ReferencePass pass(index_, layouts, sizes, types);
    std::unique_ptr<ObjectSink> sink;
    if (scattered || !index_.summary.addresses_ascend) {
      sink = std::make_unique<ScatteredSink>(writer, pass, summary.objects, types, kSlabBits);
    } else {
      sink = std::make_unique<StreamingSink>(writer, pass, summary.objects);
    }
    pass.set_sink(*sink);
    pass.hash_contents(hash_mask);
    read_dump(bytes, pass);
    sink->finish();
    auto result = pass.result(bytes.size());
    totals_ = result.totals;
    excluded_ = std::move(result.excluded);
    writer.commit(excluded_, totals_);
    file_ = std::make_unique<GraphFile>(folder_ / "x.graph");
    graph_ = std::make_unique<ReferenceGraph>(*file_, ReferenceGraph::Excluded::follow);
    file_->for_each_object([this](const ObjectRow& row) {
      shallow_.push_back(row.shallow);
      hashes_.push_back(row.hash);
    });
  }

  std::uint64_t shallow(Id address) const { return shallow_[object(address)]; }
  std::uint64_t hash(Id address) const { return hashes_[object(address)]; }
  const std::vector<std::uint64_t>& hashes() const { return hashes_; }
  std::uint64_t sum() const {
    std::uint64_t total = 0;
    for (const auto bytes : shallow_) {
      total += bytes;
    }
    return total;
  }

  /// Addresses that an object references, its class left out.
  std::vector<Id> references(Id address) const {
    return addresses(graph_->references(object(address)));
  }
  /// The same with its class first.
  std::vector<Id> successors(Id address) const {
    return addresses(graph_->successors(object(address)));
  }

  const GraphTotals& totals() const { return totals_; }
  const std::vector<ExcludedReference>& excluded() const { return excluded_; }
  Bytes file_bytes() const { return read_file(folder_ / "x.graph"); }
  const HeapIndex& index() const { return index_; }

 private:
  std::uint32_t object(Id address) const { return index_.addresses.index_of(address).value(); }
  std::vector<Id> addresses(ReferenceGraph::Cursor cursor) const {
    std::vector<Id> out;
    for (std::uint32_t target = 0; cursor.next(target);) {
      out.push_back(index_.addresses.address_at(ObjectIndex(target)));
    }
    return out;
  }

  TempFolder folder_;
  HeapIndex index_;
  GraphTotals totals_;
  std::vector<ExcludedReference> excluded_;
  std::unique_ptr<GraphFile> file_;
  std::unique_ptr<ReferenceGraph> graph_;
  std::vector<std::uint64_t> shallow_;
  std::vector<std::uint64_t> hashes_;
};

Bytes finished(HeapBuilder& heap) {
  heap.finish();
  return heap.bytes();
}

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

TEST_CASE("MAT's shallow sizes follow fields, reference width and alignment") {
  for (const std::uint32_t reference : {4U, 8U}) {
    CAPTURE(reference);
    HeapBuilder heap({.reference_size = reference});
    const Id base = heap.add_class({.name = "demo.Base", .fields = {{"flag", Type::boolean}}});
    const Id sub = heap.add_class({.name = "demo.Sub",
                                   .super = base,
                                   .fields = {{"next"}, {"n", Type::int64}},
                                   .statics = {{"S"}, {"T", Type::int16}}});
    const Id plain = heap.add_object(base);
    const Id object = heap.add_object(sub);
    const Id array = heap.add_array("demo.Base[]", std::vector<Id>(10, 0));
    heap.add_array("demo.Base[]", std::vector<Id>(10, 0));
    const Id shorts = heap.add_zeros(Type::int16, 3);
    const Graphed graph(finished(heap));
    const auto up = [](std::uint64_t value, std::uint64_t step) {
      return (value + step - 1) / step * step;
    };
    const std::uint64_t header = 8 + reference;
    const std::uint64_t base_bytes = up(header + 1, reference);
    CHECK(graph.shallow(plain) == up(base_bytes, 8));
    CHECK(graph.shallow(object) == up(up(base_bytes + reference + 8, reference), 8));
    CHECK(graph.shallow(array) == up(header + 4 + 10 * reference, 8));
    CHECK(graph.shallow(shorts) == up(up(header + 4, reference) + 6, 8));
    CHECK(graph.shallow(sub) == up(reference + 2, 8));
    CHECK(graph.shallow(base) == 0);
    CHECK(graph.totals().all_shallow == graph.sum());
  }
}

TEST_CASE("dumped sizes are what the records say") {
  HeapBuilder heap(
      {.format = {.version = "JAVA PROFILE 1.0.3", .id_size = 4}, .dotted_names = true});
  const Id node = heap.add_class({.name = "demo.Node",
                                  .fields = {{"next"}},
                                  .statics = {{"S"}, {"N", Type::int8}},
                                  .instance_size = 13});
  const Id object = heap.add_object(node);
  const Id array = heap.add_array("demo.Node[]", {object, object, object});
  const Id shorts = heap.add_zeros(Type::int16, 3);
  heap.writer().primitive_array_without_data(0x9000001, Type::int64, 0x7fffffff);
  const Graphed graph(finished(heap), SizeModel::dumped);
  CHECK(graph.shallow(object) == 13);
  CHECK(graph.shallow(array) == 12);
  CHECK(graph.shallow(shorts) == 6);
  CHECK(graph.shallow(node) == 5);
  CHECK(graph.shallow(0x9000001) == 8ULL * 0x7fffffff);
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

TEST_CASE("arrays have equal hashes when type, length and elements are equal") {
  HeapBuilder heap;
  Bytes big(200'003);
  for (std::size_t i = 0; i < big.size(); ++i) {
    big[i] = static_cast<std::uint8_t>(i * i >> 3U);
  }
  const auto count = static_cast<std::uint32_t>(big.size());
  const Id first = heap.add_primitive_data(Type::int8, count, big);
  const Id same = heap.add_primitive_data(Type::int8, count, big);
  big.back() ^= 1U;
  const Id other = heap.add_primitive_data(Type::int8, count, big);
  const Id ints = heap.add_zeros(Type::int32, 4);
  const Id longs = heap.add_zeros(Type::int64, 2);
  const Id fewer = heap.add_zeros(Type::int32, 3);
  const Id empty = heap.add_zeros(Type::int8, 0);
  const Id plain = heap.add_object(heap.class_named("java.lang.Object"));
  const Bytes dump = finished(heap);
  for (const bool scattered : {false, true}) {
    CAPTURE(scattered);
    const Graphed graph(dump, SizeModel::mat, scattered, ~std::uint64_t{0});
    CHECK(graph.hash(first) == graph.hash(same));
    CHECK(graph.hash(first) != graph.hash(other));
    CHECK(graph.hash(ints) != graph.hash(longs));
    CHECK(graph.hash(ints) != graph.hash(fewer));
    CHECK(graph.hash(empty) != 0);
    CHECK(graph.hash(plain) == 0);
  }
  const Graphed plain_graph(dump);
  CHECK(plain_graph.hash(first) == 0);
  CHECK_FALSE(Graphed(dump).file_bytes() ==
              Graphed(dump, SizeModel::mat, false, ~std::uint64_t{0}).file_bytes());
  CHECK(Graphed(dump, SizeModel::mat, true, 3).hashes() ==
        Graphed(dump, SizeModel::mat, false, 3).hashes());
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

TEST_CASE("a hash does not depend on where the elements are cut") {
  Bytes bytes(100);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(7 * i + 1);
  }
  ContentHash whole(0, RecordKind::byte_array, bytes.size());
  whole.add(bytes);
  for (std::size_t step = 1; step < bytes.size(); ++step) {
    ContentHash pieces(0, RecordKind::byte_array, bytes.size());
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      pieces.add(std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
    }
    REQUIRE(pieces.value() == whole.value());
  }
}
