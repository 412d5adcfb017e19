#include "formats/damage_log.h"
#include "formats/expectations.h"
#include "formats/hprof_tags.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <utility>

using namespace hprof;

namespace {

constexpr auto kDump = tag::kHeapDump;
constexpr auto kSegment = tag::kHeapDumpSegment;
constexpr auto kEnd = tag::kHeapDumpEnd;
constexpr auto kName = tag::kString;

/// What is known behind records of these kinds, all whole and of the same time.
struct Behind {
  Behind(std::initializer_list<std::uint8_t> tags, std::uint32_t micros = 0) {
    for (const auto tag : tags) {
      read(tag, micros);
    }
  }
  void read(std::uint8_t tag, std::uint32_t micros = 0) {
    if (is_heap_tag(tag)) {
      course.open_heap(tag, BelongsTo::as_it_looks);
    } else {
      course.open_plain(tag);
    }
    course.close(tag);
    expected.take_time(micros);
    expected.take_record(tag);
  }
  /// The same, but the next record had to be searched for.
  Behind&& searched() && {
    expected.take_search();
    return std::move(*this);
  }
  BelongsTo dump_of(std::uint8_t tag, bool is_cut = false) const {
    return expected.dump_of(tag, is_cut, course);
  }

  DumpCourse course;
  Expectations expected;
};

/// A record of `body` bytes at byte 100 that a reader failed in, at byte 150.
DamagedRecord::Place failed_inside(std::uint64_t body) {
  DamagedRecord::Place place;
  place.start = 150;
  place.record_start = 100;
  place.record_end = 109 + body;
  place.in_heap_record = true;
  place.what = "INSTANCE_DUMP: cannot be";
  return place;
}

}  // namespace

TEST_CASE("a heap dump is a dump, segments up to their end are one") {
  CHECK(Behind({kName, kDump, kName, kDump}).course.dumps == 2);
  CHECK(Behind({kSegment, kName, kSegment}).course.dumps == 1);
  CHECK(Behind({kSegment, kEnd, kSegment}).course.dumps == 2);
  CHECK(Behind({kSegment, kDump}).course.dumps == 2);
  CHECK(Behind({kDump, kSegment, kSegment}).course.dumps == 2);
}

TEST_CASE("heap records without a header go on with segments, and with a heap dump they adjoin") {
  CHECK_FALSE(Behind({kSegment, kName}).course.open_headless(false));
  CHECK_FALSE(Behind({kDump}).course.open_headless(true));
  CHECK(Behind({kDump}).course.open_headless(false));
  CHECK(Behind({kDump, kName}).course.open_headless(true));
  CHECK(Behind({kSegment, kEnd}).course.open_headless(false));
  CHECK(Behind({kName}).course.open_headless(true));
}

TEST_CASE("an end counts until heap records follow") {
  CHECK(Behind({kSegment, kEnd}).course.ended);
  CHECK(Behind({kSegment, kEnd, kName}).course.ended);
  CHECK_FALSE(Behind({kSegment, kEnd, kSegment}).course.ended);
  CHECK_FALSE(Behind({kSegment, kEnd}).expected.heap_may_follow());
  CHECK(Behind({kSegment, kEnd, kName}).expected.heap_may_follow());
}

TEST_CASE(
    "in a whole dump only a heap record of another kind that adjoins the last goes on with it") {
  CHECK(Behind({kSegment}).dump_of(kSegment) == BelongsTo::as_it_looks);
  CHECK(Behind({kSegment}).dump_of(kDump) == BelongsTo::last_dump);
  CHECK(Behind({kSegment, kName}).dump_of(kDump) == BelongsTo::as_it_looks);
  CHECK(Behind({kSegment, kEnd}).dump_of(kDump) == BelongsTo::as_it_looks);
  CHECK(Behind({kName}).dump_of(kDump) == BelongsTo::as_it_looks);
}

