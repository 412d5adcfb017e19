#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hprof {

// A struct of the report states each of its fields once, in
//   template <typename Self, typename Visitor> static void fields(Self& self, Visitor&& visit)
// as visit("json_name", self.member, "what it is"). The JSON writer, the JSON reader and the schema
// maker are visitors. A field of type std::optional may be absent; every other field is always
// there. kName names the struct in the schema.

/// Where an object lies; a hex string in JSON, so that no reader rounds it.
struct Address {
  std::uint64_t value = 0;
  bool operator==(const Address&) const = default;
  bool operator<(const Address& other) const { return value < other.value; }
};

/// The words an enumeration is written with, in order of its values; specialised beside each
/// enumeration.
template <typename Enum>
struct Words;

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

template <typename T>
concept ReportStruct = requires {
  T::kName;
};

template <typename T>
concept ReportEnum = std::is_enum_v<T>;

template <ReportEnum Enum>
std::string_view word_of(Enum value) {
  return Words<Enum>::kWords[static_cast<std::size_t>(value)];
}

}  // namespace hprof
