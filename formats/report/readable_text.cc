#include "formats/report/readable_text.h"

#include "common/text.h"

#include <cstdint>
#include <optional>

namespace hprof {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

/// The surrogate in three bytes at `text[at]`, with its top six bits being `kind` (0xd800 or
/// 0xdc00).
std::optional<std::uint32_t> surrogate(std::string_view text, std::size_t at, std::uint32_t kind) {
  if (at + 3 > text.size() || text[at] != '\xed') {
    return std::nullopt;
  }
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const auto third = static_cast<unsigned char>(text[at + 2]);
  if ((second & 0xc0U) != 0x80U || (third & 0xc0U) != 0x80U) {
    return std::nullopt;
  }
  const std::uint32_t value = 0xd000U | (second & 0x3fU) << 6U | (third & 0x3fU);
  return (value & 0xfc00U) == kind ? std::optional(value) : std::nullopt;
}

void append_supplementary(std::string& out, std::uint32_t high, std::uint32_t low) {
  const std::uint32_t value = 0x10000U + ((high & 0x3ffU) << 10U) + (low & 0x3ffU);
  out += static_cast<char>(0xf0U | value >> 18U);
  out += static_cast<char>(0x80U | (value >> 12U & 0x3fU));
  out += static_cast<char>(0x80U | (value >> 6U & 0x3fU));
  out += static_cast<char>(0x80U | (value & 0x3fU));
}

/// Appends what stands at `raw[at]` where no well-formed sequence does; returns the bytes it took.
std::size_t append_irregular(std::string& out, std::string_view raw, std::size_t at) {
  if (raw.substr(at, 2) == "\xc0\x80") {
    out += '\0';
    return 2;
  }
  const auto high = surrogate(raw, at, 0xd800U);
  const auto low = high ? surrogate(raw, at + 3, 0xdc00U) : std::nullopt;
  if (low) {
    append_supplementary(out, *high, *low);
    return 6;
  }
  const auto byte = static_cast<unsigned char>(raw[at]);
  out += "\\x";
  out += kHexDigits[byte >> 4U];
  out += kHexDigits[byte & 15U];
  return 1;
}

}  // namespace

std::string readable_text(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t length = utf8_length(raw, at);
    if (length != 0) {
      out.append(raw.substr(at, length));
      at += length;
    } else {
      at += append_irregular(out, raw, at);
    }
  }
  return out;
}

}  // namespace hprof
