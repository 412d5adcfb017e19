#include "common/open_source.h"
#include "formats/header_doubt.h"
#include "formats/last_heap_record.h"
#include "tests/support/files.h"
#include "tests/support/hprof_builder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace hprof;
using namespace hprof::test;

namespace {

constexpr unsigned kIdSize = 8;

struct TopRecord {
  std::size_t start = 0;
  std::size_t end = 0;
  std::uint8_t tag = 0;
};

std::vector<TopRecord> records_of(const Bytes& bytes) {
  std::vector<TopRecord> records;
  auto at = static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), 0) - bytes.begin()) + 13;
  while (at < bytes.size()) {
    const std::size_t end = at + kRecordHeaderBytes + header_length(std::span(bytes).subspan(at));
    records.push_back({.start = at, .end = end, .tag = bytes[at]});
    at = end;
  }
  return records;
}

/// Two segments of a list's nodes and their class, with a name between them.
Bytes two_segments() {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  Id last = 0;
  for (int i = 0; i < 40; ++i) {
    last = heap.add_object(node, {{"next", last}});
  }
  heap.writer().end_segment();
  heap.name("a name between the segments");
  for (int i = 0; i < 40; ++i) {
    last = heap.add_object(node, {{"next", last}});
  }
  heap.finish();
  return heap.bytes();
}

/// The number of the first segment among the records.
std::size_t first_segment(const std::vector<TopRecord>& records) {
  const auto found = std::find_if(records.begin(), records.end(), [](const TopRecord& record) {
    return record.tag == tag::kHeapDumpSegment;
  });
  return static_cast<std::size_t>(found - records.begin());
}

std::string written(const std::string& path, const Bytes& bytes) {
  write_file(path, bytes);
  return path;
}

/// Looks at a dump of which everything in front of the heap has been read.
struct Looks {
  Looks(const Bytes& bytes, const std::vector<TopRecord>& records, bool packed = false)
      : path(written(folder / "x.hprof", packed ? gzip(bytes) : bytes)),
        input(open_source(path)),
        probe(path, packed, kIdSize) {
    for (std::size_t i = 0; i < first_segment(records); ++i) {
      doubt.learn(*header_at(records[i].start));
    }
  }

  std::optional<HeaderDoubt::Header> header_at(std::uint64_t position) {
    input.go_to(position);
    return doubt.header_ahead(input, 0, false);
  }
  bool is_noise(std::uint64_t position) {
    const auto header = header_at(position);
    return header && doubt.is_noise(*header);
  }

  TempFolder folder;
  std::string path;
  BufferedInput input;
  RecordProbe probe;
  HeadlessHeap headless{path, kIdSize};
  HeaderDoubt doubt{probe, headless, kIdSize};
  RecordSearch search{probe, headless};
};

void set_length(Bytes& bytes, std::size_t record, std::size_t length) {
  for (unsigned i = 0; i < 4; ++i) {
    bytes[record + 5 + i] = static_cast<std::uint8_t>(length >> (24 - 8 * i));
  }
}

}  // namespace

TEST_CASE("records of a whole dump are chains and no noise, other places are none") {
  const Bytes bytes = two_segments();
  const auto records = records_of(bytes);
  for (const bool packed : {false, true}) {
    Looks looks(bytes, records, packed);
    for (std::size_t at = records.front().start; at < bytes.size(); ++at) {
      CAPTURE(at);
      const bool is_record = std::any_of(records.begin(), records.end(),
                                         [&](const TopRecord& one) { return one.start == at; });
      REQUIRE(looks.probe.is_chain(at) == is_record);
      REQUIRE((!is_record || !looks.is_noise(at)));
    }
  }
}

TEST_CASE("the size of a packed dump is not known before something is wrong") {
  const Bytes bytes = two_segments();
  Looks plain(bytes, records_of(bytes));
  CHECK(plain.probe.known_size() == bytes.size());
  CHECK_FALSE(plain.probe.fits(100, bytes.size()));
  Looks packed(bytes, records_of(bytes), true);
  CHECK(packed.probe.known_size() == 0);
  CHECK(packed.probe.fits(100, bytes.size()));
  CHECK(packed.probe.size() == bytes.size());
  CHECK(packed.probe.known_size() == bytes.size());
  CHECK_FALSE(packed.probe.fits(100, bytes.size()));
}

TEST_CASE("bytes between records are noise if the header they look like has no usual length") {
  const Bytes whole = two_segments();
  const auto records = records_of(whole);
  const std::size_t place = records[first_segment(records) + 1].start;
  for (const std::uint8_t tag :
       {tag::kString, tag::kLoadClass, tag::kHeapDump, tag::kHeapDumpEnd}) {
    CAPTURE(unsigned{tag});
    Bytes bytes = whole;
    const Bytes noise{tag, 0, 0, 0, 0, 0, 16, 0, 0, 0xee, 0xee, 0xee};
    bytes.insert(bytes.begin() + static_cast<long>(place), noise.begin(), noise.end());
    CHECK(Looks(bytes, records).is_noise(place));
    CHECK_FALSE(Looks(bytes, records).is_noise(place + noise.size()));
  }
}

TEST_CASE("a heap record whose length is wrong is mended once") {
  Bytes bytes = two_segments();
  const auto records = records_of(bytes);
  const auto& segment = records[first_segment(records)];
  const std::size_t node_bytes = 1 + 8 + 4 + 8 + 4 + 8;
  DamagedRecord::Place place;
  place.micros_before = 0;

  SUBCASE("one that is too short is read on in") {
    place.start = segment.end - 20 * node_bytes;
    set_length(bytes, segment.start, place.start - segment.start - kRecordHeaderBytes);
  }
  SUBCASE("one that was passed over and is too long ends before that") {
    place.start = bytes.size();
    set_length(bytes, segment.start, place.start - segment.start - kRecordHeaderBytes);
  }
  const Looks looks(bytes, records);
  LastHeapRecord last;
  const bool is_longer = segment.end > place.start;
  last.set({.start = segment.start,
            .end = place.start,
            .tag = segment.tag,
            .was_read = is_longer,
            .before = {}});
  CHECK(last.mended_end(looks.search, place) == segment.end);
  CHECK(last.is_mended(segment.start));
  CHECK_FALSE(last.mended_end(looks.search, place));
}

TEST_CASE("a heap record that was read is not made shorter, and a right one is left alone") {
  const Bytes bytes = two_segments();
  const auto records = records_of(bytes);
  const auto& segment = records[first_segment(records)];
  const Looks looks(bytes, records);
  LastHeapRecord last;
  DamagedRecord::Place place;
  for (const std::size_t end : {segment.end, bytes.size()}) {
    place.start = end;
    last.set({.start = segment.start, .end = end, .tag = segment.tag, .before = {}});
    CHECK_FALSE(last.mended_end(looks.search, place));
    CHECK_FALSE(last.is_mended(segment.start));
  }
}
