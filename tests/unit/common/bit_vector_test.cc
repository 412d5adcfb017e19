#include "common/bit_vector.h"

#include <doctest/doctest.h>

#include <vector>

using namespace hprof;

TEST_CASE("set bits are shown in order, and may be cleared as they are") {
  const std::vector<std::uint64_t> expected{0, 1, 63, 64, 100, 129};
  BitVector bits(130);
  for (const auto bit : expected) {
    bits.set(bit);
  }
  std::vector<std::uint64_t> seen;
  bits.for_each_set([&](std::uint64_t bit) {
    seen.push_back(bit);
    bits.clear(bit);
  });
  CHECK(seen == expected);
  CHECK(bits.count() == 0);
}
