// A look at records whose place is only guessed: what cannot be is found out as early as possible.
#include "formats/sub_record.h"

#include "common/byte_cursor.h"
#include "formats/hprof_tags.h"
#include "formats/record_kind.h"

#include <algorithm>

namespace hprof {
namespace {

using Length = std::optional<std::uint64_t>;
using Bytes = std::span<const std::uint8_t>;

class SubRecord {
 public:
  SubRecord(Bytes bytes, unsigned identifier_size) : bytes_(bytes), id_size_(identifier_size) {}

  std::optional<SubRecordHead> head() const {
    const auto bytes = length();
    if (!bytes || !sees(head_bytes(*bytes))) {
      return std::nullopt;
    }
    SubRecordHead out{.tag = bytes_[0], .id = id_at(1), .bytes = *bytes};
    if (is_object_tag(out.tag)) {
      out.trace = number_at(1 + id_size_);
      read_object(out);
    } else if (out.tag == sub::kHeapDumpInfo) {
      out.trace = number_at(1);
      out.id = id_at(5);
    }
    return out;
  }

  std::uint64_t own_field_bytes() const {
    std::uint64_t at = 9 + 7 * std::uint64_t{id_size_};
    pass_rows(at, 3, true);
    pass_rows(at, id_size_ + 1, true);
    unsigned rows = load_big_endian<std::uint16_t>(&bytes_[at]);
    std::uint64_t sum = 0;
    for (at += 2 + std::uint64_t{id_size_}; rows != 0; --rows, at += id_size_ + 1) {
      sum += width_of(bytes_[at]);
    }
    return sum;
  }

  Length length() const {
    switch (bytes_[0]) {
      case sub::kInstanceDump:
        return has_id() ? with_payload(9 + 2 * std::uint64_t{id_size_}, 5 + 2 * id_size_, 1)
                        : Length();
      case sub::kObjectArrayDump:
        return has_id() ? with_payload(9 + 2 * std::uint64_t{id_size_}, 5 + id_size_, id_size_)
                        : Length();
      case sub::kPrimitiveArrayDump:
        return has_id() ? primitive_array(true) : Length();
      case sub::kPrimitiveArrayNoData:
        return has_id() ? primitive_array(false) : Length();
      case sub::kClassDump:
        return has_id() ? class_dump() : Length();
      case sub::kHeapDumpInfo:
        return 5 + std::uint64_t{id_size_};
      default: {
        const auto extra = root_record_extra(bytes_[0], id_size_);
        return extra ? Length(1 + std::uint64_t{id_size_} + *extra) : Length();
      }
    }
  }

 private:
  std::uint64_t id_at(std::size_t at) const {
    return id_size_ == 8 ? load_big_endian<std::uint64_t>(&bytes_[at]) : number_at(at);
  }
  std::uint32_t number_at(std::size_t at) const {
    return load_big_endian<std::uint32_t>(&bytes_[at]);
  }
  /// Bytes of a value of a basic type; 0 for what is none.
  unsigned width_of(std::uint8_t type) const {
    return type == kTypeObject ? id_size_ : primitive_width(type);
  }

  static bool is_array_of_values(std::uint8_t tag) {
    return tag == sub::kPrimitiveArrayDump || tag == sub::kPrimitiveArrayNoData;
  }
  std::uint64_t head_bytes(std::uint64_t whole) const {
    if (is_array_of_values(bytes_[0])) {
      return 10 + id_size_;
    }
    return is_object_tag(bytes_[0]) ? 9 + 2 * std::uint64_t{id_size_} : whole;
  }

  void read_object(SubRecordHead& out) const {
    const std::size_t behind_trace = 5 + id_size_;
    switch (out.tag) {
      case sub::kInstanceDump:
        out.class_id = id_at(behind_trace);
        out.elements = number_at(behind_trace + id_size_);
        break;
      case sub::kObjectArrayDump:
        out.elements = number_at(behind_trace);
        out.class_id = id_at(behind_trace + 4);
        break;
      case sub::kClassDump:
        out.class_id = id_at(behind_trace);
        break;
      default:
        out.elements = number_at(behind_trace);
    }
  }

  bool sees(std::uint64_t end) const { return end <= bytes_.size(); }

  /// Whether the object's id is one, as far as can be seen.
  bool has_id() const {
    const auto id = bytes_.subspan(1, std::min<std::size_t>(id_size_, bytes_.size() - 1));
    return id.size() < id_size_ ||
           std::any_of(id.begin(), id.end(), [](std::uint8_t byte) { return byte != 0; });
  }

  /// A head of `head` bytes with a count at `at`, and as many pieces of `width` bytes.
  Length with_payload(std::uint64_t head, std::size_t at, unsigned width) const {
    if (!sees(at + 4)) {
      return kUnseenBytes;
    }
    return head + std::uint64_t{load_big_endian<std::uint32_t>(&bytes_[at])} * width;
  }

  Length primitive_array(bool has_data) const {
    const std::size_t type_at = 9 + id_size_;
    if (!sees(type_at + 1)) {
      return kUnseenBytes;
    }
    const unsigned width = primitive_width(bytes_[type_at]);
    return width == 0 ? Length() : with_payload(type_at + 1, 5 + id_size_, has_data ? width : 0);
  }

  /// Passes a table of rows whose last byte of `head` is a type; its values follow where there are
  /// any. False for a wrong type; `at` is kUnseenBytes if the end cannot be seen.
  bool pass_rows(std::uint64_t& at, unsigned head, bool has_values) const {
    if (!sees(at + 2)) {
      at = kUnseenBytes;
      return true;
    }
    unsigned rows = load_big_endian<std::uint16_t>(&bytes_[at]);
    at += 2;
    for (; rows != 0; --rows) {
      if (!sees(at + head)) {
        at = kUnseenBytes;
        return true;
      }
      const unsigned width = width_of(bytes_[at + head - 1]);
      if (width == 0) {
        return false;
      }
      at += head + (has_values ? width : 0);
    }
    return true;
  }

  Length class_dump() const {
    std::uint64_t at = 9 + 7 * std::uint64_t{id_size_};
    const bool good = pass_rows(at, 3, true) &&
                      (at == kUnseenBytes || pass_rows(at, id_size_ + 1, true)) &&
                      (at == kUnseenBytes || pass_rows(at, id_size_ + 1, false));
    return good ? Length(at) : Length();
  }

  Bytes bytes_;
  unsigned id_size_;
};

}  // namespace

bool is_object_tag(std::uint8_t tag) {
  return (tag >= sub::kClassDump && tag <= sub::kPrimitiveArrayDump) ||
         tag == sub::kPrimitiveArrayNoData;
}

bool may_begin_run(std::uint8_t tag) {
  return is_object_tag(tag) || root_record_extra(tag, 8).has_value();
}

std::optional<std::uint64_t> sub_record_bytes(std::span<const std::uint8_t> bytes,
                                              unsigned identifier_size) {
  return bytes.empty() ? std::nullopt : SubRecord(bytes, identifier_size).length();
}

std::optional<SubRecordHead> sub_record_head(std::span<const std::uint8_t> bytes,
                                             unsigned identifier_size) {
  return bytes.empty() ? std::nullopt : SubRecord(bytes, identifier_size).head();
}

std::uint64_t own_field_bytes(std::span<const std::uint8_t> bytes, unsigned identifier_size) {
  return SubRecord(bytes, identifier_size).own_field_bytes();
}

}  // namespace hprof
