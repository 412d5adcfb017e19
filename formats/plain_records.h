#pragma once

#include "common/byte_cursor.h"
#include "formats/hprof_tags.h"
#include "formats/hprof_visitor.h"
#include "formats/record_bytes.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace hprof {

/// Tells visitors of the records that hold no heap: strings, loaded classes, frames and traces.
class PlainRecords : protected RecordBytes {
 protected:
  using RecordBytes::RecordBytes;

  template <typename Visitor>
  void read_plain_record(Visitor& visitor) {
    switch (record_.tag) {
      case tag::kString: {
        const std::uint64_t id = id_at(body(id_size_));
        const auto size = static_cast<std::size_t>(record_.left);
        visitor.on_string(id, {body(size), size});
        break;
      }
      case tag::kLoadClass: {
        const std::uint8_t* b = body(8 + 2 * id_size_);
        visitor.on_load_class({.serial = load_big_endian<std::uint32_t>(b),
                               .class_id = id_at(b + 4),
                               .trace_serial = load_big_endian<std::uint32_t>(b + 4 + id_size_),
                               .name_id = id_at(b + 8 + id_size_)});
        break;
      }
      case tag::kFrame:
        read_frame(visitor);
        break;
      case tag::kTrace:
        read_trace(visitor);
        break;
      case 0:
        damaged(record_.start, "record header", "tag 0 is no record");
      default:
        break;
    }
  }

  template <typename Visitor>
  void read_frame(Visitor& visitor) {
    const std::size_t id_size = id_size_;
    const std::uint8_t* b = body(8 + 4 * id_size);
    visitor.on_frame({.id = id_at(b),
                      .method_id = id_at(b + id_size),
                      .signature_id = id_at(b + 2 * id_size),
                      .source_id = id_at(b + 3 * id_size),
                      .class_serial = load_big_endian<std::uint32_t>(b + 4 * id_size),
                      .line = load_big_endian<std::int32_t>(b + 4 * id_size + 4)});
  }

  template <typename Visitor>
  void read_trace(Visitor& visitor) {
    const std::uint8_t* b = body(12);
    const auto frames = load_big_endian<std::uint32_t>(b + 8);
    if (std::uint64_t{frames} * id_size_ > record_.left) {
      damaged(record_.start, tag_name(record_.tag), "the record is too short for its frames");
    }
    visitor.on_trace(load_big_endian<std::uint32_t>(b), load_big_endian<std::uint32_t>(b + 4));
    for (std::uint32_t i = 0; i < frames; ++i) {
      visitor.on_trace_frame(id_at(body(id_size_)));
    }
  }
};

}  // namespace hprof
