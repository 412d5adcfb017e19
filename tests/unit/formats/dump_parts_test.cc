#include "formats/dump_parts.h"

#include "common/byte_cursor.h"
#include "common/error.h"
#include "tests/support/files.h"
#include "tests/support/hprof_builder.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hprof;
using namespace hprof::test;

namespace {

/// A finished dump, cut into what is in front of its heap segments and the segments.
struct Segmented {
  Segmented() {
    HeapBuilder heap;
    heap.writer().set_segment_limit(300);
    const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
    Id last = 0;
    for (int i = 0; i < 60; ++i) {
      last = heap.add_object(node, {{"next", last}});
    }
    heap.root(Root::jni_global, last);
    heap.finish();
    const Bytes bytes = heap.bytes();
    std::size_t at = std::string("JAVA PROFILE 1.0.2").size() + 13;
    front.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    while (at < bytes.size()) {
      const auto length = load_big_endian<std::uint32_t>(&bytes[at + 5]);
      const Bytes record(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                         bytes.begin() + static_cast<std::ptrdiff_t>(at + 9 + length));
      if (record[0] == 0x1c) {
        segments.push_back(record);
      } else if (record[0] != 0x2c) {
        front.insert(front.end(), record.begin(), record.end());
      }
      at += record.size();
    }
  }

  /// Segments from `first` on, up to `end`.
  Bytes some(std::size_t first, std::size_t end) const {
    Bytes out;
    for (std::size_t i = first; i < end; ++i) {
      out.insert(out.end(), segments[i].begin(), segments[i].end());
    }
    return out;
  }

  Bytes front;
  std::vector<Bytes> segments;
};

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes first_bytes(Bytes bytes, std::size_t count) {
  bytes.resize(count);
  return bytes;
}

Bytes read_all(ByteSource& source) {
  Bytes out(1U << 16U);
  out.resize(source.read(out));
  return out;
}

TEST_CASE("parts are found by their names, in the order of their numbers") {
  const TempFolder folder;
  for (const char* name :
       {"a.hprof", "a.hprof.p10", "a.hprof.p2", "a.hprof.p0", "a.hprof.p", "a.hprof.px1",
        "a.hprof.p123456", "a.hprof.p07", "b.hprof.p1", "a.hprof.p1.gz", "a.hprof.p2.gz",
        "a.hprof.gz.p3", "a.hprof.gz", "a.hprof.p4.xz"}) {
    write_file(folder / name, Bytes{0});
  }
  using Suffixes = std::vector<std::string>;
  CHECK(parts_beside(folder / "a.hprof") == Suffixes{".p0", ".p1.gz", ".p2", ".p10"});
  CHECK(parts_beside(folder / "a.hprof.gz") == Suffixes{".p0", ".p1.gz", ".p2", ".gz.p3", ".p10"});
  CHECK(path_of_part("x/a.hprof.gz", ".p1.gz") == "x/a.hprof.p1.gz");
  CHECK(path_of_part("x/a.hprof.gz", "") == "x/a.hprof.gz");
  CHECK(parts_beside(folder / "none.hprof").empty());
  CHECK(parts_beside("/no/such/folder/a.hprof").empty());
}

TEST_CASE("a dump with nothing of its heap, and all of it in the parts") {
  const Segmented dump;
  REQUIRE(dump.segments.size() > 4);
  const TempFolder folder;
  const std::string path = folder / "a.hprof";
  write_file(path, dump.front);
  write_file(path + ".p0", dump.some(0, 2));
  write_file(path + ".p1", dump.some(2, dump.segments.size()));
  const auto parts = measure_parts(path);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0] == DumpPart{.suffix = "", .bytes = dump.front.size(), .left_over = 0});
  CHECK(parts[2].suffix == ".p1");
  const auto source = open_parts(path, parts);
  CHECK(read_all(*source) == dump.front + dump.some(0, dump.segments.size()));
  const auto rows = unfinished_rows(path, parts);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].position == dump.front.size());
  CHECK(rows[0].lost() == 0);
}

