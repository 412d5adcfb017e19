#pragma once

#include "tools/hprof-report/dump/field_table.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hprof {

/// An instance or array as its record in the dump has it; valid while it is being shown.
class ObjectRecord {
 public:
  struct Head {
    std::uint32_t object = 0;
    std::uint32_t type = 0;
    std::uint32_t trace_serial = 0;
    std::uint64_t elements = 0;  ///< of an array
  };

  /// `bytes`: field data, or the elements as far as they were asked for.
  ObjectRecord(const HeapIndex& index, FieldTable& fields, Head head,
               std::span<const std::uint8_t> bytes)
      : index_(index), fields_(fields), head_(head), bytes_(bytes) {}

  std::uint32_t object() const { return head_.object; }
  std::uint32_t type() const { return head_.type; }
  std::uint32_t trace_serial() const { return head_.trace_serial; }
  RecordKind kind() const { return index_.types[head_.type].kind; }
  ClassIndex class_index() const { return index_.types[head_.type].class_index; }
  /// Number of elements of an array, 0 for an instance.
  std::uint64_t elements() const { return head_.elements; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }

  /// The object in a reference field; none when it is null, dangling, or not in the record.
  ObjectIndex reference(std::string_view name, std::string_view declared_by = {}) const;
  ObjectIndex reference(const FieldPlace& field) const;
  /// The value of a primitive field, sign-extended (booleans and chars zero-extended); nothing when
  /// the class has no such field.
  std::optional<std::int64_t> number(std::string_view name,
                                     std::string_view declared_by = {}) const;
  std::optional<std::int64_t> number(const FieldPlace& field) const;
  /// Whether its class or one of the super classes has that name.
  bool is_a(std::string_view class_name) const { return fields_.is_a(class_index(), class_name); }
  bool has_field(std::string_view name) const {
    return fields_.find(class_index(), name) != nullptr;
  }
  /// Elements of an object array that were delivered.
  std::uint64_t elements_here() const { return bytes_.size() / index_.summary.identifier_size; }
  /// The object in such an element; none when it is null or dangling.
  ObjectIndex element(std::uint64_t position) const;

 private:
  std::optional<std::uint64_t> bits(std::uint64_t offset, unsigned width) const;

  const HeapIndex& index_;
  FieldTable& fields_;
  Head head_;
  std::span<const std::uint8_t> bytes_;
};

}  // namespace hprof
