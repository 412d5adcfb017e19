#include "common/text.h"

#include <array>
#include <charconv>

namespace hprof {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

void append_escaped(std::string& out, unsigned char byte) {
  out += "\\x";
  out += kHexDigits[byte >> 4U];
  out += kHexDigits[byte & 15U];
}

/// Whether a character does something to the text around it: controls, marks of direction, and the
/// separators of lines and paragraphs.
bool acts(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) {
    return byte(0) < 0x20 || byte(0) == 0x7f;
  }
  if (character.size() == 2) {
    return byte(0) == 0xc2 && byte(1) < 0xa0;
  }
  const bool general_punctuation = byte(0) == 0xe2 && (byte(1) == 0x80 || byte(1) == 0x81);
  if (character.size() != 3 || !general_punctuation) {
    return false;
  }
  return byte(1) == 0x80
             ? byte(2) == 0x8e || byte(2) == 0x8f || (byte(2) >= 0xa8 && byte(2) <= 0xae)
             : byte(2) >= 0xa6 && byte(2) <= 0xa9;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned lead = byte(0);
  std::size_t length = 0;
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
  }
  if (length == 0 || text.size() - at < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) {
      return 0;
    }
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool out_of_range = (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf4 && byte(1) >= 0x90);
  return overlong || out_of_range ? 0 : length;
}

std::string hex_address(std::uint64_t address) {
  std::array<char, 18> buffer{'0', 'x'};
  const auto result = std::to_chars(buffer.data() + 2, buffer.data() + buffer.size(), address, 16);
  return {buffer.data(), result.ptr};
}

std::string base_name(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string printable(std::string_view raw) {
  std::string out;
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t length = utf8_length(raw, at);
    const auto piece = raw.substr(at, length == 0 ? 1 : length);
    if (length == 0 || acts(piece)) {
      for (const char c : piece) {
        append_escaped(out, static_cast<unsigned char>(c));
      }
      at += piece.size();
    } else {
      out.append(raw.substr(at, length));
      at += length;
    }
  }
  return out;
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string format_count(std::uint64_t count, const std::string& singular,
                         const std::string& plural) {
  return grouped(count) + " " + (count == 1 ? singular : plural);
}

}  // namespace hprof
