#include "formats/mat/mat_figures.h"

#include <doctest/doctest.h>

using namespace hprof;

TEST_CASE("numbers are read in English grouping or plain, and in no other way") {
  CHECK(parse_grouped("0") == 0);
  CHECK(parse_grouped("999") == 999);
  CHECK(parse_grouped("1,234") == 1234);
  CHECK(parse_grouped("12,345,678") == 12345678);
  CHECK(parse_grouped("1234") == 1234);
  CHECK(parse_grouped("18,446,744,073,709,551,615") == UINT64_MAX);
  for (const auto* text : {"", ",", "1,23", "1,2345", "1234,567", "12.345", "1 234", "-1", "1,234,",
                           ",123", "0x1", "18,446,744,073,709,551,616", "1'234"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_grouped(text));
  }
}

TEST_CASE("a figure without unit is exact, and >= is kept") {
  const auto figure = parse_figure(">= 22,286,464");
  REQUIRE(figure);
  CHECK(figure->exact());
  CHECK(figure->low == 22286464);
  CHECK(figure->lower_bound);
  CHECK(figure->text == ">= 22,286,464");
  CHECK_FALSE(parse_figure("344,908")->lower_bound);
  CHECK(parse_figure("488 B")->low == 488);
  CHECK(parse_figure("488 B")->exact());
}

TEST_CASE("a figure with unit stands for half a unit of its last digit each way") {
  const auto figure = parse_figure("22.7 MB");
  REQUIRE(figure);
  // 22.65 and 22.75 times 1,048,576 are 23,750,246.4 and 23,855,104.
  CHECK(figure->low == 23750247);
  CHECK(figure->high == 23855104);
  // A whole number has lost its zero decimal: 11.95 to 12.05 KB.
  CHECK(parse_figure("12 KB")->low == 12237);
  CHECK(parse_figure("12 KB")->high == 12339);
}

TEST_CASE("a band ends at 1024, where the next unit begins") {
  CHECK(parse_figure("1 MB")->low == 1048576);
  CHECK(parse_figure("1,024 KB")->high == 1048575);
  CHECK(parse_figure("1,023.9 KB")->high == 1048524);
  CHECK(parse_figure("1 KB")->low == 1024);
}

TEST_CASE("other texts are no figures") {
  for (const auto* text : {"", "x", "1.5", "22,7 MB", "22.7 MiB", "MB", " MB", "1.5 B",
                           ">= ", "9,999,999,999,999 TB", "1.23456 KB", "1. KB"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_figure(text));
  }
}

TEST_CASE("a percentage shows the shares within half a unit, both ends included") {
  const auto percent = parse_percent("12.35%");
  REQUIRE(percent);
  CHECK(shows_share(*percent, 12345, 100000));
  CHECK(shows_share(*percent, 12355, 100000));
  CHECK_FALSE(shows_share(*percent, 12344, 100000));
  CHECK_FALSE(shows_share(*percent, 12356, 100000));
  CHECK(shows_share(*parse_percent("12.34%"), 12345, 100000));
  CHECK(shows_share(*parse_percent("1%"), 5, 1000));
  CHECK(shows_share(*parse_percent("0.00%"), 0, 7));
  CHECK_FALSE(shows_share(*parse_percent("0.00%"), 0, 0));
  CHECK(shows_share(*parse_percent("100.00%"), UINT64_MAX, UINT64_MAX));
  CHECK_FALSE(parse_percent("12.35"));
  CHECK_FALSE(parse_percent("12,35%"));
}

TEST_CASE("addresses are whole hex numbers") {
  CHECK(parse_hex_address("0x0") == 0);
  CHECK(parse_hex_address("0x7f3a") == 0x7f3a);
  CHECK(parse_hex_address("0xffffffffffffffff") == UINT64_MAX);
  for (const auto* text : {"", "0x", "7f3a", "0x7g", "0x1ffffffffffffffff", "0x-1", "0x1 "}) {
    CAPTURE(text);
    CHECK_FALSE(parse_hex_address(text));
  }
}

TEST_CASE("moments are read in English and UTC, and in no other way") {
  CHECK(parse_moment("Jan 1, 1970", "12:00:00 AM UTC") == 0);
  CHECK(parse_moment("Nov 29, 2026", "9:26:11\u202fPM UTC") == 1795987571);
  CHECK(parse_moment("Feb 29, 2024", "12:59:59 PM GMT") == 1709211599);
  CHECK_FALSE(parse_moment("Feb 29, 2023", "1:00:00 AM UTC"));
  CHECK_FALSE(parse_moment("Nov 29, 2026", "9:26:11 PM CET"));
  CHECK_FALSE(parse_moment("Nov 29, 2026", "21:26:11 UTC"));
  CHECK_FALSE(parse_moment("29 Nov 2026", "9:26:11 PM UTC"));
  CHECK_FALSE(parse_moment("Dez 1, 2026", "9:26:11 PM UTC"));
  CHECK_FALSE(parse_moment("Nov 29, 2026", "13:26:11 PM UTC"));
  CHECK_FALSE(parse_moment("", ""));
}
