#pragma once

#include "common/byte_cursor.h"
#include "formats/sub_record.h"
#include "tests/support/hprof_builder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hprof::test {

/// What kind of dump a heap is written as.
struct Shape {
  std::uint32_t id_size = 8;
  bool android = false;
  bool one_record = true;  ///< the whole heap in one record, else segments of some 2 KB
};

/// A heap with all kinds of records, and where each heap record begins.
struct MixedHeap {
  explicit MixedHeap(const Shape& shape, const std::vector<Bytes>& contents = {})
      : id_size(shape.id_size) {
    HeapOptions options{
        .format = {.version = shape.android ? "JAVA PROFILE 1.0.3" : "JAVA PROFILE 1.0.2",
                   .id_size = shape.id_size},
        .segment =
            shape.one_record && !shape.android ? Record::heap_dump : Record::heap_dump_segment};
    HeapBuilder heap(options);
    heap.writer().set_segment_limit(shape.one_record ? 1U << 30U : 2000);
    const Id base = heap.add_class({.name = "demo.Base", .fields = {{"a"}, {"n", Type::int32}}});
    const Id node = heap.add_class(
        {.name = "demo.Node", .super = base, .fields = {{"next"}, {"flag", Type::boolean}}});
    heap.class_named("demo.Base[]");
    if (shape.android) {
      heap.writer().heap_info(65, heap.name("app"));
    }
    Id last = 0;
    for (std::uint32_t i = 0; i < 60; ++i) {
      last = heap.add_object(node, {{"next", last}, {"n", i}});
      const Id text = heap.add_string("text number " + std::to_string(i));
      const Id array = heap.add_array("demo.Base[]", {last, text, 0});
      heap.add_zeros(i % 2 == 0 ? Type::int64 : Type::int8, i);
      heap.root(Root::jni_global, array);
      if (i % 20 == 10) {
        heap.add_class({.name = "demo.Late" + std::to_string(i), .super = base});
      }
      if (i % 30 == 15) {
        for (const auto& content : contents) {
          contents_at.push_back(heap.add_primitive_data(
              Type::int8, static_cast<std::uint32_t>(content.size()), content));
        }
      }
      if (shape.android && i == 40) {
        heap.writer().primitive_array_without_data(heap.reserve(), Type::character, 50, 1);
      }
    }
    heap.finish();
    bytes = heap.bytes();
    find_records();
  }

  void find_records() {
    auto at = static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), 0) - bytes.begin());
    for (at += 13; at < bytes.size();) {
      const std::size_t end = at + 9 + load_big_endian<std::uint32_t>(&bytes[at + 5]);
      const bool is_heap = bytes[at] == 0x0c || bytes[at] == 0x1c;
      for (at = is_heap ? at + 9 : end; at < end;) {
        const auto head = sub_record_head(
            std::span(bytes).subspan(at, std::min<std::size_t>(4000, end - at)), id_size);
        REQUIRE(head);
        records.push_back({at, *head});
        at += static_cast<std::size_t>(head->bytes);
      }
    }
  }

  std::size_t record_of(Id object) const {
    const auto found = std::find_if(records.begin(), records.end(), [&](const auto& record) {
      return record.second.id == object && record.second.tag >= 0x20 && record.second.tag <= 0x23;
    });
    REQUIRE(found != records.end());
    return found->first;
  }

  std::uint32_t id_size;
  Bytes bytes;
  std::vector<std::pair<std::size_t, SubRecordHead>> records;
  std::vector<Id> contents_at;
};

inline const std::vector<Shape> kShapes{{.id_size = 8},
                                        {.id_size = 4},
                                        {.id_size = 4, .android = true},
                                        {.id_size = 8, .one_record = false},
                                        {.id_size = 4, .android = true, .one_record = false}};

}  // namespace hprof::test
