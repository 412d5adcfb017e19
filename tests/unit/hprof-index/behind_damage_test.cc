// Heaps of all kinds of records are damaged in one place or several, then indexed and read again as
// the later stages do. What is kept must be what the whole dump has, and nearly all of it.
#include "tests/unit/hprof-index/damaged_dump.h"
#include "tests/unit/hprof-index/mixed_heap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace hprof;
using namespace hprof::test;

namespace {

/// The place of a byte in a record by which ids can be told apart.
std::size_t heap_id_byte(const MixedHeap& heap) {
  return heap.id_size - 3;
}

enum class Garbling { zeros, noise, deleted, inserted };

Bytes garbled(Bytes bytes, Garbling how, std::size_t at, std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(at));
  const auto begin = bytes.begin() + static_cast<long>(at);
  const auto end = begin + static_cast<long>(std::min(count, bytes.size() - at));
  switch (how) {
    case Garbling::zeros:
      std::fill(begin, end, std::uint8_t{0});
      break;
    case Garbling::noise:
      std::generate(begin, end, [&] { return static_cast<std::uint8_t>(random() | 0x80U); });
      break;
    case Garbling::deleted:
      bytes.erase(begin, end);
      break;
    case Garbling::inserted:
      bytes.insert(begin, count, std::uint8_t{0x77});
      break;
  }
  return bytes;
}

}  // namespace

TEST_CASE("damage costs the records that it hits and those beside them, not the rest of the heap") {
  for (const auto& shape : kShapes) {
    const MixedHeap heap(shape);
    const DamagedRead undamaged = read_all(heap.bytes);
    const KeptObjects& whole = undamaged.objects;
    REQUIRE(whole.rows.size() > 300);
    for (std::size_t i = 0; i < heap.records.size(); i += 7) {
      for (const auto how :
           {Garbling::zeros, Garbling::noise, Garbling::deleted, Garbling::inserted}) {
        const std::size_t count = 1 + i % 40;
        // The id and what follows it are hit: of a garbled tag or id alone nothing can be told.
        const std::size_t at = heap.records[i].first + i % 3;
        CAPTURE(at);
        CAPTURE(count);
        CAPTURE(static_cast<int>(how));
        const auto result = read_all(garbled(heap.bytes, how, at, count));
        INFO(describe(result.damage));
        // Without some bytes the halves of two records may make one, or a class another one.
        const std::size_t most = how == Garbling::deleted ? 1 : 0;
        if (result.damage.any()) {
          CHECK(check_kept(result, whole, most) + 6 >= whole.rows.size());
        }
        CHECK(result.objects.rows.size() + 6 >= whole.rows.size());
        CHECK(result.damage.lost_bytes() < 1000);
      }
    }
  }
}

TEST_CASE("every reading of a damaged dump is counted") {
  const MixedHeap heap({});
  const auto damaged = garbled(heap.bytes, Garbling::zeros, heap.records[99].first, 40);
  CHECK(read_all(heap.bytes).stats.find("\"passes\": 1,") != std::string::npos);
  CHECK(read_all(damaged).stats.find("\"passes\": 2,") != std::string::npos);
}

TEST_CASE("an array whose length is wrong is given up, and nothing else") {
  for (const auto& shape : kShapes) {
    const MixedHeap heap(shape);
    const KeptObjects whole = read_all(heap.bytes).objects;
    for (const auto& [begin, head] : heap.records) {
      const bool is_array =
          head.tag == sub::kObjectArrayDump || head.tag == sub::kPrimitiveArrayDump;
      if (!is_array || begin % 3 != 0) {
        continue;
      }
      for (const std::uint32_t elements :
           {head.elements / 2, head.elements + 3, head.elements + 40, 0x00ffffffU}) {
        Bytes bytes = heap.bytes;
        for (unsigned i = 0; i < 4; ++i) {
          bytes[begin + 5 + heap.id_size + i] = static_cast<std::uint8_t>(elements >> (24 - 8 * i));
        }
        CAPTURE(begin);
        CAPTURE(elements);
        const auto result = read_all(bytes);
        INFO(describe(result.damage));
        if (result.damage.any()) {
          CHECK(check_kept(result, whole) + 4 >= whole.rows.size());
          CHECK(result.objects.rows.count(head.id) == (elements == head.elements ? 1U : 0U));
        }
      }
    }
  }
}

TEST_CASE("an array before a record that begins well and is garbled behind that is kept") {
  const MixedHeap heap({});
  const KeptObjects whole = read_all(heap.bytes).objects;
  std::size_t tried = 0;
  for (std::size_t i = 0; i + 1 < heap.records.size(); ++i) {
    const auto& [begin, next] = heap.records[i + 1];
    if (heap.records[i].second.tag != sub::kPrimitiveArrayDump || next.tag != sub::kInstanceDump) {
      continue;
    }
    ++tried;
    const auto result = read_all(garbled(heap.bytes, Garbling::noise, begin + 13, 20));
    CHECK(check_kept(result, whole) + 1 == whole.rows.size());
    CHECK(result.objects.rows.count(next.id) == 0);
    CHECK(result.damage.rows.size() == 1);
  }
  CHECK(tried > 10);
}

