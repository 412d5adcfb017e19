// A dump is full of bytes above 7F, in times, ids and addresses, that are no UTF-8: where all of
// them are, something wrote what it could not read as text anew. Line feeds stand behind a carriage
// return by chance once in 256 times.
#include "formats/text_transfer.h"

#include "common/byte_cursor.h"
#include "common/utf8.h"

#include <algorithm>
#include <string_view>

namespace hprof {
namespace {

constexpr std::uint64_t kFewestCharacters = 8;
constexpr std::uint64_t kFewestLines = 4;
constexpr std::size_t kLongestCharacter = 4;
constexpr const char* kCopyAgain =
    "; copy the dump again as binary (FTP in text mode, editors and resource filters do this)";

bool begins_character(char byte) {
  return static_cast<unsigned char>(byte) >= 0xc0;
}

/// Without a character that the end of the sample may have cut.
std::string_view whole_characters(std::string_view text) {
  const auto last = std::find_if(text.rbegin(), text.rend(), begins_character);
  const auto tail = static_cast<std::size_t>(last - text.rbegin()) + 1;
  return text.substr(0, tail > kLongestCharacter ? text.size() : text.size() - tail);
}

bool is_written_as_utf8(std::string_view text) {
  const auto characters =
      static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), begins_character));
  return characters >= kFewestCharacters && is_utf8(whole_characters(text));
}

bool has_dos_lines(std::string_view text) {
  std::uint64_t lines = 0;
  for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\r') {
      return false;
    }
    ++lines;
  }
  return lines >= kFewestLines;
}

}  // namespace

std::string text_transfer(std::span<const std::uint8_t> sample) {
  const std::string_view text = as_text(sample);
  if (is_written_as_utf8(text)) {
    return std::string(
               "; the file was written anew as UTF-8 text, which changes all bytes above 7F") +
           kCopyAgain;
  }
  return has_dos_lines(text)
             ? std::string("; the line feeds of the file were turned into CR LF, as in text") +
                   kCopyAgain
             : "";
}

}  // namespace hprof
