#pragma once

#include "common/bit_vector.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/strings/content_groups.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// The part of an array that a String of JDK 6 and before uses.
struct TextSlice {
  std::uint32_t array = 0;  ///< object index
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
  std::uint32_t string = 0;  ///< object index

  auto operator<=>(const TextSlice&) const = default;
};

/// Reads of every String what X.graph does not have: the coder, or offset and count.
class StringReader : public Surveyor {
 public:
  explicit StringReader(DumpSource& dump);

  bool wants(std::uint32_t type) override { return type == string_type_; }
  void on_instance(const ObjectRecord& record) override;

  /// Whether Strings have an offset and a count; else all use their whole array.
  bool has_slices() const { return offset_ != nullptr && count_ != nullptr; }
  /// One per String that has an array; 16 bytes each.
  std::vector<TextSlice>& slices() { return slices_; }
  /// How a String reads its array.
  TextCoder coder_of(std::uint32_t string, RecordKind array_kind) const {
    return array_kind == RecordKind::char_array || is_utf16_.test(string) ? TextCoder::utf16
                                                                          : TextCoder::latin1;
  }

 private:
  const FieldPlace* field(DumpSource& dump, std::string_view name) const;

  ClassIndex string_class_;
  std::uint32_t string_type_ = 0xffffffffU;
  const FieldPlace* coder_ = nullptr;
  const FieldPlace* value_ = nullptr;
  const FieldPlace* offset_ = nullptr;
  const FieldPlace* count_ = nullptr;
  BitVector is_utf16_;  ///< by object
  std::vector<TextSlice> slices_;
};

}  // namespace hprof
