#pragma once

#include "common/byte_cursor.h"
#include "formats/dump_damage.h"
#include "formats/hprof_header.h"
#include "formats/hprof_tags.h"
#include "formats/hprof_visitor.h"
#include "formats/plain_records.h"
#include "formats/record_kind.h"
#include "formats/record_place.h"

#include <cstdint>
#include <span>
#include <string>

namespace hprof {

/// Reads a dump front to back and tells a visitor. All records of the file are read; class, root
/// and object records only of the selected dump (semantics: §10). Error(bad_data) with the byte and
/// the record for anything damaged.
template <typename Visitor>
class HprofReader : protected PlainRecords {
 public:
  HprofReader(BufferedInput& input, const HprofHeader& header, const std::string& name,
              Visitor& visitor)
      : PlainRecords(input, header.identifier_size, name), visitor_(visitor) {}

  /// Bytes of the whole file if they are known (plain files), 0 otherwise; lets a wrapped HEAP_DUMP
  /// length be undone.
  void set_input_size(std::uint64_t bytes) { lengths_.file_bytes = bytes; }

  /// Have what an earlier reading found damaged passed over; `known` must outlive the reader.
  void pass_over(const DumpDamage& known) {
    gaps_ = DamageGaps(known);
    lengths_.fixes = &known.lengths;
  }

  /// Reads everything; calls `progress(bytes of the file behind us)` now and then. Returns the
  /// number of dumps.
  template <typename OnProgress>
  std::uint32_t read(DumpSelection selection, OnProgress&& progress) {
    while (!visitor_.finished() && !input_.at_end()) {
      progress(input_.source().file_position());
      const std::uint64_t before = input_.position();
      if (!pass_gap()) {
        read_record(selection, progress);
      } else if (record_.left != 0) {
        record_.tag = tag::kHeapDumpSegment;
        read_headless(selection, input_.position() == before, progress);
      }
    }
    return course_.dumps;
  }

  /// Reads the heap records from a place that an earlier reading was told, up to `end`, the next
  /// place or the end of the dump. Places must be taken in ascending order.
  void read_stretch(const RecordPlace& place, std::uint64_t end) {
    go_to(place.position);
    record_.start = place.position;
    record_.tag = tag::kHeapDumpSegment;
    record_.left = place.left;
    gaps_.start_at(place.position);
    while (input_.position() < end) {
      if (pass_gap()) {
        continue;
      }
      if (record_.left != 0) {
        read_sub_record();
        continue;
      }
      open_record();
      if (!record_.is_heap()) {
        pass_record();
      }
    }
  }

  /// One past the last heap record of the selected dump.
  std::uint64_t heap_end() const { return heap_end_; }

  /// When the selected dump was begun, in microseconds after the header's timestamp.
  std::uint32_t dump_micros() const { return dump_micros_; }

 protected:
  static constexpr std::uint32_t kProgressRecords = 1U << 16U;

  /// Passes over damage that begins here; true if there was some. Behind it heap records may follow
  /// (`record_.left`) without a header of their own.
  bool pass_gap() {
    if (input_.position() != gaps_.next()) [[likely]] {
      return false;
    }
    leap();
    return true;
  }

  [[gnu::noinline]] void leap() {
    const Damage& gap = gaps_.pass();
    input_.go_to(gap.resume);
    record_.left = gap.heap_left;
  }

  template <typename OnProgress>
  void read_record(DumpSelection selection, OnProgress&& progress) {
    open_record();
    visitor_.on_record(record_.tag, record_.left);
    if (record_.is_heap()) {
      note_time(course_.open_heap(record_.tag, record_.dump), selection);
      read_selected(selection, progress);
    } else {
      course_.open_plain(record_.tag);
      read_plain_record(visitor_);
      pass_record();
    }
  }

  template <typename OnProgress>
  void read_selected(DumpSelection selection, OnProgress&& progress) {
    if (course_.dumps == selection.number) {
      return read_heap_body(progress);
    }
    pass_record();
    gaps_.start_at(input_.position());
  }

  /// Heap records without a header.
  template <typename OnProgress>
  void read_headless(DumpSelection selection, bool adjoins, OnProgress&& progress) {
    note_time(course_.open_headless(adjoins), selection);
    read_selected(selection, progress);
  }

  void note_time(bool dump_begins, DumpSelection selection) {
    if (dump_begins && course_.dumps == selection.number) {
      dump_micros_ = record_.micros;
    }
  }

