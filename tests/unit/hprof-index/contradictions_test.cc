// A heap in which one record contradicts the rest: the length or the class of an instance, the
// fields of a class, or records that are gone together with their header.
#include "tests/unit/hprof-index/damaged_dump.h"
#include "tests/unit/hprof-index/mixed_heap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

using namespace hprof;
using namespace hprof::test;

namespace {

void put_u32(Bytes& bytes, std::size_t at, std::uint64_t value) {
  for (unsigned i = 0; i < 4; ++i) {
    bytes[at + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  }
}

/// The end of the records from `first` on, `count` of them, if all are in one segment.
std::optional<std::size_t> end_of(const MixedHeap& heap, std::size_t first, std::size_t count) {
  std::size_t end = heap.records[first].first;
  for (std::size_t i = first; i < first + count; ++i) {
    if (i == heap.records.size() || heap.records[i].first != end) {
      return std::nullopt;
    }
    end += static_cast<std::size_t>(heap.records[i].second.bytes);
  }
  return end;
}

bool is_instance(const SubRecordHead& head) {
  return head.tag == sub::kInstanceDump;
}

}  // namespace

TEST_CASE("an instance whose length covers other records costs itself alone") {
  for (const auto& shape : kShapes) {
    const MixedHeap heap(shape);
    const DamagedRead undamaged = read_all(heap.bytes);
    const KeptObjects& whole = undamaged.objects;
    const std::size_t length_at = 5 + 2 * std::size_t{heap.id_size};
    std::size_t tried = 0;
    for (std::size_t i = 0; i < heap.records.size(); i += 3) {
      for (const std::size_t covered : {2U, 3U, 17U}) {
        const auto& [begin, head] = heap.records[i];
        const auto end = end_of(heap, i, covered);
        if (!is_instance(head) || !end) {
          continue;
        }
        ++tried;
        Bytes bytes = heap.bytes;
        put_u32(bytes, begin + length_at, *end - begin - length_at - 4);
        const auto result = read_all(bytes);
        CAPTURE(begin);
        INFO(describe(result.damage));
        CHECK(check_kept(result, whole) + 1 == whole.rows.size());
        CHECK(result.objects.rows.count(head.id) == 0);
        CHECK(result.indexed + 1 == undamaged.indexed);
        CHECK(result.damage.lost_bytes() == head.bytes);
        CHECK(result.damage.rows[0].what == "INSTANCE_DUMP: its length is not that of its class");
      }
    }
    CHECK(tried > 20);
  }
}

TEST_CASE("records between two damaged places are kept, however near these are") {
  for (const auto& shape : kShapes) {
    const MixedHeap heap(shape);
    const KeptObjects whole = read_all(heap.bytes).objects;
    const std::size_t length_at = 5 + 2 * std::size_t{heap.id_size};
    std::size_t tried = 0;
    for (std::size_t i = 0; i + 40 < heap.records.size(); ++i) {
      const auto& [begin, head] = heap.records[i];
      const auto end = end_of(heap, i, 3);
      if (!is_instance(head) || !end) {
        continue;
      }
      ++tried;
      Bytes bytes = heap.bytes;
      put_u32(bytes, begin + length_at, *end - begin - length_at - 4);
      bytes[heap.records[i + 39].first] = 0x77;
      const auto result = read_all(bytes);
      CAPTURE(begin);
      INFO(describe(result.damage));
      CHECK(check_kept(result, whole) + 3 >= whole.rows.size());
    }
    CHECK(tried > 20);
  }
}

TEST_CASE("the first instance of a class is outvoted, with or without a class that tells") {
  for (const bool described : {true, false}) {
    HeapBuilder heap(HeapOptions{});
    const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}, {"other"}}});
    Id last = 0;
    for (unsigned i = 0; i < 300; ++i) {
      last = heap.add_object(node, {{"next", last}});
    }
    heap.root(Root::jni_global, last);
    heap.finish();
    Bytes bytes = heap.bytes();
    const KeptObjects whole = read_all(bytes).objects;
    const auto record_of = [&](std::uint8_t tag, std::uint64_t id) {
      Bytes wanted(1, tag);
      for (unsigned i = 0; i < 8; ++i) {
        wanted.push_back(static_cast<std::uint8_t>(id >> (56 - 8 * i)));
      }
      const auto found = std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end());
      REQUIRE(found != bytes.end());
      return static_cast<std::size_t>(found - bytes.begin());
    };
    const auto first = std::find_if(whole.rows.begin(), whole.rows.end(), [&](const auto& row) {
      return row.second == KeptObjects::Row{node, 16};
    });
    REQUIRE(first != whole.rows.end());
    const std::size_t at = record_of(sub::kInstanceDump, first->first);
    put_u32(bytes, at + 21, 16 + 2 * 41);
    if (!described) {
      bytes[record_of(sub::kClassDump, node) + 1] ^= 0x40U;
    }
    const auto result = read_all(bytes);
    INFO(describe(result.damage));
    CHECK(result.objects.rows.count(first->first) == 0);
    CHECK(check_kept(result, whole, 1) + 2 >= whole.rows.size());
  }
}