TEST_CASE("parts may be packed, and the dump as well") {
  const Segmented dump;
  const Bytes all = dump.front + dump.some(0, dump.segments.size());
  for (const bool packed : {false, true}) {
    const TempFolder folder;
    const std::string path = folder / (packed ? "a.hprof.gz" : "a.hprof");
    write_file(path, packed ? gzip(dump.front) : dump.front);
    write_file(folder / "a.hprof.p0.gz", gzip(dump.some(0, 2)));
    write_file(folder / "a.hprof.p1", dump.some(2, 3));
    write_file(folder / "a.hprof.p2.gz", gzip(dump.some(3, dump.segments.size())));
    const auto parts = measure_parts(path);
    REQUIRE(parts.size() == 4);
    CHECK(read_all(*open_parts(path, parts)) == all);
    CHECK(unfinished_rows(path, parts).size() == 1);
    const auto option = parts_option(parts);
    auto short_part = gzip(dump.some(3, dump.segments.size()));
    short_part.resize(short_part.size() / 2);
    write_file(folder / "a.hprof.p2.gz", short_part);
    CHECK(parts_option(measure_parts(path)) != option);
  }
}

TEST_CASE("a part is used up to where packed bytes are missing in it, and what follows is told") {
  const Segmented dump;
  const TempFolder folder;
  const std::string path = folder / "a.hprof";
  write_file(path, dump.front);
  Bytes part = gzip(dump.some(0, 2));
  const Bytes behind = gzip(dump.some(2, 3));
  part.insert(part.end(), {'x', 'y', 'z'});
  part.insert(part.end(), behind.begin(), behind.end());
  write_file(folder / "a.hprof.p0.gz", part);
  const auto parts = measure_parts(path);
  REQUIRE(parts.size() == 2);
  CHECK(parts[1].bytes == dump.some(0, 2).size());
  CHECK(parts[1].left_over == dump.some(2, 3).size());
  CHECK(read_all(*open_parts(path, parts)) == dump.front + dump.some(0, 2));
}

TEST_CASE("first parts that are gone are told, unless the dump has them") {
  const Segmented dump;
  const TempFolder folder;
  const std::string path = folder / "a.hprof.gz";
  write_file(folder / "a.hprof.p2", dump.some(1, 3));
  write_file(folder / "a.hprof.p4", Bytes{});
  const auto words = [&] {
    std::vector<std::string> out;
    for (const auto& row : unfinished_rows(path, measure_parts(path))) {
      out.push_back(row.what);
    }
    return out;
  };
  const std::string last = "a.hprof.p3 is not there, a.hprof.p4 is empty";
  write_file(path, gzip(dump.front));
  const auto without = words();
  REQUIRE(without.size() == 3);
  CHECK(without[1] == "a.hprof.p0 to .p1 are not there");
  CHECK(without[2] == last);
  write_file(path, gzip(dump.front + dump.some(0, 1)));
  REQUIRE(words().size() == 2);
  CHECK(words().back() == last);
}

TEST_CASE(
    "what the dump already has of the first part that is left is read once, wherever it was cut") {
  const Segmented dump;
  const TempFolder folder;
  const std::string path = folder / "a.hprof";
  const Bytes merged = dump.front + dump.some(0, 2);  // .p0 is in the dump and deleted
  const Bytes part = dump.some(2, dump.segments.size());
  write_file(path + ".p1", part);
  for (std::size_t copied = 0; copied <= part.size(); ++copied) {
    write_file(path, merged + first_bytes(part, copied));
    const auto parts = measure_parts(path);
    const auto source = open_parts(path, parts);
    REQUIRE(read_all(*source) == merged + part);
  }
}

