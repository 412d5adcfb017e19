// A dump in several gzip members of which one is damaged: what the others hold is used, later
// stages read the same, and no record is put together over the gap.
#include "tests/support/hprof_builder.h"
#include "tests/unit/hprof-index/damaged_dump.h"
#include "tools/hprof-index/quick_look.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

using namespace hprof;
using namespace hprof::test;

namespace {

constexpr std::size_t kMemberBytes = 4000;

Bytes some_heap(Record segment) {
  HeapBuilder heap({.segment = segment});
  heap.writer().set_segment_limit(segment == Record::heap_dump ? 1U << 30U : 1500);
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}, {"n", Type::int32}}});
  Id last = 0;
  for (std::uint32_t i = 0; i < 500; ++i) {
    last = heap.add_object(node, {{"next", last}, {"n", i}});
    heap.root(Root::jni_global, heap.add_zeros(Type::int8, i % 50));
  }
  heap.finish();
  return heap.bytes();
}

std::vector<Bytes> members_of(const Bytes& bytes) {
  std::vector<Bytes> members;
  for (std::size_t at = 0; at < bytes.size(); at += kMemberBytes) {
    members.push_back(
        gzip(std::span(bytes).subspan(at, std::min(kMemberBytes, bytes.size() - at))));
  }
  return members;
}

Bytes joined(const std::vector<Bytes>& members) {
  Bytes file;
  for (const auto& member : members) {
    file.insert(file.end(), member.begin(), member.end());
  }
  return file;
}

/// Each member behind the first two is damaged in turn.
void damage_each(Record segment, const std::function<void(Bytes&)>& damage, std::size_t most_lost) {
  const Bytes bytes = some_heap(segment);
  const auto members = members_of(bytes);
  const auto undamaged = read_all(bytes);
  const auto& whole = undamaged.objects;
  const std::size_t made_up = undamaged.indexed - whole.rows.size();
  REQUIRE(members.size() > 8);
  for (std::size_t i = 2; i + 1 < members.size(); ++i) {
    CAPTURE(i);
    auto changed = members;
    damage(changed[i]);
    const auto result = read_all(joined(changed), {.is_gzip = true});
    CAPTURE(describe(result.damage));
    CHECK(check_kept(result, whole) + most_lost >= whole.rows.size());
    CHECK(result.objects.rows.size() + made_up == result.indexed);
    CHECK(result.damage.packing_damaged());
    CHECK(std::none_of(result.damage.rows.begin(), result.damage.rows.end(),
                       [](const Damage& row) { return row.kind == DamageKind::cut; }));
    CHECK(result.dumps == 1);
  }
}

}  // namespace

TEST_CASE("a member that is lost costs its records and those that reach into it") {
  const std::size_t in_member = kMemberBytes / 20;
  for (const Record segment : {Record::heap_dump, Record::heap_dump_segment}) {
    CAPTURE(static_cast<int>(segment));
    damage_each(
        segment, [](Bytes& member) { member[0] = 0; }, in_member);
    damage_each(
        segment, [](Bytes& member) { member[2] = 0xff; }, in_member);
    damage_each(
        segment, [](Bytes& member) { member.resize(15); }, in_member);
  }
}

TEST_CASE("a member with a wrong checksum or length costs nothing") {
  for (const Record segment : {Record::heap_dump, Record::heap_dump_segment}) {
    for (const std::size_t from_end : {2U, 6U}) {
      damage_each(
          segment, [&](Bytes& member) { member[member.size() - from_end] ^= 1U; }, 0);
    }
  }
}

TEST_CASE("the last member may be what is damaged, and that is said") {
  auto members = members_of(some_heap(Record::heap_dump_segment));
  members.back()[0] = 0;
  const auto result = read_all(joined(members), {.is_gzip = true});
  REQUIRE(result.damage.any());
  const auto& last = result.damage.rows.back();
  CHECK(last.kind == DamageKind::packing);
  CHECK(last.what ==
        concat(members.back().size(), " bytes behind the gzip stream are no gzip data"));
}

TEST_CASE("a quick look tells of a member that is damaged, and sees those behind") {
  const TempFolder folder;
  const Bytes bytes = some_heap(Record::heap_dump_segment);
  auto members = members_of(bytes);
  members[3][0] = 0;
  write_file(folder / "x", joined(members));
  const auto look = look_at_dump(folder / "x", {});
  CHECK(look.damage.find("no gzip member begins here") != std::string::npos);
  CHECK(look.dump_bytes == bytes.size() - kMemberBytes);
  members = members_of(bytes);
  members.back()[0] = 0;
  write_file(folder / "x", joined(members));
  CHECK_FALSE(look_at_dump(folder / "x", {}).damage.empty());
}
