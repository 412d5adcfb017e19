#include "formats/report/json_reader.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/report/top.h"

#include <algorithm>
#include <charconv>

namespace hprof {
namespace {

/// The package tree is the only struct that nests in itself: two places a level.
constexpr std::size_t kMaxPlaces = 2 * (std::size_t{kMaxPackageDepth} + 8);

}  // namespace

void JsonReader::read(const nlohmann::json& value, Address& out) {
  require(value.is_string(), "an address like \"0x7f00\"");
  const auto& text = value.get_ref<const std::string&>();
  const char* end = text.data() + text.size();
  const bool prefixed = text.starts_with("0x");
  const auto result = std::from_chars(text.data() + (prefixed ? 2 : 0), end, out.value, 16);
  require(prefixed && result.ec == std::errc() && result.ptr == end, "an address like \"0x7f00\"");
}

void JsonReader::read(const nlohmann::json& value, std::uint64_t& out) {
  require(value.is_number_unsigned(), "a whole number of at most 64 bits");
  out = value.get<std::uint64_t>();
}

/// Below −2^63 the library reads no whole numbers.
void JsonReader::read(const nlohmann::json& value, SignedCount& out) {
  require(value.is_number_integer(), "a whole number of at most 64 bits");
  if (value.is_number_unsigned()) {
    out = {false, value.get<std::uint64_t>()};
  } else {
    const auto number = value.get<std::int64_t>();
    out = {number < 0, number < 0 ? 0 - static_cast<std::uint64_t>(number)
                                  : static_cast<std::uint64_t>(number)};
  }
}

void JsonReader::read(const nlohmann::json& value, bool& out) {
  require(value.is_boolean(), "true or false");
  out = value.get<bool>();
}

void JsonReader::read(const nlohmann::json& value, std::string& out) {
  require(value.is_string(), "text");
  out = value.get_ref<const std::string&>();
}

std::size_t JsonReader::word_index(const nlohmann::json& value, const std::string_view* words,
                                   std::size_t count) {
  require(value.is_string(), "one of the known words");
  const auto* found = std::find(words, words + count, value.get_ref<const std::string&>());
  require(found != words + count, "one of the known words");
  return static_cast<std::size_t>(found - words);
}

void JsonReader::require(bool fits, const char* wanted) {
  if (!fits) {
    refuse(concat("is not ", wanted));
  }
  if (place_.size() > kMaxPlaces) {
    refuse("is nested too deeply");
  }
}

void JsonReader::refuse(const std::string& what) const {
  std::string at;
  for (const auto& part : place_) {
    at += (at.empty() ? "" : ".") + part;
  }
  fail(ExitCode::bad_data, file_, ": ", at.empty() ? "the document" : printable(at), " ", what,
       "; make the report again with hprof-report");
}

}  // namespace hprof
