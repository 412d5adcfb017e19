#pragma once

#include "common/byte_cursor.h"
#include "common/input_stream.h"
#include "common/text.h"
#include "formats/damaged_record.h"
#include "formats/dump_course.h"
#include "formats/dump_damage.h"
#include "formats/hprof_tags.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// The top-level record that is being read.
struct OpenRecord {
  std::uint64_t start = 0;
  std::uint64_t end = 0;     ///< as its header says, or as is known better
  std::uint64_t left = 0;    ///< bytes of it that are still to be read
  std::uint32_t micros = 0;  ///< microseconds after the file's timestamp
  std::uint8_t tag = 0;
  bool beyond_file = false;  ///< it is longer than the file
  BelongsTo dump = BelongsTo::as_it_looks;

  bool is_heap() const { return is_heap_tag(tag); }
};

/// What is known of the lengths of records besides their headers.
struct RecordLengths {
  std::uint64_t file_bytes = 0;  ///< of the whole file, 0 if unknown
  const std::vector<LengthFix>* fixes = nullptr;

  /// What is to be taken for the length of the record at that place; null: its header is right.
  const LengthFix* fix_at(std::uint64_t position) const;
};

/// Where a reader of dumps stands: the current top-level record, the heap sub-record in it, and how
/// much is left. Every byte is taken through here, so that nothing is read beyond a record, and
/// damage is reported with its place.
class RecordBytes {
 protected:
  RecordBytes(BufferedInput& input, unsigned identifier_size, const std::string& name)
      : input_(input), id_size_(identifier_size), name_(printable(name)) {}

  [[noreturn]] void damaged(std::uint64_t position, const std::string& where,
                            const std::string& what, Unreadable why = Unreadable::garbled) const;

  const std::string& name() const { return name_; }

  /// `count` bytes of a top-level record's body.
  const std::uint8_t* body(std::size_t count) {
    if (count > record_.left) {
      damaged(record_.start, tag_name(record_.tag), "the record is too short for its kind");
    }
    return take(count);
  }

  /// `count` bytes of a heap sub-record.
  const std::uint8_t* piece(std::size_t count) {
    if (count > record_.left) [[unlikely]] {
      damaged(sub_start_, sub_tag_name(sub_tag_), "the record reaches beyond its segment",
              Unreadable::beyond_segment);
    }
    return take(count);
  }

  const std::uint8_t* take(std::size_t count) {
    const std::uint8_t* bytes = input_.peek(count);
    if (bytes == nullptr) [[unlikely]] {
      damaged(input_.position(), tag_name(record_.tag), "the file ends inside this record",
              Unreadable::at_end);
    }
    input_.advance(count);
    record_.left -= count;
    return bytes;
  }

  void pass(std::uint64_t count, const std::string& where) {
    if (count > record_.left) {
      damaged(sub_start_, where, "the record reaches beyond its segment",
              Unreadable::beyond_segment);
    }
    if (input_.skip(count) != count) {
      damaged(input_.position(), where, "the file ends inside this record", Unreadable::at_end);
    }
    record_.left -= count;
  }

  std::uint64_t id_at(const std::uint8_t* bytes) const {
    return id_size_ == 8 ? load_big_endian<std::uint64_t>(bytes)
                         : load_big_endian<std::uint32_t>(bytes);
  }

  /// What an instance or array says is its class.
  std::uint64_t class_id_at(const std::uint8_t* bytes) const {
    const std::uint64_t id = id_at(bytes);
    if (id == 0) [[unlikely]] {
      damaged(sub_start_, sub_tag_name(sub_tag_), "the object has no class");
    }
    return id;
  }

  void pass_record() {
    sub_start_ = record_.start;
    pass(record_.left, tag_name(record_.tag));
  }

  void pass_payload(std::uint64_t bytes) {
    if (bytes <= input_.buffered().size() && bytes <= record_.left) [[likely]] {
      input_.advance(static_cast<std::size_t>(bytes));
      record_.left -= bytes;
    } else {
      pass(bytes, sub_tag_name(sub_tag_));
    }
  }

  /// Starts at the next record header.
  void open_record();
  /// Whatever it looks like, no record begins here.
  [[noreturn]] void refuse_record();

  BufferedInput& input_;
  unsigned id_size_;
  OpenRecord record_;
  RecordLengths lengths_;
  std::uint64_t sub_start_ = 0;
  std::uint8_t sub_tag_ = 0;

 private:
  void undo_wrapped_length();
  void check_fits() const;

  std::string name_;
};

}  // namespace hprof
