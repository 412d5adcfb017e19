// Headers of records are garbled, and noise that looks like one is put between records. Objects are
// to be kept all the same, dumps in the file counted as they are, and the damage told.
#include "common/byte_cursor.h"
#include "tests/support/hprof_builder.h"
#include "tests/unit/hprof-index/damaged_dump.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace hprof;
using namespace hprof::test;

namespace {

struct TopRecord {
  std::size_t at = 0;
  std::size_t length = 0;
  std::uint8_t tag = 0;

  bool is_heap() const { return tag == 0x0c || tag == 0x1c; }
  std::size_t end() const { return at + 9 + length; }
};

std::vector<TopRecord> records_of(const Bytes& bytes) {
  std::vector<TopRecord> out;
  auto at = static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), 0) - bytes.begin()) + 13;
  while (at < bytes.size()) {
    const auto length = load_big_endian<std::uint32_t>(&bytes[at + 5]);
    out.push_back({.at = at, .length = length, .tag = bytes[at]});
    at = out.back().end();
  }
  return out;
}

void store(Bytes& bytes, std::size_t at, std::uint64_t number) {
  for (unsigned i = 0; i < 4; ++i) {
    bytes[at + i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  }
}

struct FileShape {
  std::uint32_t id_size = 8;
  Record heap_record = Record::heap_dump_segment;
  std::size_t segment = 1U << 30U;  ///< most bytes of a segment
  bool has_times = false;           ///< as the hprof agent writes them
  unsigned dumps = 1;
};

void fill(HeapBuilder& heap, Id node, unsigned objects) {
  Id last = 0;
  for (unsigned i = 0; i < objects; ++i) {
    last = heap.add_object(node, {{"next", last}, {"n", i}});
    heap.add_string("text number " + std::to_string(i));
    heap.add_array("demo.Node[]", {last, 0, last});
    heap.add_zeros(Type::int32, i % 40);
  }
  heap.root(Root::jni_global, last);
}

Bytes dump_file(const FileShape& shape) {
  HeapBuilder heap({.format = {.version = "JAVA PROFILE 1.0.2", .id_size = shape.id_size},
                    .segment = shape.heap_record});
  heap.writer().set_segment_limit(shape.segment);
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}, {"n", Type::int32}}});
  heap.class_named("demo.Node[]");
  fill(heap, node, 50);
  for (unsigned dump = 1; dump < shape.dumps; ++dump) {
    heap.next_dump();
    heap.name("a name between the dumps " + std::to_string(dump));
    fill(heap, node, 70);
  }
  heap.finish();
  Bytes bytes = heap.bytes();
  std::uint32_t micros = 64000;
  for (const auto& record : records_of(bytes)) {
    store(bytes, record.at + 1, shape.has_times ? micros += 1000 : 0);
  }
  return bytes;
}

const std::vector<FileShape> kFiles{{},
                                    {.id_size = 4, .segment = 1500},
                                    {.id_size = 8, .heap_record = Record::heap_dump},
                                    {.id_size = 4, .segment = 3000, .has_times = true}};

/// What noise begins with may look like a header.
std::vector<Bytes> noises(std::size_t file_bytes) {
  std::vector<Bytes> out;
  for (const std::uint8_t tag : Bytes{0x0c, 0x1c, 0x2c, 0x01, 0x05, 0x77}) {
    std::mt19937 random(tag);
    for (const std::size_t count : {1U, 8U, 9U, 30U, 64U}) {
      Bytes noise(count);
      std::generate(noise.begin(), noise.end(),
                    [&] { return static_cast<std::uint8_t>(random() | 1U); });
      noise[0] = tag;
      out.push_back(noise);
      if (count > 9) {
        store(noise, 5, file_bytes / 3);
        out.push_back(noise);
        noise[9] = 0x21;
        out.push_back(noise);
      }
    }
  }
  return out;
}

Bytes inserted(Bytes bytes, std::size_t at, const Bytes& noise) {
  bytes.insert(bytes.begin() + static_cast<long>(at), noise.begin(), noise.end());
  return bytes;
}

/// All objects are kept but `most`, in as many dumps as there are, and damage is told in order.
void check_read(const DamagedRead& read, const DamagedRead& whole, std::size_t most = 0) {
  INFO(describe(read.damage));
  CHECK(check_kept(read, whole.objects) + most >= whole.objects.rows.size());
  CHECK(read.dumps == whole.dumps);
  CHECK(read.dumps_read == whole.dumps);
  CHECK(read.damage.any());
  for (std::size_t i = 1; i < read.damage.rows.size(); ++i) {
    CHECK(read.damage.rows[i].position >= read.damage.rows[i - 1].resume);
  }
}

}  // namespace