TEST_CASE("of files that end inside a record the whole records are used, and the rest is told") {
  const Segmented dump;
  const TempFolder folder;
  const std::string path = folder / "a.hprof";
  write_file(path, dump.front + Bytes{0x01, 0, 0});
  write_file(path + ".p0", first_bytes(dump.some(0, 3), dump.some(0, 3).size() - 5));
  write_file(path + ".p1", Bytes{});
  const auto parts = measure_parts(path);
  CHECK(parts[0] == DumpPart{.suffix = "", .bytes = dump.front.size(), .left_over = 3});
  CHECK(parts[1].bytes == dump.some(0, 2).size());
  CHECK(parts[1].left_over == dump.segments[2].size() - 5);
  CHECK(parts[2] == DumpPart{.suffix = ".p1", .bytes = 0, .left_over = 0});
  const auto rows = unfinished_rows(path, parts);
  REQUIRE(rows.size() == 4);
  CHECK(rows.back().what == "a.hprof.p1 is empty");
  CHECK(read_all(*open_parts(path, parts)) == dump.front + dump.some(0, 2));
}

TEST_CASE(
    "several files as one: reading on over their ends, going anywhere, and a part that shrinks") {
  const Segmented dump;
  const TempFolder folder;
  const std::string path = folder / "a.hprof";
  write_file(path, dump.front);
  write_file(path + ".p0", dump.some(0, 2));
  write_file(path + ".p1", dump.some(2, 4));
  const auto parts = measure_parts(path);
  const Bytes all = dump.front + dump.some(0, 4);
  const auto source = open_parts(path, parts);
  for (const std::size_t position : {all.size(), std::size_t{0}, dump.front.size(), std::size_t{7},
                                     dump.front.size() + dump.some(0, 2).size(), all.size() - 1}) {
    REQUIRE(source->go_to(position) == position);
    CHECK(read_all(*source) ==
          Bytes(all.begin() + static_cast<std::ptrdiff_t>(position), all.end()));
  }
  CHECK(source->go_to(all.size() + 5) == all.size());
  source->go_to(3);
  CHECK(source->skip(dump.front.size()) == dump.front.size());
  Bytes one(1);
  CHECK(source->read(one) == 1);
  CHECK(one[0] == all[dump.front.size() + 3]);
  CHECK(source->skip(1U << 20U) == all.size() - dump.front.size() - 4);

  write_file(path + ".p1", dump.some(2, 3));
  CHECK_THROWS_AS(read_all(*open_parts(path, parts)), Error);
}

TEST_CASE("a part that is not there between two others is told, and changes of parts are options") {
  const Segmented dump;
  const TempFolder folder;
  const std::string path = folder / "a.hprof";
  write_file(path, dump.front);
  write_file(path + ".p0", dump.some(0, 1));
  write_file(path + ".p3", dump.some(1, 2) + Bytes{0x1c});
  const auto parts = measure_parts(path);
  const auto rows = unfinished_rows(path, parts);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].what == "a.hprof.p1 to .p2 are not there");
  const DumpDamage damage{.rows = rows, .lengths = {}, .bytes = 0, .parts = parts};
  CHECK(damage.lost_bytes() == 1);
  const auto option = parts_option(parts);
  write_file(path + ".p3", dump.some(1, 2));
  CHECK(parts_option(measure_parts(path)) != option);
  CHECK(bytes_of_files(path, parts) ==
        dump.front.size() + dump.segments[0].size() + dump.segments[1].size());
}

TEST_CASE("no parts, or a finished dump beside them: nothing to salvage") {
  const Segmented dump;
  const TempFolder folder;
  const std::string path = folder / "a.hprof";
  write_file(path, dump.front);
  CHECK_THROWS_AS(measure_parts(path), Error);
  write_file(path, dump.front + dump.some(0, 1) + Bytes{0x2c, 0, 0, 0, 0, 0, 0, 0, 0});
  write_file(path + ".p0", dump.some(1, 2));
  CHECK_THROWS_AS(measure_parts(path), Error);
}

}  // namespace
