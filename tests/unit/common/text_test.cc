#include "common/text.h"

#include "common/checked.h"
#include "common/utf8.h"

#include <doctest/doctest.h>

#include <limits>

using namespace hprof;

TEST_CASE("addresses are lower-case hex without padding") {
  CHECK(hex_address(0) == "0x0");
  CHECK(hex_address(0xffffffffffffffffULL) == "0xffffffffffffffff");
  CHECK(hex_address(0x7F09) == "0x7f09");
}

TEST_CASE("hostile names are made harmless and valid ones kept") {
  CHECK(printable("größe 日本 😀") == "größe 日本 😀");
  CHECK(printable("a\nb\x1b[31m\x7f") == "a\\x0ab\\x1b[31m\\x7f");
  CHECK(printable("\xff\xc0\x80") == "\\xff\\xc0\\x80");
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");
  CHECK(printable("\xe2\x82") == "\\xe2\\x82");
}

TEST_CASE("characters that turn or break a line of text are quoted, their neighbours are not") {
  CHECK(printable("a\u202eb") == "a\\xe2\\x80\\xaeb");
  CHECK(printable("\u2028") == "\\xe2\\x80\\xa8");
  CHECK(printable("\u2066\u2069") == "\\xe2\\x81\\xa6\\xe2\\x81\\xa9");
  CHECK(printable("\u200e") == "\\xe2\\x80\\x8e");
  CHECK(printable("\u2010…\u202f\u2065\u206a") == "\u2010…\u202f\u2065\u206a");
}

TEST_CASE("UTF-8 is told from other bytes") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("größe 日本 😀"));
  CHECK_FALSE(is_utf8("gr\xf6\xdf"));
  CHECK_FALSE(is_utf8("a\xe2\x82"));
  CHECK(lower_case("A.HTML Ä") == "a.html Ä");
}

TEST_CASE("digits are grouped by three") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(18446744073709551615ULL) == "18,446,744,073,709,551,615");
}

TEST_CASE("a size that overflows 64 bits is an error") {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  CHECK_THROWS_AS(checked_add(kMost, 1), Error);
  CHECK_THROWS_AS(checked_mul(kMost / 2, 3), Error);
  CHECK_THROWS_AS(align_up(kMost, 8), Error);
  CHECK(align_up(17, 8) == 24);
  CHECK(align_up(24, 8) == 24);
}
