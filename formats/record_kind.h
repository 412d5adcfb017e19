#pragma once

#include <cstdint>
#include <string_view>

namespace hprof {

/// What sort of record an object comes from; primitive arrays carry the HPROF basic type of their
/// elements.
enum class RecordKind : std::uint8_t {
  instance = 0,
  object_array = 1,
  class_object = 2,
  boolean_array = 4,
  char_array = 5,
  float_array = 6,
  double_array = 7,
  byte_array = 8,
  short_array = 9,
  int_array = 10,
  long_array = 11,
};

/// HPROF basic types (HPROF specification, "BASIC TYPES").
inline constexpr std::uint8_t kTypeObject = 2;
inline constexpr std::uint8_t kTypeBoolean = 4;
inline constexpr std::uint8_t kTypeChar = 5;
inline constexpr std::uint8_t kTypeFloat = 6;
inline constexpr std::uint8_t kTypeDouble = 7;
inline constexpr std::uint8_t kTypeByte = 8;
inline constexpr std::uint8_t kTypeShort = 9;
inline constexpr std::uint8_t kTypeInt = 10;
inline constexpr std::uint8_t kTypeLong = 11;

/// Bytes of a value of a primitive basic type; 0 for anything else.
constexpr unsigned primitive_width(std::uint8_t basic_type) {
  switch (basic_type) {
    case kTypeBoolean:
    case kTypeByte:
      return 1;
    case kTypeChar:
    case kTypeShort:
      return 2;
    case kTypeFloat:
    case kTypeInt:
      return 4;
    case kTypeDouble:
    case kTypeLong:
      return 8;
    default:
      return 0;
  }
}

/// Java's word for a primitive basic type; empty for anything else.
constexpr std::string_view primitive_name(unsigned basic_type) {
  switch (basic_type) {
    case kTypeBoolean:
      return "boolean";
    case kTypeChar:
      return "char";
    case kTypeFloat:
      return "float";
    case kTypeDouble:
      return "double";
    case kTypeByte:
      return "byte";
    case kTypeShort:
      return "short";
    case kTypeInt:
      return "int";
    case kTypeLong:
      return "long";
    default:
      return "";
  }
}

constexpr bool is_primitive_array(RecordKind kind) {
  return kind >= RecordKind::boolean_array;
}

}  // namespace hprof
