#include "formats/address_set.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace hprof;

namespace {

void check_same(const AddressSet& set, const std::set<std::uint64_t>& expected) {
  REQUIRE(set.size() == expected.size());
  std::uint32_t index = 0;
  for (const std::uint64_t address : expected) {
    REQUIRE(set.index_of(address) == ObjectIndex(index));
    REQUIRE(set.address_at(ObjectIndex(index)) == address);
    REQUIRE(set.contains(address));
    if (!expected.contains(address + 1)) {
      REQUIRE(set.index_of(address + 1).is_none());
    }
    if (!expected.contains(address + 8)) {
      REQUIRE(set.index_of(address + 8).is_none());
    }
    ++index;
  }
  auto next = expected.begin();
  set.for_each([&](std::uint64_t address) { REQUIRE(address == *next++); });
}

}  // namespace

TEST_CASE("addresses and indices map to each other whatever the order and the granule") {
  for (const std::uint64_t step : {8U, 4U, 2U, 1U, 16U}) {
    CAPTURE(step);
    std::mt19937_64 random(step);
    std::set<std::uint64_t> expected{0};
    AddressSet set;
    set.insert(0);
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t region = (random() % 3) * 0x7f0000000000ULL + 0x1000;
      // Fine addresses only come late, so that the granule is split with content in it.
      const std::uint64_t grain = i < 1500 ? 8 : step;
      const std::uint64_t address = region + (random() % 200000) * grain;
      CHECK(set.insert(address) == !expected.insert(address).second);
    }
    set.freeze();
    check_same(set, expected);
  }
}

TEST_CASE("the highest addresses fit") {
  AddressSet set;
  set.insert(0xfffffffffffffff8ULL);
  set.insert(0);
  set.insert(0xffffffffffffffffULL);
  set.freeze();
  CHECK(set.index_of(0xffffffffffffffffULL) == ObjectIndex(2));
  CHECK(set.address_at(ObjectIndex(1)) == 0xfffffffffffffff8ULL);
}

TEST_CASE("a set can be rebuilt from its pages") {
  AddressSet set;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    set.insert(i * i * 8);
  }
  set.freeze();
  AddressSet copy;
  REQUIRE(copy.begin(set.granule_shift()));
  bool lists = false;
  bool bitmaps = false;
  for (std::size_t i = 0; i < set.page_count(); ++i) {
    const auto page = set.page(i);
    REQUIRE(copy.begin_page(page.number));
    CHECK(page.words.empty() != page.granules.empty());
    lists = lists || page.words.empty();
    bitmaps = bitmaps || page.granules.empty();
    if (page.granules.empty()) {
      std::copy(page.words.begin(), page.words.end(), copy.page_words().begin());
    }
    for (const auto granule : page.granules) {
      copy.add_granule(granule);
    }
  }
  copy.freeze();
  CHECK(lists);
  CHECK(bitmaps);
  CHECK(copy.size() == set.size());
  for (std::uint32_t i = 0; i < 100000; ++i) {
    REQUIRE(copy.index_of(std::uint64_t{i} * i * 8) == ObjectIndex(i));
  }
}

TEST_CASE("pages that cannot be, or that come out of order, are refused") {
  AddressSet set;
  CHECK_FALSE(AddressSet().begin(4));
  REQUIRE(set.begin(3));
  CHECK(set.begin_page((std::uint64_t{1} << 45U) - 1));
  CHECK_FALSE(set.begin_page(std::uint64_t{1} << 45U));
  CHECK_FALSE(set.begin_page((std::uint64_t{1} << 45U) - 1));
  CHECK_FALSE(set.begin_page(7));
}

TEST_CASE("addresses far from each other take little memory") {
  constexpr std::uint64_t kCount = 20000;
  const std::uint64_t before = big_array_use().now;
  AddressSet set;
  std::set<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const std::uint64_t address = (i * 7919 % kCount) * (std::uint64_t{1} << 19U) + i % 8 * 8;
    set.insert(address);
    expected.insert(address);
  }
  set.freeze();
  check_same(set, expected);
  CHECK(big_array_use().now - before < 100 * kCount);
}