TEST_CASE("several damaged places, the first and the last record of the heap among them") {
  for (const auto& shape : kShapes) {
    const MixedHeap heap(shape);
    const KeptObjects whole = read_all(heap.bytes).objects;
    Bytes bytes = heap.bytes;
    const std::vector<std::size_t> places{0, heap.records.size() / 4, heap.records.size() / 2,
                                          heap.records.size() * 3 / 4, heap.records.size() - 1};
    for (const auto place : places) {
      bytes = garbled(bytes, Garbling::zeros, heap.records[place].first, 6);
    }
    const auto result = read_all(bytes);
    INFO(describe(result.damage));
    CHECK(check_kept(result, whole) + 10 >= whole.rows.size());
    CHECK(result.damage.rows.size() == places.size());
    CHECK(result.damage.lost_bytes() < 1000);
  }
}

TEST_CASE("damage up to the end of the heap is one place") {
  for (const auto& shape : kShapes) {
    const MixedHeap heap(shape);
    const KeptObjects whole = read_all(heap.bytes).objects;
    const auto& [begin, last] = heap.records[heap.records.size() - 5];
    const auto end =
        static_cast<std::size_t>(heap.records.back().first + heap.records.back().second.bytes);
    const auto result = read_all(garbled(heap.bytes, Garbling::noise, begin, end - begin));
    INFO(describe(result.damage));
    CHECK(check_kept(result, whole) + 10 >= whole.rows.size());
    REQUIRE(result.damage.rows.size() == 1);
    CHECK(result.damage.rows[0].resume == end);
    CHECK(result.damage.rows[0].heap_left == 0);
  }
}

TEST_CASE("records in an array whose header is garbled are no objects of the heap") {
  for (const auto& shape : kShapes) {
    // The same classes, but other objects, as a dump of the same process would have.
    const MixedHeap inner_heap = [&] {
      MixedHeap other(shape);
      for (const auto& [begin, head] : other.records) {
        const bool is_object =
            head.tag >= sub::kInstanceDump && head.tag <= sub::kPrimitiveArrayDump;
        if (is_object) {
          other.bytes[begin + heap_id_byte(other)] ^= 0x40U;
        }
      }
      return other;
    }();
    const Bytes& inner = inner_heap.bytes;
    const auto piece = [&](std::size_t from, std::size_t to) {
      return Bytes(inner.begin() + static_cast<long>(from), inner.begin() + static_cast<long>(to));
    };
    // The piece begins in a record and ends in the elements of a long array.
    const auto cut = std::find_if(
        inner_heap.records.begin() + 200, inner_heap.records.end(), [](const auto& record) {
          return record.second.tag == sub::kPrimitiveArrayDump && record.second.bytes > 100;
        });
    REQUIRE(cut != inner_heap.records.end());
    const std::vector<Bytes> contents{inner,
                                      piece(inner_heap.records[80].first + 5, cut->first + 60)};
    const MixedHeap heap(shape, contents);
    const KeptObjects whole = read_all(heap.bytes).objects;
    REQUIRE(heap.contents_at.size() >= contents.size());
    for (std::size_t i = 0; i < contents.size(); ++i) {
      CAPTURE(i);
      const std::size_t begin = heap.record_of(heap.contents_at[i]);
      const auto result = read_all(garbled(heap.bytes, Garbling::zeros, begin, 10 + heap.id_size));
      INFO(describe(result.damage));
      CHECK(check_kept(result, whole) + 3 >= whole.rows.size());
      CHECK(result.damage.lost_bytes() >= contents[i].size());
    }
  }
}

TEST_CASE("a damaged dump that was also cut gives what is between") {
  const MixedHeap heap({});
  const KeptObjects whole = read_all(heap.bytes).objects;
  const Bytes bytes = garbled(heap.bytes, Garbling::zeros, heap.records[60].first, 30);
  for (std::size_t i = 80; i < heap.records.size(); i += 9) {
    const auto& [begin, head] = heap.records[i];
    const auto size = static_cast<std::size_t>(begin + head.bytes / 2);
    const auto result = read_all(Bytes(bytes.begin(), bytes.begin() + static_cast<long>(size)));
    INFO(describe(result.damage));
    std::size_t before = 0;
    for (std::size_t k = 0; k < i; ++k) {
      before += whole.rows.count(heap.records[k].second.id) != 0 &&
                        heap.records[k].second.tag >= 0x20 && heap.records[k].second.tag <= 0x23
                    ? 1
                    : 0;
    }
    CHECK(check_kept(result, whole) + 3 >= before);
    CHECK(result.damage.rows.back().kind == DamageKind::cut);
    CHECK(result.damage.rows.front().kind == DamageKind::garbled);
  }
}

TEST_CASE("a packed dump gives as much behind damage as a plain one") {
  for (const auto& shape : kShapes) {
    const MixedHeap heap(shape);
    for (std::size_t i = 20; i < heap.records.size(); i += 60) {
      const Bytes bytes = garbled(heap.bytes, Garbling::zeros, heap.records[i].first, 12);
      const auto plain = read_all(bytes);
      const auto packed = read_all(bytes, {.packed = true});
      CHECK(packed.objects.rows == plain.objects.rows);
      CHECK(describe(packed.damage) == describe(plain.damage));
    }
  }
}