TEST_CASE("behind damage a heap record begins another dump only with evidence") {
  CHECK(Behind({kSegment, kName}).searched().dump_of(kDump) == BelongsTo::last_dump);
  CHECK(Behind({kDump, kName}).searched().dump_of(kDump) == BelongsTo::as_it_looks);
  CHECK(Behind({kDump, kName}).searched().dump_of(kDump, true) == BelongsTo::last_dump);
  CHECK(Behind({kSegment, kEnd}).searched().dump_of(kDump) == BelongsTo::as_it_looks);

  SUBCASE("a segment does where the end between them may be lost and the writer notes the time") {
    CHECK(Behind({kSegment, kName}, 7).searched().dump_of(kSegment) == BelongsTo::new_dump);
    CHECK(Behind({kSegment, kName}, 0).searched().dump_of(kSegment) == BelongsTo::as_it_looks);
    CHECK(Behind({kSegment}, 7).searched().dump_of(kSegment) == BelongsTo::as_it_looks);
  }
  SUBCASE("up to the first heap record that is whole") {
    auto behind = Behind({kSegment, kName}).searched();
    behind.read(kName);
    CHECK(behind.expected.behind_damage());
    behind.read(kSegment);
    CHECK_FALSE(behind.expected.behind_damage());
  }
}

TEST_CASE("where records have no time, the time of one is an exception") {
  Behind behind({kName});
  behind.read(kName, 99);
  CHECK(behind.expected.micros() == 0U);
  Behind timed({kName}, 5);
  timed.read(kName, 99);
  CHECK(timed.expected.micros() == 99U);
}

TEST_CASE("a cut is taken back when the record turns out to have an end") {
  DamageLog log;
  log.add_fix({.position = 100, .length = 300, .kind = DamageKind::cut}, kSegment);
  log.add_missing(4000);
  const auto place = failed_inside(4300);

  SUBCASE("it has none: the file ends inside it") {
    log.finish(409, "");
    REQUIRE(log.found().rows.size() == 1);
    CHECK(log.found().rows[0].kind == DamageKind::cut);
    CHECK(log.found().rows[0].what.find("4,000 bytes of its segment are missing") !=
          std::string::npos);
  }
  SUBCASE("it ends where reading goes on") {
    log.correct_cut(place, 250);
    REQUIRE(log.found().lengths.size() == 1);
    CHECK(log.found().lengths[0].kind == DamageKind::length);
    CHECK(log.found().lengths[0].length == 250 - 109);
    log.finish(409, "");
    CHECK_FALSE(log.found().any());
  }
  SUBCASE("another record has one") {
    auto other = place;
    other.record_start = 50;
    log.correct_cut(other, 250);
    CHECK(log.found().lengths[0].kind == DamageKind::cut);
  }
}

TEST_CASE("the end of a file is told once, and damage to the packing before all else") {
  DamageLog log;
  Damage damage{.kind = DamageKind::garbled, .position = 150, .resume = 409, .what = "something"};
  log.describe_end(damage, "", sub::kInstanceDump);
  CHECK(damage.what == "something");
  log.add_missing(1);
  log.describe_end(damage, "", sub::kInstanceDump);
  CHECK(damage.kind == DamageKind::cut);
  CHECK(damage.what.starts_with("INSTANCE_DUMP: the file ends inside this record"));
  log.describe_end(damage, "the stream ends early", sub::kInstanceDump);
  CHECK(damage.kind == DamageKind::packing);
  log.add_damage(damage);
  log.finish(409, "the stream ends early");
  CHECK(log.found().rows.size() == 1);
  CHECK(log.found().bytes == 409);
}

TEST_CASE("of a broken stretch it is noted where the record behind it ends") {
  DamageLog log;
  const auto place = failed_inside(300);
  const auto lost = [](std::uint64_t resume, DamageKind kind) {
    return Damage{.kind = kind, .position = 150, .resume = resume, .what = ""};
  };
  log.add_broken(place, lost(150, DamageKind::length), false);
  log.add_broken(place, lost(500, DamageKind::zeros), true);
  CHECK(log.broken().empty());
  log.add_broken(place, lost(409, DamageKind::garbled), false);
  log.note_heap_record(700, 800);
  REQUIRE(log.broken().size() == 1);
  CHECK(log.broken()[0].next_end == 0);
  log.note_heap_record(409, 600);
  CHECK(log.broken()[0].next_end == 600);
  CHECK(log.broken()[0].begin == 109);
  CHECK(log.broken()[0].failed == 150);
}
