#include "common/varint.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>

using namespace hprof;

TEST_CASE("a varint comes back as it went in, at every length") {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> values{0, 1, 127, 128, std::numeric_limits<std::uint64_t>::max()};
  for (unsigned shift = 0; shift < 64; ++shift) {
    values.push_back(std::uint64_t{1} << shift);
    values.push_back((std::uint64_t{1} << shift) - 1);
  }
  for (const auto value : values) {
    append_varint(bytes, value);
  }
  VarintCursor cursor(bytes);
  for (const auto value : values) {
    CHECK(cursor.next() == value);
  }
  CHECK(cursor.at_end());
}

TEST_CASE("zigzag keeps every sign and size") {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    CHECK(unzigzag(zigzag(value)) == value);
  }
}

TEST_CASE("a cut or over-long varint is an error, not a number") {
  const std::array<std::uint8_t, 2> cut{0x80, 0x80};
  CHECK_THROWS_AS(VarintCursor(cut).next(), Error);
  std::array<std::uint8_t, 12> endless{};
  endless.fill(0x80);
  CHECK_THROWS_AS(VarintCursor(endless).next(), Error);
}