TEST_CASE("noise between records costs no object and makes no dump") {
  for (const auto& file : kFiles) {
    const Bytes bytes = dump_file(file);
    const auto whole = read_all(bytes);
    REQUIRE(whole.objects.rows.size() > 200);
    const auto records = records_of(bytes);
    std::vector<std::size_t> places{records[0].at, records[5].at, bytes.size()};
    for (const auto& record : records) {
      if (record.is_heap() && places.size() < 7) {
        places.push_back(record.at);
        places.push_back(record.end());
      }
    }
    for (const auto at : places) {
      for (const auto& noise : noises(bytes.size())) {
        CAPTURE(at);
        CAPTURE(unsigned{noise[0]});
        CAPTURE(noise.size());
        check_read(read_all(inserted(bytes, at, noise)), whole);
      }
    }
  }
}

TEST_CASE("a heap record whose length is wrong is read up to its end") {
  for (const auto& file : kFiles) {
    const Bytes bytes = dump_file(file);
    const auto whole = read_all(bytes);
    for (const auto& record : records_of(bytes)) {
      if (!record.is_heap()) {
        continue;
      }
      const std::size_t rest = bytes.size() - record.end();
      for (const std::size_t length :
           {record.length / 2, record.length - 1, std::size_t{5}, record.length + 1,
            record.length + rest / 2, std::size_t{0x7fff0000}}) {
        if (length == record.length) {
          continue;
        }
        Bytes wrong = bytes;
        store(wrong, record.at + 5, length);
        CAPTURE(record.at);
        CAPTURE(record.length);
        CAPTURE(length);
        check_read(read_all(wrong), whole);
        check_read(read_all(wrong, {.packed = true}), whole);
      }
    }
  }
}

TEST_CASE("heap records behind a header that is garbled, gone or overwritten are found") {
  for (const auto& file : kFiles) {
    const Bytes bytes = dump_file(file);
    const auto whole = read_all(bytes);
    for (const auto& record : records_of(bytes)) {
      if (!record.is_heap()) {
        continue;
      }
      CAPTURE(record.at);
      for (const std::uint8_t tag : Bytes{0x2c, 0x0e, 0x04, 0x01, 0x3c, 0x77}) {
        Bytes wrong = bytes;
        wrong[record.at] = tag;
        CAPTURE(unsigned{tag});
        check_read(read_all(wrong), whole);
      }
      std::mt19937 random(static_cast<unsigned>(record.at));
      Bytes wrong = bytes;
      std::generate_n(wrong.begin() + static_cast<long>(record.at), 9,
                      [&] { return static_cast<std::uint8_t>(random() | 0x80U); });
      check_read(read_all(wrong), whole);
      for (const long count : {1, 9, 30}) {
        Bytes shorter = bytes;
        const auto begin = shorter.begin() + static_cast<long>(record.at);
        shorter.erase(begin, begin + count);
        check_read(read_all(shorter), whole, 2);
      }
    }
  }
}

TEST_CASE("a segment that looks like a heap dump goes on with the dump before it") {
  const Bytes bytes = dump_file(kFiles[1]);
  const auto whole = read_all(bytes);
  std::size_t tried = 0;
  for (const auto& record : records_of(bytes)) {
    if (record.is_heap()) {
      Bytes wrong = bytes;
      wrong[record.at] = 0x0c;
      CAPTURE(record.at);
      check_read(read_all(wrong), whole);
      ++tried;
    }
  }
  CHECK(tried > 5);
}

TEST_CASE("several dumps in a file stay as many, and each can be read") {
  for (const Record kind : {Record::heap_dump, Record::heap_dump_segment}) {
    const Bytes bytes = dump_file({.heap_record = kind, .has_times = true, .dumps = 2});
    const std::vector<DamagedRead> whole{read_all(bytes), read_all(bytes, {.number = 2})};
    REQUIRE(whole[0].dumps == 2);
    CHECK_FALSE(whole[0].damage.any());
    REQUIRE(whole[1].objects.rows.size() > whole[0].objects.rows.size());
    const auto check = [&](const Bytes& damaged) {
      for (std::uint32_t number = 1; number <= 2; ++number) {
        CAPTURE(number);
        check_read(read_all(damaged, {.number = number}), whole[number - 1]);
      }
    };
    for (const auto& record : records_of(bytes)) {
      if (!record.is_heap() && record.tag != 0x2c) {
        continue;
      }
      CAPTURE(record.at);
      CAPTURE(unsigned{record.tag});
      for (const auto& noise : noises(bytes.size())) {
        check(inserted(bytes, record.at, noise));
      }
      for (const std::size_t length :
           {record.length / 2, record.length + 700, std::size_t{0x12345678}}) {
        Bytes wrong = bytes;
        store(wrong, record.at + 5, length);
        if (wrong != bytes) {
          check(wrong);
        }
      }
    }
  }
}

TEST_CASE("a plain record with a wrong length does not swallow those behind it") {
  const Bytes bytes = dump_file({});
  const auto whole = read_all(bytes);
  const auto records = records_of(bytes);
  for (std::size_t i = 0; i + 1 < records.size() && !records[i].is_heap(); ++i) {
    for (const std::size_t length : {std::size_t{70'000}, bytes.size() - records[i].at - 300}) {
      Bytes wrong = bytes;
      store(wrong, records[i].at + 5, length);
      CAPTURE(records[i].at);
      check_read(read_all(wrong), whole);
    }
  }
}
