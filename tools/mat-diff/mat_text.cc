#include "tools/mat-diff/mat_text.h"

#include "common/text.h"
#include "formats/mat/html_page.h"

#include <cstdint>

namespace hprof {
namespace {

constexpr std::uint64_t kMostUnits = 1024;

std::uint32_t code_point(std::string_view sequence) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(sequence[at]); };
  if (sequence.size() <= 1) {
    return byte(0);
  }
  std::uint32_t value = byte(0) & (0x7fU >> sequence.size());
  for (std::size_t at = 1; at < sequence.size(); ++at) {
    value = value << 6U | (byte(at) & 0x3fU);
  }
  return value;
}

void append_unit(std::string& out, std::uint32_t unit) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "\\u";
  for (unsigned shift = 16; shift != 0; shift -= 4) {
    out += kDigits[unit >> (shift - 4) & 15U];
  }
}

void append_escaped(std::string& out, std::uint32_t value) {
  if (value < 0x10000U) {
    append_unit(out, value);
  } else {
    append_unit(out, 0xd800U + ((value - 0x10000U) >> 10U));
    append_unit(out, 0xdc00U + ((value - 0x10000U) & 0x3ffU));
  }
}

std::string rendering(std::string_view text, bool ascii) {
  std::string out;
  std::uint64_t units = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto sequence = text.substr(at, std::max<std::size_t>(1, utf8_length(text, at)));
    const auto value = code_point(sequence);
    units += value >= 0x10000U ? 2 : 1;
    if (units > kMostUnits) {
      return trimmed(out + "...");
    }
    if (value < 0x20 || value == 0x7f || (ascii && value > 0x7f)) {
      append_escaped(out, value);
    } else {
      out += sequence;
    }
    at += sequence.size();
  }
  return trimmed(out);
}

}  // namespace

std::vector<std::string> mat_renderings(std::string_view text) {
  return {rendering(text, true), rendering(text, false)};
}

}  // namespace hprof
