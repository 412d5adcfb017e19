#include "common/open_source.h"
#include "formats/dump_parts.h"
#include "formats/lenient_reader.h"
#include "tests/support/files.h"
#include "tests/support/hprof_builder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

using namespace hprof;
using namespace hprof::test;

namespace {

/// The objects that a reading tells, in order; with their contents only where they are asked for.
template <bool kContents>
struct Objects : HprofVisitor {
  static constexpr bool kWantsReferences = kContents;
  static constexpr bool kWantsContents = kContents;

  void on_instance(std::uint64_t id, std::uint64_t /*class_id*/, std::uint32_t /*trace*/,
                   std::uint32_t /*bytes*/, const std::uint8_t* /*data*/) {
    ids.push_back(id);
  }
  void on_object_array(std::uint64_t id, std::uint64_t /*class_id*/, std::uint32_t /*trace*/,
                       std::uint32_t /*elements*/) {
    ids.push_back(id);
  }
  void on_primitive_array(std::uint64_t id, std::uint8_t /*type*/, std::uint32_t /*trace*/,
                          std::uint32_t /*elements*/) {
    ids.push_back(id);
  }
  bool wants_contents() const { return kContents; }
  void on_string(std::uint64_t /*id*/, std::span<const std::uint8_t> /*text*/) { ++strings; }

  std::vector<std::uint64_t> ids;
  unsigned strings = 0;
};

/// Two segments with some objects each, between them a plain record.
Bytes two_segments(HeapOptions options = {}) {
  HeapBuilder heap(options);
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  Id last = 0;
  for (int i = 0; i < 4; ++i) {
    last = heap.add_object(node, {{"next", last}});
  }
  if (options.segment == Record::heap_dump_segment) {
    heap.writer().end_segment();
  }
  heap.name("a name between the segments");
  heap.add_class({.name = "demo.Other"});
  heap.add_array("demo.Node[]", {last, 0, last});
  heap.add_zeros(Type::int64, 5);
  heap.root(Root::jni_global, last);
  heap.finish();
  return heap.bytes();
}

struct Readings {
  std::uint32_t dumps = 0;
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> second;
  DumpDamage damage;
};

/// Reads a file as hprof-index does, then as the later stages do.
Readings read_twice(const std::string& path) {
  Readings out;
  {
    Objects<false> objects;
    BufferedInput input(open_source(path));
    input.source().tolerate_damage();
    const auto header = read_hprof_header(input, path);
    LenientReader<Objects<false>> reader(input, header, path, objects);
    out.dumps = reader.read({}, [](std::uint64_t) {});
    out.first = std::move(objects.ids);
    out.damage = reader.found();
  }
  Objects<true> objects;
  BufferedInput input(open_damaged_source(path, out.damage));
  const auto header = read_hprof_header(input, path);
  HprofReader<Objects<true>> reader(input, header, path, objects);
  reader.set_input_size(input.source().is_compressed() ? 0 : file_size(open_input(path), path));
  reader.pass_over(out.damage);
  reader.read({}, [](std::uint64_t) {});
  out.second = std::move(objects.ids);
  return out;
}

Readings read_twice(const Bytes& bytes) {
  const TempFolder folder;
  write_file(folder / "x.hprof", bytes);
  return read_twice(folder / "x.hprof");
}

std::size_t header_end(const Bytes& bytes) {
  return static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), 0) - bytes.begin()) + 13;
}

std::string describe(const DumpDamage& damage) {
  std::string out;
  for (const auto& row : damage.rows) {
    out += concat(kDamageWords[static_cast<std::size_t>(row.kind)], " ", row.position, "-",
                  row.resume, " ", row.what, "; ");
  }
  for (const auto& fix : damage.lengths) {
    out += concat("length of ", fix.position, " is ", fix.length, "; ");
  }
  return out;
}

bool is_prefix(const std::vector<std::uint64_t>& part, const std::vector<std::uint64_t>& whole) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

}  // namespace

TEST_CASE("a whole dump has no damage") {
  const auto readings = read_twice(two_segments());
  CHECK_FALSE(readings.damage.any());
  CHECK(readings.damage.lengths.empty());
  CHECK(readings.first.size() == 6);
  CHECK(readings.second == readings.first);
}

