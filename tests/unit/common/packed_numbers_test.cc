#include "common/packed_numbers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace hprof {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

PackedNumbers packed(const std::vector<std::uint64_t>& numbers, std::uint64_t most) {
  PackedNumbers out(numbers.size(), most);
  for (const auto number : numbers) {
    out.append(number);
  }
  return out;
}

void check_all(const std::vector<std::uint64_t>& numbers, std::uint64_t most) {
  const auto column = packed(numbers, most);
  REQUIRE(column.size() == numbers.size());
  for (std::uint64_t index = 0; index < numbers.size(); ++index) {
    REQUIRE(column[index] == numbers[index]);
  }
  PackedNumbers::Reader reader(column);
  for (const auto number : numbers) {
    REQUIRE(reader.next() == number);
  }
  for (const std::uint64_t least : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{255},
                                    std::uint64_t{256}, std::uint64_t{1} << 40U, most}) {
    std::vector<std::uint64_t> found;
    column.for_each_from(least, [&](std::uint64_t index) { found.push_back(index); });
    std::vector<std::uint64_t> expected;
    for (std::uint64_t index = 0; index < numbers.size(); ++index) {
      if (numbers[index] >= least) {
        expected.push_back(index);
      }
    }
    CHECK(found == expected);
  }
}

TEST_CASE("numbers of every width are read as they were appended") {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    const std::uint64_t most = bits == 0 ? 0 : kMost >> (64 - bits);
    check_all(std::vector<std::uint64_t>(3, most), most);
    check_all({0, most, 0, most / 2, most}, most);
  }
}

TEST_CASE("columns of every length about a block are complete") {
  std::mt19937_64 random(1);
  for (const std::uint64_t size : {0, 1, 511, 512, 513, 1024, 20'000}) {
    CAPTURE(size);
    std::vector<std::uint64_t> numbers(size);
    for (auto& number : numbers) {
      number = random() >> (random() % 64);
    }
    check_all(numbers, kMost);
  }
}

TEST_CASE("blocks of any mixture are complete") {
  std::mt19937_64 random(2);
  for (unsigned bits = 1; bits <= 64; ++bits) {
    for (const unsigned per_large : {2U, 4U, 50U, 511U}) {
      std::vector<std::uint64_t> numbers(1500);
      for (auto& number : numbers) {
        number = random() >> (random() % per_large == 0 ? 64 - bits : 60);
      }
      const std::uint64_t most = std::max<std::uint64_t>(kMost >> (64 - bits), 15);
      check_all(numbers, most);
      CHECK(packed(numbers, most).bytes() <= 1536 * ((bits + 7) / 8 + 2));
    }
  }
}

TEST_CASE("one large number costs no other") {
  std::vector<std::uint64_t> numbers(40'960, 7);
  numbers[20'000] = kMost;
  const auto column = packed(numbers, kMost);
  CHECK(column.bytes() == 80 * 512 + 8);
  check_all(numbers, kMost);
}

}  // namespace
}  // namespace hprof
