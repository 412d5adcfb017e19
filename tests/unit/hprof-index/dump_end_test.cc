// Where a dump ends: with a record that says so, or too early; and what stands between its records.
#include "common/byte_cursor.h"
#include "formats/dump_parts.h"
#include "formats/hprof_tags.h"
#include "tests/support/files.h"
#include "tests/support/hprof_builder.h"
#include "tools/hprof-index/stage.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hprof;
using namespace hprof::test;

namespace {

constexpr std::size_t kEndBytes = 9;

HeapIndex index_of(const Bytes& bytes, std::uint32_t number = 1,
                   Strictness strictness = Strictness::lenient) {
  const TempFolder folder;
  const std::string path = folder / "x.hprof";
  write_file(path, bytes);
  CommonOptions quiet;
  quiet.quiet = true;
  const ToolInfo tool{.name = "test", .synopsis = "", .purpose = "", .example = ""};
  Steps steps(tool, quiet);
  BufferedInput input(open_dump(path, {}));
  const auto header = read_hprof_header(input, path);
  return build_index({.path = path, .header = header, .number = number, .parts = {}}, input,
                     strictness, steps);
}

DumpDamage damage_in(const Bytes& bytes, std::uint32_t number = 1,
                     Strictness strictness = Strictness::lenient) {
  return index_of(bytes, number, strictness).damage;
}

/// Where the headers of records of a kind begin.
std::vector<std::size_t> records_of(std::uint8_t tag, const Bytes& bytes) {
  std::vector<std::size_t> out;
  auto at = static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), 0) - bytes.begin()) + 13;
  for (; at + kEndBytes <= bytes.size();
       at += kEndBytes + load_big_endian<std::uint32_t>(&bytes[at + 5])) {
    if (bytes[at] == tag) {
      out.push_back(at);
    }
  }
  return out;
}

void add_objects(HeapBuilder& heap, unsigned count) {
  const Id type = heap.class_named("demo.Node");
  for (unsigned i = 0; i < count; ++i) {
    heap.root(Root::jni_global, heap.add_object(type));
  }
}

Bytes one_dump(Record segment = Record::heap_dump_segment) {
  HeapBuilder heap({.segment = segment});
  add_objects(heap, 50);
  heap.finish();
  return heap.bytes();
}

Bytes two_dumps(Record segment) {
  HeapBuilder heap({.segment = segment});
  add_objects(heap, 50);
  heap.next_dump();
  add_objects(heap, 50);
  heap.finish();
  return heap.bytes();
}

Bytes first_of(const Bytes& bytes, std::size_t count) {
  return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

TEST_CASE("empty segments are no damage, not in front of the last record either") {
  for (const unsigned count : {1U, 2U}) {
    Bytes bytes = one_dump();
    const Bytes empty = [] {
      Bytes header(kEndBytes, 0);
      header[0] = tag::kHeapDumpSegment;
      return header;
    }();
    for (unsigned i = 0; i < count; ++i) {
      bytes.insert(bytes.end() - static_cast<std::ptrdiff_t>(kEndBytes), empty.begin(),
                   empty.end());
    }
    CHECK_FALSE(damage_in(bytes, 1, Strictness::strict).any());
  }
}

TEST_CASE("a dump in segments without a last record was cut") {
  const Bytes whole = one_dump();
  CHECK_FALSE(damage_in(whole).any());
  const Bytes cut = first_of(whole, whole.size() - kEndBytes);
  const auto damage = damage_in(cut);
  REQUIRE(damage.rows.size() == 1);
  CHECK(damage.rows.front().kind == DamageKind::cut);
  CHECK(damage.rows.front().lost() == 0);
  CHECK_THROWS_AS(damage_in(cut, 1, Strictness::strict), Error);
}

TEST_CASE("a dump in one record needs no last record") {
  Bytes whole = one_dump(Record::heap_dump);
  CHECK_FALSE(damage_in(whole).any());
}

TEST_CASE("a cut dump is damage for the one before it, too") {
  for (const auto segment : {Record::heap_dump_segment, Record::heap_dump}) {
    const Bytes whole = two_dumps(segment);
    const Bytes cut = first_of(whole, whole.size() - kEndBytes - 100);
    CHECK_FALSE(damage_in(whole).any());
    CHECK_FALSE(damage_in(whole, 2).any());
    CHECK(damage_in(cut).any());
    CHECK(damage_in(cut, 2).any());
  }
}

TEST_CASE("records of unknown kinds are passed over") {
  HeapBuilder heap;
  heap.writer().record(0x10, Bytes(40, 0));
  add_objects(heap, 50);
  heap.writer().end_segment();
  heap.writer().record(0x7f, Bytes{'x', 'y', 'z'});
  heap.finish();
  CHECK_FALSE(damage_in(heap.bytes()).any());
}

TEST_CASE("a name whose tag became that of a heap dump is no dump") {
  Bytes bytes = one_dump();
  const auto name = records_of(0x01, bytes).at(5);
  for (const auto tag : Bytes{0x0c, 0x1c}) {
    bytes[name] = tag;
    const auto index = index_of(bytes);
    CHECK(index.summary.dumps_in_file == 1);
    CHECK(index.damage.lost_bytes() < 100);
  }
}

TEST_CASE("a segment that has lost its header ends, wherever it is") {
  HeapBuilder heap;
  heap.writer().set_segment_limit(200);
  add_objects(heap, 200);
  heap.finish();
  const Bytes whole = heap.bytes();
  const auto objects = index_of(whole).addresses.size();
  for (const auto at : records_of(0x1c, whole)) {
    for (const auto tag : Bytes{0x00, 0xf5}) {
      Bytes bytes = whole;
      bytes[at] = tag;
      CHECK(index_of(bytes).addresses.size() + 20 > objects);
    }
  }
}

TEST_CASE("of a cut segment it is said how much is missing") {
  const Bytes whole = one_dump();
  const auto damage = damage_in(first_of(whole, whole.size() - kEndBytes - 10));
  REQUIRE(damage.rows.size() == 1);
  CHECK(damage.rows.front().what.ends_with(
      ": the file ends inside this record, 10 bytes of its segment are missing"));
}