TEST_CASE("a dump cut anywhere gives the records before the cut, in every reading the same") {
  for (const Record segment : {Record::heap_dump, Record::heap_dump_segment}) {
    const Bytes whole = two_segments({.segment = segment});
    const auto all = read_twice(whole).first;
    std::size_t before = 0;
    for (std::size_t size = header_end(whole); size < whole.size(); ++size) {
      CAPTURE(size);
      const auto readings =
          read_twice(Bytes(whole.begin(), whole.begin() + static_cast<long>(size)));
      REQUIRE(is_prefix(readings.first, all));
      REQUIRE(readings.second == readings.first);
      INFO(describe(readings.damage));
      REQUIRE(readings.first.size() >= before);
      before = readings.first.size();
      REQUIRE(readings.damage.bytes == size);
      REQUIRE(readings.damage.lost_bytes() <= size - header_end(whole));
    }
    CHECK(before == all.size());
  }
}

TEST_CASE("any byte may be wrong: both readings agree, and end") {
  const Bytes whole = two_segments();
  for (const unsigned flip : {0xffU, 0x01U}) {
    for (std::size_t at = header_end(whole); at < whole.size(); ++at) {
      CAPTURE(at);
      CAPTURE(flip);
      Bytes bytes = whole;
      bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ flip);
      const auto readings = read_twice(bytes);
      REQUIRE(readings.second == readings.first);
    }
  }
}

TEST_CASE("behind a garbled heap record the next segment is used") {
  Bytes bytes = two_segments();
  const auto whole = read_twice(bytes).first;
  Bytes record{sub::kInstanceDump};
  for (int shift = 56; shift >= 0; shift -= 8) {
    record.push_back(static_cast<std::uint8_t>(whole[0] >> static_cast<unsigned>(shift)));
  }
  const auto tag = std::search(bytes.begin(), bytes.end(), record.begin(), record.end());
  REQUIRE(tag != bytes.end());
  *tag = 0x77;
  const auto readings = read_twice(bytes);
  INFO(describe(readings.damage), readings.first.size());
  CHECK(readings.first == std::vector(whole.begin() + 4, whole.end()));
  REQUIRE(readings.damage.rows.size() == 1);
  CHECK(readings.damage.rows[0].kind == DamageKind::garbled);
  CHECK(readings.damage.lost_bytes() > 0);
}

