#include "formats/content_hash.h"
#include "tests/unit/hprof-graph/graphed.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hprof;
using namespace hprof::test;

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
