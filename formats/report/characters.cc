#include "formats/report/characters.h"

#include <array>

namespace hprof {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

constexpr std::array kUnseen{Range{0x00, 0x1f},     Range{0x7f, 0x9f},     Range{0xad, 0xad},
                             Range{0x61c, 0x61c},   Range{0x180e, 0x180e}, Range{0x200b, 0x200f},
                             Range{0x2028, 0x202e}, Range{0x2060, 0x206f}, Range{0xfeff, 0xfeff},
                             Range{0xfff9, 0xfffb}};

}  // namespace

std::uint32_t code_point(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  const std::array<std::uint32_t, 4> masks{0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t value = lead & masks.at(sequence.size() - 1);
  for (const char c : sequence.substr(1)) {
    value = value << 6U | (static_cast<unsigned char>(c) & 0x3fU);
  }
  return value;
}

bool is_unseen(std::uint32_t value) {
  return std::any_of(kUnseen.begin(), kUnseen.end(),
                     [value](Range range) { return value >= range.first && value <= range.last; });
}

void append_escape(std::string& out, std::uint32_t value) {
  out += "\\u";
  for (unsigned shift = 16; shift != 0; shift -= 4) {
    out += kHexDigits[value >> (shift - 4) & 15U];
  }
}

}  // namespace hprof