namespace {

Bytes record(std::uint8_t tag, const Bytes& body, std::size_t length) {
  Bytes out{tag, 0, 0, 0, 0};
  for (unsigned shift = 32; shift != 0; shift -= 8) {
    out.push_back(static_cast<std::uint8_t>(length >> (shift - 8)));
  }
  out.insert(out.end(), body.begin(), body.end());
  return out;
}

Bytes& operator+=(Bytes& a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Many segments of objects and of arrays whose bytes look like record headers, and where the
/// segments begin.
struct Misleading {
  Misleading() {
    HeapBuilder heap;
    heap.writer().set_segment_limit(2000);
    const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
    Bytes like_headers(64, 0);
    for (const std::uint8_t tag : Bytes{0x0c, 0x1c, 0x0c, 0x01, 0x02}) {
      like_headers += record(tag, {0x21, 0, 0, 0, 0}, 0x7fffffff);
      like_headers += record(tag, {0x05, 0, 0, 0, 0}, 0);
      like_headers += record(tag, {0x01, 0, 0, 0, 0}, 0x10000);
    }
    Id last = 0;
    for (int i = 0; i < 100; ++i) {
      last = heap.add_object(node, {{"next", last}});
      heap.add_primitive_data(Type::int8, static_cast<std::uint32_t>(like_headers.size()),
                              like_headers);
    }
    heap.root(Root::jni_global, last);
    heap.finish();
    bytes = heap.bytes();
    for (std::size_t at = header_end(bytes); at < bytes.size();) {
      if (bytes[at] == 0x1c) {
        segments.push_back(at);
      }
      at += 9 + load_big_endian<std::uint32_t>(&bytes[at + 5]);
    }
  }

  Bytes bytes;
  std::vector<std::size_t> segments;
};

}  // namespace

TEST_CASE("bytes that are gone from a segment make no other dumps, and cost that segment at most") {
  const Misleading dump;
  REQUIRE(dump.segments.size() > 8);
  const auto all = read_twice(dump.bytes).first.size();
  std::mt19937 random(4);
  for (std::size_t segment = 1; segment + 1 < dump.segments.size(); ++segment) {
    for (const std::size_t count : {1U, 4U, 9U, 100U, 700U}) {
      const auto length = dump.segments[segment + 1] - dump.segments[segment];
      const auto at =
          dump.segments[segment] + 9 + random() % (length - 9 - std::min(count, length - 10));
      Bytes cut = dump.bytes;
      cut.erase(cut.begin() + static_cast<long>(at), cut.begin() + static_cast<long>(at + count));
      CAPTURE(segment);
      CAPTURE(count);
      CAPTURE(at);
      const auto readings = read_twice(cut);
      INFO(describe(readings.damage));
      CHECK(readings.dumps == 1);
      CHECK(readings.second == readings.first);
      CHECK(readings.damage.unused_bytes() <= length);
      CHECK(readings.first.size() + 40 > all);
    }
  }
}

TEST_CASE("what is found behind damage is another dump only with evidence") {
  const Bytes whole = two_segments();
  const std::size_t front = header_end(whole);
  const Bytes header(whole.begin(), whole.begin() + static_cast<long>(front));
  const Bytes dump(whole.begin() + static_cast<long>(front), whole.end());
  const Bytes end(dump.end() - 9, dump.end());
  REQUIRE(end[0] == 0x2c);
  const Bytes no_end(dump.begin(), dump.end() - 9);
  const Bytes garbage = record(0x77, Bytes(50, 0xee), 0x70000000);
  const auto dumps_in = [&](const Bytes& first, const Bytes& second) {
    Bytes bytes = header;
    bytes += first;
    bytes += garbage;
    bytes += second;
    const auto readings = read_twice(bytes);
    CHECK(readings.second == readings.first);
    CHECK(readings.damage.any());
    return readings.dumps;
  };
  const auto as_heap_dumps = [](Bytes records) {
    for (std::size_t at = 0; at < records.size();) {
      const auto length = load_big_endian<std::uint32_t>(&records[at + 5]);
      records[at] = records[at] == 0x1c ? 0x0c : records[at];
      at += 9 + length;
    }
    return records;
  };
  CHECK(dumps_in(dump, dump) == 2);
  CHECK(dumps_in(no_end, dump) == 1);
  CHECK(dumps_in(dump, as_heap_dumps(no_end)) == 3);
  CHECK(dumps_in(no_end, as_heap_dumps(no_end)) < 3);
}

TEST_CASE("bytes of other dumps do not count as used") {
  Bytes bytes = two_segments();
  const std::size_t front = header_end(bytes);
  const Bytes second(bytes.begin() + static_cast<long>(front), bytes.end());
  bytes += second;
  const auto whole = read_twice(bytes);
  CHECK(whole.dumps == 2);
  bytes.resize(bytes.size() - 4);
  const auto cut = read_twice(bytes);
  CHECK(cut.damage.any());
  CHECK(cut.damage.other_dumps > 100);
  CHECK(cut.damage.unused_bytes() == cut.damage.lost_bytes() + cut.damage.other_dumps);
  CHECK(cut.first == whole.first);
}

TEST_CASE("zeros behind a dump's records are named") {
  Bytes bytes = two_segments();
  const auto cut = bytes.size() - 120;
  std::fill(bytes.begin() + static_cast<long>(cut), bytes.end(), 0);
  const auto readings = read_twice(bytes);
  INFO(describe(readings.damage));
  CHECK(readings.damage.rows.back().kind == DamageKind::zeros);
  CHECK(readings.damage.rows.back().resume == bytes.size());
}

TEST_CASE("a packed dump that ends early, or does not match its checksum, gives what there is") {
  const Bytes whole = two_segments();
  const auto all = read_twice(whole).first;
  const Bytes packed = gzip(whole);
  const TempFolder folder;
  std::size_t before = 0;
  for (std::size_t size = 120; size < packed.size(); ++size) {
    CAPTURE(size);
    write_file(folder / "x.hprof", Bytes(packed.begin(), packed.begin() + static_cast<long>(size)));
    try {
      const auto readings = read_twice(folder / "x.hprof");
      REQUIRE(is_prefix(readings.first, all));
      REQUIRE(readings.second == readings.first);
      REQUIRE(readings.damage.packing_damaged());
      before = std::max(before, readings.first.size());
    } catch (const Error& error) {
      REQUIRE(error.code() == ExitCode::bad_data);  // not even the header could be inflated
    }
  }
  CHECK(before == all.size());
  Bytes wrong = packed;
  wrong[wrong.size() - 6] ^= 1U;
  write_file(folder / "x.hprof", wrong);
  const auto readings = read_twice(folder / "x.hprof");
  CHECK(readings.first == all);
  CHECK(readings.second == all);
  CHECK(readings.damage.packing_damaged());
}

TEST_CASE("a damaged dump gives as much packed as plain") {
  const TempFolder folder;
  for (const Record segment : {Record::heap_dump, Record::heap_dump_segment}) {
    const Bytes whole = two_segments({.segment = segment});
    for (std::size_t at = header_end(whole); at < whole.size(); at += 7) {
      CAPTURE(at);
      Bytes bytes = whole;
      bytes[at] ^= 0xffU;
      const auto plain = read_twice(bytes);
      write_file(folder / "x.hprof", gzip_members(bytes, 100));
      const auto packed = read_twice(folder / "x.hprof");
      const std::string seen = describe(plain.damage) + "| packed: " + describe(packed.damage);
      CAPTURE(seen);
      REQUIRE(packed.first == plain.first);
      REQUIRE(packed.second == plain.second);
      REQUIRE(packed.damage.bytes == plain.damage.bytes);
      REQUIRE(packed.damage.any() == plain.damage.any());
    }
  }
}

TEST_CASE("a packed dump whose segments have no length gives as much as a plain one") {
  const TempFolder folder;
  Bytes bytes = two_segments();
  const auto all = read_twice(bytes).first;
  std::size_t last_segment = 0;
  for (std::size_t at = header_end(bytes); at < bytes.size();) {
    last_segment = bytes[at] == 0x1c ? at : last_segment;
    at += 9 + load_big_endian<std::uint32_t>(bytes.data() + at + 5);
  }
  std::fill_n(bytes.begin() + static_cast<long>(last_segment) + 5, 4, std::uint8_t{0});
  write_file(folder / "x.hprof", gzip(bytes));
  const auto plain = read_twice(bytes);
  const auto packed = read_twice(folder / "x.hprof");
  CHECK(plain.damage.any());
  CHECK(describe(packed.damage) == describe(plain.damage));
  CHECK(packed.first == plain.first);
  CHECK(plain.first == all);
}

namespace {

void append(Bytes& bytes, std::uint64_t number, unsigned width) {
  for (unsigned byte = width; byte-- > 0;) {
    bytes.push_back(static_cast<std::uint8_t>(number >> (8 * byte)));
  }
}

void append_array(Bytes& bytes, std::uint64_t id, std::uint32_t elements) {
  append(bytes, 0x23, 1);
  append(bytes, id, 8);
  append(bytes, 0, 4);
  append(bytes, elements, 4);
  append(bytes, 8, 1);
}

}  // namespace

TEST_CASE("the lost high bits of a heap dump's length are found in a packed dump, too") {
  constexpr std::uint32_t kElements = 1U << 30U;
  constexpr std::uint64_t kArrayHead = 18;
  constexpr std::string_view kFormat = "JAVA PROFILE 1.0.1";
  Bytes head(kFormat.begin(), kFormat.end());
  append(head, 0, 1);
  append(head, 8, 4);
  append(head, 1'700'000'000'000, 8);
  append(head, 0x0c, 1);
  append(head, 0, 4);
  append(head, (4 * (kArrayHead + kElements) + kArrayHead + 4) & 0xffffffffU, 4);
  append_array(head, 0x1000, kElements);
  const Bytes zeros = gzip(Bytes(1U << 24U, 0));
  Bytes file = gzip(head);
  for (std::uint64_t id = 0x2000; id <= 0x5000; id += 0x1000) {
    for (unsigned i = 0; i < kElements >> 24U; ++i) {
      file.insert(file.end(), zeros.begin(), zeros.end());
    }
    Bytes next;
    append_array(next, id, id == 0x5000 ? 4 : kElements);
    const Bytes packed = gzip(next);
    file.insert(file.end(), packed.begin(), packed.end());
  }
  Bytes tail;
  append(tail, 0x01020304, 4);
  append(tail, 0x0d, 1);
  append(tail, 0, 4);
  append(tail, 6, 4);
  append(tail, 0, 6);
  const Bytes packed = gzip(tail);
  file.insert(file.end(), packed.begin(), packed.end());
  const TempFolder folder;
  write_file(folder / "x.hprof", file);
  const auto readings = read_twice(folder / "x.hprof");
  CHECK(readings.first == std::vector<std::uint64_t>{0x1000, 0x2000, 0x3000, 0x4000, 0x5000});
  CHECK(readings.second == readings.first);
  CHECK_FALSE(readings.damage.any());
}

TEST_CASE("any place of a packed file can be looked at, in any order") {
  const TempFolder folder;
  Bytes bytes(26U << 20U);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(i % 1021 == 0 ? i >> 10U : i % 7);
  }
  write_file(folder / "x", gzip_members(bytes, 3'000'000));
  InflatedWindow window(folder / "x");
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const std::size_t at = random() % bytes.size();
    const auto found = window.bytes_at(at, 70'000);
    REQUIRE(found.size() == std::min<std::size_t>(70'000, bytes.size() - at));
    REQUIRE(std::equal(found.begin(), found.end(), bytes.begin() + static_cast<long>(at)));
  }
  CHECK(window.bytes_at(bytes.size(), 1).empty());
  CHECK(window.bytes_at(bytes.size() + (1U << 25U), 1).empty());
  CHECK(window.size() == bytes.size());
  CHECK_FALSE(window.is_worn());
}
