#pragma once

#include "common/byte_cursor.h"
#include "common/error.h"
#include "common/input_stream.h"
#include "common/text.h"
#include "formats/dump_damage.h"
#include "formats/hprof_tags.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// A record that cannot be read.
class DamagedRecord : public Error {
 public:
  struct Place {
    std::uint64_t start = 0;         ///< first byte of the record
    std::uint64_t record_start = 0;  ///< of the top-level record
    std::uint64_t record_end = 0;    ///< where that ends, as its header says
    bool in_heap_record = false;     ///< `start` is a heap record inside it
    bool at_end = false;             ///< there are no more bytes
    bool beyond_segment = false;     ///< the heap record is longer than what is left of its segment
    bool beyond_file = false;        ///< the top-level record is longer than the file
    bool heap_may_follow = true;     ///< what is found behind it may be heap records
    std::uint32_t micros = 0;        ///< the time of the top-level record
    std::optional<std::uint32_t> micros_before =
        {};                 ///< that of the record before it, if it is known
    std::string what = {};  ///< record and reason
  };
  DamagedRecord(const std::string& message, Place place)
      : Error(ExitCode::bad_data, message), place_(std::move(place)) {}
  const Place& place() const { return place_; }

 private:
  Place place_;
};

/// Where a reader of dumps stands: the current top-level record, the heap sub-record in it, and how
/// much is left. Every byte is taken through here, so that nothing is read beyond a record, and
/// damage is reported with its place.
class RecordBytes {
 protected:
  RecordBytes(BufferedInput& input, unsigned identifier_size, const std::string& name)
      : input_(input), id_size_(identifier_size), name_(printable(name)) {}

  enum class Why { garbled, at_end, beyond_segment };

  [[noreturn]] void damaged(std::uint64_t position, const std::string& where,
                            const std::string& what, Why why = Why::garbled) const {
    const bool in_heap_record = is_heap_record() && sub_start_ > record_start_;
    throw DamagedRecord(concat(name_, ": byte ", hex_address(position), " (", where, "): ", what,
                               "; the dump is damaged or was cut, copy or take it again"),
                        {.start = in_heap_record ? sub_start_ : record_start_,
                         .record_start = record_start_,
                         .record_end = record_end_,
                         .in_heap_record = in_heap_record,
                         .at_end = why == Why::at_end,
                         .beyond_segment = why == Why::beyond_segment,
                         .beyond_file = beyond_file_,
                         .micros = record_micros_,
                         .what = where + ": " + what});
  }

  const std::string& name() const { return name_; }

  bool is_heap_record() const {
    return record_tag_ == tag::kHeapDump || record_tag_ == tag::kHeapDumpSegment;
  }

  /// `count` bytes of a top-level record's body.
  const std::uint8_t* body(std::size_t count) {
    if (count > left_) {
      damaged(record_start_, tag_name(record_tag_), "the record is too short for its kind");
    }
    return take(count);
  }

  /// `count` bytes of a heap sub-record.
  const std::uint8_t* piece(std::size_t count) {
    if (count > left_) [[unlikely]] {
      damaged(sub_start_, sub_tag_name(sub_tag_), "the record reaches beyond its segment",
              Why::beyond_segment);
    }
    return take(count);
  }

  const std::uint8_t* take(std::size_t count) {
    const std::uint8_t* bytes = input_.peek(count);
    if (bytes == nullptr) [[unlikely]] {
      damaged(input_.position(), tag_name(record_tag_), "the file ends inside this record",
              Why::at_end);
    }
    input_.advance(count);
    left_ -= count;
    return bytes;
  }

  void pass(std::uint64_t count, const std::string& where) {
    if (count > left_) {
      damaged(sub_start_, where, "the record reaches beyond its segment", Why::beyond_segment);
    }
    if (input_.skip(count) != count) {
      damaged(input_.position(), where, "the file ends inside this record", Why::at_end);
    }
    left_ -= count;
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

  /// A HEAP_DUMP beyond 4 GiB has lost the high bits of its length; it runs to the end of the file.
  void undo_wrapped_length() {
    const std::uint64_t available =
        input_size_ > input_.position() ? input_size_ - input_.position() : 0;
    if (available > left_ && ((available - left_) & 0xffffffffU) == 0) {
      left_ = available;
    }
  }

  void check_fits() const {
    if (input_size_ != 0 && left_ > input_size_ - input_.position()) {
      damaged(record_start_, tag_name(record_tag_),
              concat("says it is ", format_count(left_, "byte", "bytes"), " long where ",
                     format_count(input_size_ - input_.position(), "is", "are"),
                     " left; the file ends inside this record"),
              Why::at_end);
    }
  }

  void pass_record() {
    sub_start_ = record_start_;
    pass(left_, tag_name(record_tag_));
  }

  void pass_payload(std::uint64_t bytes) {
    if (bytes <= input_.buffered().size() && bytes <= left_) [[likely]] {
      input_.advance(static_cast<std::size_t>(bytes));
      left_ -= bytes;
    } else {
      pass(bytes, sub_tag_name(sub_tag_));
    }
  }

  /// Starts at the next record header; `left_` is the length of its body.
  void open_record() {
    constexpr std::size_t kHeaderBytes = 9;
    record_start_ = input_.position();
    record_end_ = 0;
    const std::uint8_t* header = input_.peek(kHeaderBytes);
    if (header == nullptr) {
      damaged(record_start_, "record header", "the file ends inside this record", Why::at_end);
    }
    record_tag_ = header[0];
    record_micros_ = load_big_endian<std::uint32_t>(header + 1);
    left_ = load_big_endian<std::uint32_t>(header + 5);
    input_.advance(kHeaderBytes);
    const auto* fix = length_fix();
    continues_ = fix != nullptr && fix->continues;
    begins_ = fix != nullptr && fix->begins;
    beyond_file_ = fix != nullptr && fix->kind == DamageKind::cut;
    if (fix != nullptr) {
      left_ = fix->length;
      record_tag_ = fix->is_end() ? tag::kHeapDumpEnd : record_tag_;
    } else if (record_tag_ == tag::kHeapDump) {
      undo_wrapped_length();
    }
    record_end_ = input_.position() + left_;
    check_fits();
  }

  /// What is to be taken for the length of the record that has just been opened.
  const LengthFix* length_fix() const {
    if (lengths_ == nullptr || lengths_->empty()) {
      return nullptr;
    }
    const auto found = std::lower_bound(
        lengths_->begin(), lengths_->end(), record_start_,
        [](const LengthFix& fix, std::uint64_t position) { return fix.position < position; });
    return found != lengths_->end() && found->position == record_start_ ? &*found : nullptr;
  }

  BufferedInput& input_;
  unsigned id_size_;
  std::uint64_t input_size_ = 0;  ///< bytes of the whole file, 0 if unknown
  std::uint64_t left_ = 0;        ///< bytes left of the current top-level record
  std::uint64_t record_start_ = 0;
  std::uint64_t record_end_ = 0;
  std::uint64_t sub_start_ = 0;
  std::uint32_t record_micros_ = 0;  ///< microseconds after the header's timestamp
  std::uint8_t record_tag_ = 0;
  std::uint8_t sub_tag_ = 0;
  bool beyond_file_ = false;  ///< the current top-level record is longer than the file
  bool continues_ = false;    ///< the heap record goes on with the dump, whatever its tag says
  bool begins_ = false;       ///< it begins another dump
  const std::vector<LengthFix>* lengths_ = nullptr;

 private:
  std::string name_;
};

}  // namespace hprof
