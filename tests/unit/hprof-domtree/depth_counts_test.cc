#include "tools/hprof-domtree/depth_counts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace hprof {
namespace {

TEST_CASE("levels have rows of their own up to 64, then one up to each power of two") {
  CHECK(DepthTotals::row_of(1) == 1);
  CHECK(DepthTotals::row_of(64) == 64);
  CHECK(DepthTotals::row_of(65) == 65);
  CHECK(DepthTotals::row_of(128) == 65);
  CHECK(DepthTotals::row_of(129) == 66);
  CHECK(DepthTotals::row_of(0x80000000U) == 89);
  CHECK(DepthTotals::row_of(0xffffffffU) == DepthTotals::kRows - 1);
  for (std::size_t row = 1; row < DepthTotals::kRows; ++row) {
    CHECK(DepthTotals::first_level(row) <= DepthTotals::last_level(row));
    CHECK(DepthTotals::first_level(row) == (row == 1 ? 1 : DepthTotals::last_level(row - 1) + 1));
  }
}

TEST_CASE("nothing counted, nothing told") {
  CHECK(DepthCounts().totals(8) == DepthTotals());
}

TEST_CASE("a chain of many levels") {
  constexpr std::uint32_t kLength = 1000000;
  DepthCounts counts;
  for (std::uint32_t level = 1; level <= kLength; ++level) {
    counts.add(level, 2);
  }
  const auto totals = counts.totals(8);
  CHECK(totals.deepest == kLength);
  CHECK(totals.p90 == kLength / 10 * 9);
  CHECK(totals.rows[1] == DepthSum{.objects = 1, .shallow = 16});
  CHECK(totals.rows[65] == DepthSum{.objects = 64, .shallow = 1024});
}

TEST_CASE("walks up and down: every object in its row, and the level that nine of ten keep to") {
  std::mt19937 random(11);
  for (const std::uint32_t objects : {1U, 9U, 10U, 11U, 700U, 3000U}) {
    DepthCounts counts;
    DepthTotals expected;
    std::vector<std::uint32_t> levels;
    std::uint32_t level = 0;
    for (std::uint32_t i = 0; i < objects; ++i) {
      level =
          random() % 3 == 0 ? 1 + static_cast<std::uint32_t>(random() % (level + 1)) : level + 1;
      counts.add(level, i);
      levels.push_back(level);
      auto& row = expected.rows[DepthTotals::row_of(level)];
      ++row.objects;
      row.shallow += std::uint64_t{i} * 16;
    }
    std::sort(levels.begin(), levels.end());
    expected.deepest = levels.back();
    expected.p90 = levels[(std::size_t{objects} * 9 + 9) / 10 - 1];
    CHECK(counts.totals(16) == expected);
  }
}

}  // namespace
}  // namespace hprof