  /// What is left of the open heap record.
  template <typename OnProgress>
  void read_heap_body(OnProgress&& progress) {
    for (std::uint32_t records = 1; record_.left != 0; ++records) {
      if (visitor_.enough()) {
        return leave_record();
      }
      if (records % kProgressRecords == 0) {
        progress(input_.source().file_position());
      }
      if (pass_gap()) {
        continue;
      }
      if constexpr (Visitor::kWantsPlaces) {
        tell_place();
      }
      read_sub_record();
    }
    heap_end_ = input_.position();
  }

  void tell_place() {
    if (input_.position() >= next_place_) [[unlikely]] {
      visitor_.on_place(input_.position(), record_.left);
      next_place_ = input_.position() + kPlaceBytes;
    }
  }

  void go_to(std::uint64_t position) {
    const std::uint64_t distance = position - input_.position();
    if (position < input_.position() || input_.skip(distance) != distance) {
      fail(ExitCode::stale, name(),
           ": ends before a record that the graph knows; run hprof-graph again");
    }
  }

  void leave_record() {
    if (!visitor_.finished()) {
      pass_record();
    }
  }

  void read_sub_record() {
    sub_start_ = input_.position();
    sub_tag_ = *take(1);
    visitor_.on_sub_record(sub_tag_);
    switch (sub_tag_) {
      case sub::kInstanceDump:
        return read_instance();
      case sub::kObjectArrayDump:
        return read_object_array();
      case sub::kPrimitiveArrayDump:
        return read_primitive_array(true);
      case sub::kPrimitiveArrayNoData:
        return read_primitive_array(false);
      case sub::kClassDump:
        return read_class();
      case sub::kHeapDumpInfo: {
        const std::uint8_t* b = piece(4 + id_size_);
        return visitor_.on_heap_info(load_big_endian<std::uint32_t>(b), id_at(b + 4));
      }
      default:
        return read_root();
    }
  }

  void read_root() {
    const auto known = root_record_extra(sub_tag_, id_size_);
    if (!known) {
      damaged(sub_start_, tag_name(record_.tag),
              concat("tag ", hex_address(sub_tag_), " is no heap record"));
    }
    const unsigned extra = *known;
    const std::uint8_t* b = piece(id_size_ + extra);
    RootRecord root{.tag = sub_tag_, .id = id_at(b), .thread_serial = 0, .frame = 0xffffffffU};
    if (sub_tag_ != sub::kRootJniGlobal && extra >= 4) {
      root.thread_serial = load_big_endian<std::uint32_t>(b + id_size_);
      root.frame = extra == 8 ? load_big_endian<std::uint32_t>(b + id_size_ + 4) : 0xffffffffU;
    }
    if (sub_tag_ != sub::kUnreachable) {
      visitor_.on_root(root);
    }
  }

  void read_instance() {
    const std::uint8_t* b = piece(8 + 2 * id_size_);
    const std::uint64_t id = id_at(b);
    const auto trace = load_big_endian<std::uint32_t>(b + id_size_);
    const std::uint64_t class_id = class_id_at(b + id_size_ + 4);
    const auto bytes = load_big_endian<std::uint32_t>(b + 4 + 2 * id_size_);
    if constexpr (Visitor::kWantsReferences) {
      visitor_.on_instance(id, class_id, trace, bytes, piece(bytes));
    } else {
      pass_payload(bytes);
      visitor_.on_instance(id, class_id, trace, bytes, nullptr);
      if (visitor_.wants_instance_place()) [[unlikely]] {
        visitor_.on_instance_place(place());
      }
    }
  }

  void read_object_array() {
    const std::uint8_t* b = piece(8 + 2 * id_size_);
    const std::uint64_t id = id_at(b);
    const auto trace = load_big_endian<std::uint32_t>(b + id_size_);
    const auto elements = load_big_endian<std::uint32_t>(b + id_size_ + 4);
    const std::uint64_t class_id = class_id_at(b + id_size_ + 8);
    std::uint64_t bytes = std::uint64_t{elements} * id_size_;
    if (bytes > record_.left) {
      damaged(sub_start_, sub_tag_name(sub_tag_),
              concat(elements, " elements reach beyond the segment"), Unreadable::beyond_segment);
    }
    if constexpr (Visitor::kWantsReferences) {
      visitor_.on_object_array(id, class_id, trace, elements);
      constexpr std::uint64_t kStep = 1U << 16U;
      while (bytes != 0) {
        const auto step = static_cast<std::size_t>(bytes < kStep ? bytes : kStep);
        visitor_.on_elements({piece(step), step});
        bytes -= step;
      }
      visitor_.on_object_array_end();
    } else {
      pass_payload(bytes);
      visitor_.on_object_array(id, class_id, trace, elements);
    }
  }

