// Where a dump ends: with a record that says so, too early, or before bytes that are not its own.
#include "formats/dump_parts.h"
#include "tests/support/files.h"
#include "tests/support/hprof_builder.h"
#include "tools/hprof-index/stage.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hprof;
using namespace hprof::test;

namespace {

constexpr std::size_t kEndBytes = 9;

DumpDamage damage_in(const Bytes& bytes, std::uint32_t number = 1,
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
                     strictness, steps)
      .damage;
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

Bytes followed_by(Bytes bytes, const std::string& text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

}  // namespace

TEST_CASE("a dump in segments without a last record was cut") {
  const Bytes whole = one_dump();
  CHECK_FALSE(damage_in(whole).any());
  const Bytes cut = first_of(whole, whole.size() - kEndBytes);
  const auto damage = damage_in(cut);
  REQUIRE(damage.rows.size() == 1);
  CHECK(damage.rows.front().kind == DamageKind::cut);
  CHECK(damage.rows.front().lost() == 0);
  CHECK(damage.concerns_dump());
  CHECK_THROWS_AS(damage_in(cut, 1, Strictness::strict), Error);
}

TEST_CASE("a dump in one record needs no last record") {
  Bytes whole = one_dump(Record::heap_dump);
  CHECK_FALSE(damage_in(whole).any());
}

TEST_CASE("what follows the end of a dump is not the dump's") {
  const std::string text = "scp: 100% done, good bye\n\n";
  const auto damage = damage_in(followed_by(one_dump(), text), 1, Strictness::strict);
  REQUIRE(damage.rows.size() == 1);
  CHECK(damage.rows.front().aside);
  CHECK_FALSE(damage.concerns_dump());
  CHECK(damage.lost_from_dump() == 0);
  const auto unknown = damage_in(followed_by(one_dump(Record::heap_dump), text));
  CHECK_MESSAGE(unknown.concerns_dump(), "it may be the rest of the one record");
}

TEST_CASE("a cut dump leaves the one before it whole") {
  for (const auto segment : {Record::heap_dump_segment, Record::heap_dump}) {
    const Bytes whole = two_dumps(segment);
    const Bytes cut = first_of(whole, whole.size() - kEndBytes - 100);
    CHECK_FALSE(damage_in(whole).any());
    CHECK_FALSE(damage_in(whole, 2).any());
    CHECK_FALSE(damage_in(cut).concerns_dump());
    CHECK(damage_in(cut).any());
    CHECK(damage_in(cut, 2).concerns_dump());
  }
}

TEST_CASE("a damaged dump before the one that is read does it no harm") {
  Bytes bytes = two_dumps(Record::heap_dump);
  const auto whole = damage_in(bytes, 2);
  CHECK_FALSE(whole.any());
  CHECK(whole.other_dumps != 0);
}

TEST_CASE("of a cut segment it is said how much is missing") {
  const Bytes whole = one_dump();
  const auto damage = damage_in(first_of(whole, whole.size() - kEndBytes - 10));
  REQUIRE(damage.rows.size() == 1);
  CHECK(damage.rows.front().what.ends_with(
      ": the file ends inside this record, 10 bytes of its segment are missing"));
}