TEST_CASE("an instance that is too short or too long for its class is found where it stands") {
  for (const auto& shape : kShapes) {
    const MixedHeap heap(shape);
    const KeptObjects whole = read_all(heap.bytes).objects;
    const std::size_t length_at = 5 + 2 * std::size_t{heap.id_size};
    for (std::size_t i = 0; i < heap.records.size(); i += 5) {
      const auto& [begin, head] = heap.records[i];
      for (const std::uint64_t length : {head.elements - 1U, head.elements + 1U, 0U}) {
        if (!is_instance(head)) {
          continue;
        }
        Bytes bytes = heap.bytes;
        put_u32(bytes, begin + length_at, length);
        const auto result = read_all(bytes);
        CAPTURE(begin);
        INFO(describe(result.damage));
        CHECK(result.damage.any());
        CHECK(check_kept(result, whole) + 3 >= whole.rows.size());
      }
    }
  }
}

TEST_CASE("instances that agree against their class are kept, and the class is named") {
  for (const auto& shape : kShapes) {
    const MixedHeap heap(shape);
    const KeptObjects whole = read_all(heap.bytes).objects;
    const auto last_byte = [&](const auto& row) {
      return row.first + static_cast<std::size_t>(row.second.bytes) - 1;
    };
    // The class whose last field is a boolean, which becomes a long.
    const auto node = std::find_if(heap.records.begin(), heap.records.end(), [&](const auto& row) {
      return row.second.tag == sub::kClassDump && heap.bytes[last_byte(row)] == kTypeBoolean;
    });
    REQUIRE(node != heap.records.end());
    Bytes bytes = heap.bytes;
    bytes[last_byte(*node)] = kTypeLong;
    const auto result = read_all(bytes);
    INFO(describe(result.damage));
    CHECK(check_kept(result, whole) == whole.rows.size());
    REQUIRE(result.damage.rows.size() == 1);
    CHECK(result.damage.rows[0].position == node->first);
    CHECK(result.damage.rows[0].what.starts_with("CLASS_DUMP: its fields take "));
    CHECK(result.damage.lost_bytes() == 0);
  }
}

TEST_CASE("many GC roots without their objects tell that records are missing") {
  for (const unsigned missing : {8U, 9U}) {
    HeapBuilder heap(HeapOptions{});
    const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
    for (unsigned i = 0; i < 20; ++i) {
      heap.root(Root::jni_global, heap.add_object(node, {{"next", 0}}));
    }
    for (unsigned i = 0; i < missing; ++i) {
      heap.root(Root::jni_global, heap.reserve());
    }
    heap.finish();
    const auto result = read_all(heap.bytes());
    INFO(describe(result.damage));
    REQUIRE(result.damage.any() == (missing == 9));
    if (missing == 9) {
      CHECK(result.damage.rows[0].what.starts_with("9 of "));
      CHECK(result.damage.lost_bytes() == 0);
    }
  }
}
