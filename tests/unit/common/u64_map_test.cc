#include "common/u64_map.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace hprof;

TEST_CASE("a map agrees with std::map over colliding and scattered keys") {
  std::mt19937_64 random(7);
  std::map<std::uint64_t, std::uint32_t> expected;
  U64Map map;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    const std::uint64_t key = i % 2 == 0 ? random() % 5000 : random() << 40U;
    const std::uint32_t first = map.insert(key, i);
    CHECK(first == expected.emplace(key, i).first->second);
    if (i % 7 == 0) {
      map.assign(key, i);
      expected[key] = i;
    }
  }
  CHECK(map.size() == expected.size());
  for (const auto& [key, value] : expected) {
    REQUIRE(map.find(key) == value);
  }
  CHECK(map.find(5001) == U64Map::kNone);
}
