#include "formats/text_transfer.h"

#include "common/byte_cursor.h"

#include <doctest/doctest.h>

#include <string>

namespace hprof {
namespace {

std::string cause(std::string_view text) {
  return text_transfer(as_bytes(text));
}

/// What looks like ids and times, with line feeds among them.
std::string ids(std::size_t count) {
  std::string out = "JAVA PROFILE 1.0.2";
  for (std::size_t i = 0; i < count; ++i) {
    out += std::string("\0\0\x7f\x8b", 4) + static_cast<char>(0x80 + i % 0x70) + "\n\x10";
  }
  return out;
}

/// Every byte above 7F as `other`.
std::string replaced(const std::string& text, std::string_view other) {
  std::string out;
  for (const char byte : text) {
    static_cast<unsigned char>(byte) < 0x80 ? out += byte : out += other;
  }
  return out;
}

std::string with_dos_lines(const std::string& text) {
  std::string out;
  for (const char byte : text) {
    out += byte == '\n' ? std::string("\r\n") : std::string(1, byte);
  }
  return out;
}

TEST_CASE("a dump that was taken for text is told by its bytes") {
  CHECK(cause(ids(20)).empty());
  CHECK(cause("").empty());
  CHECK(cause(replaced(ids(20), "\xef\xbf\xbd")).find("as UTF-8 text") != std::string::npos);
  CHECK(cause(replaced(ids(20), "\xc2\xab")).find("as UTF-8 text") != std::string::npos);
  CHECK(cause(with_dos_lines(ids(20))).find("into CR LF") != std::string::npos);
}

TEST_CASE("a sample that ends inside a character is text all the same") {
  const auto text = replaced(ids(20), "\xef\xbf\xbd");
  const auto end = text.rfind("\xef\xbf\xbd");
  for (std::size_t more = 0; more <= 3; ++more) {
    CHECK_FALSE(cause(std::string_view(text).substr(0, end + more)).empty());
  }
}

TEST_CASE("few characters, few lines and one byte that is no text prove nothing") {
  CHECK(cause(replaced(ids(3), "\xef\xbf\xbd")).empty());
  CHECK(cause(with_dos_lines(ids(3))).empty());
  CHECK(cause(replaced(ids(20), "\xef\xbf\xbd") + "\x9c and more").empty());
  CHECK(cause(with_dos_lines(ids(20)) + "\n").empty());
}

}  // namespace
}  // namespace hprof