  void read_primitive_array(bool has_data) {
    const std::uint8_t* b = piece(9 + id_size_);
    const auto elements = load_big_endian<std::uint32_t>(b + id_size_ + 4);
    const std::uint8_t type = b[id_size_ + 8];
    const unsigned width = primitive_width(type);
    if (width == 0) {
      damaged(sub_start_, sub_tag_name(sub_tag_),
              concat("element type ", unsigned{type}, " is no primitive type"));
    }
    const std::uint64_t bytes = has_data ? std::uint64_t{elements} * width : 0;
    if (bytes > record_.left) {
      damaged(sub_start_, sub_tag_name(sub_tag_),
              concat(elements, " elements reach beyond the segment"), Unreadable::beyond_segment);
    }
    const std::uint64_t id = id_at(b);
    const auto trace = load_big_endian<std::uint32_t>(b + id_size_);
    if constexpr (Visitor::kWantsContents) {
      visitor_.on_primitive_array(id, type, trace, elements);
      if (visitor_.wants_contents()) {
        return deliver_contents(bytes);
      }
      pass_payload(bytes);
    } else {
      pass_payload(bytes);
      visitor_.on_primitive_array(id, type, trace, elements);
    }
  }

  void deliver_contents(std::uint64_t bytes) {
    constexpr std::uint64_t kStep = 1U << 16U;
    while (bytes != 0) {
      const auto step = static_cast<std::size_t>(bytes < kStep ? bytes : kStep);
      visitor_.on_contents({piece(step), step});
      bytes -= step;
    }
    visitor_.on_contents_end();
  }

  /// That of the heap record that is being read.
  HeapPlace place() const { return {sub_start_, input_.position() + record_.left}; }

  unsigned value_width(std::uint8_t type) const {
    const unsigned width = type == kTypeObject ? id_size_ : primitive_width(type);
    if (width == 0) {
      damaged(sub_start_, sub_tag_name(sub_tag_),
              concat("type ", unsigned{type}, " is no basic type"));
    }
    return width;
  }

  std::uint64_t value(std::uint8_t type) {
    std::uint64_t bits = 0;
    const unsigned width = value_width(type);
    const std::uint8_t* b = piece(width);
    for (unsigned i = 0; i < width; ++i) {
      bits = bits << 8U | b[i];
    }
    return bits;
  }

  std::uint16_t count() { return load_big_endian<std::uint16_t>(piece(2)); }

  void read_class() {
    const std::uint8_t* b = piece(8 + 7 * id_size_);
    const std::uint8_t* ids = b + id_size_ + 4;
    const ClassDumpRecord record{
        .id = id_at(b),
        .trace_serial = load_big_endian<std::uint32_t>(b + id_size_),
        .super_id = id_at(ids),
        .loader_id = id_at(ids + id_size_),
        .signers_id = id_at(ids + 2 * id_size_),
        .domain_id = id_at(ids + 3 * id_size_),
        .instance_size = load_big_endian<std::uint32_t>(ids + 6 * id_size_)};
    visitor_.on_class(record);
    visitor_.on_class_place(place());
    for (unsigned left = count(); left != 0; --left) {
      const std::uint8_t type = piece(3)[2];
      value(type);
    }
    for (unsigned left = count(); left != 0; --left) {
      const std::uint8_t* head = piece(id_size_ + 1);
      const std::uint64_t name_id = id_at(head);
      const std::uint8_t type = head[id_size_];
      visitor_.on_static(name_id, type, value(type));
    }
    for (unsigned left = count(); left != 0; --left) {
      const std::uint8_t* head = piece(id_size_ + 1);
      value_width(head[id_size_]);
      visitor_.on_field(id_at(head), head[id_size_]);
    }
    visitor_.on_class_end();
  }

  Visitor& visitor_;
  DamageGaps gaps_;
  DumpCourse course_;
  std::uint32_t dump_micros_ = 0;
  std::uint64_t next_place_ = 0;
  std::uint64_t heap_end_ = 0;
};

}  // namespace hprof
