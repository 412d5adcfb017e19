// Levels are counted one by one, since the level that nine of ten objects do not exceed is told
// exactly; the sums of bytes are kept by row at once.
#include "tools/hprof-domtree/depth_counts.h"

namespace hprof {

DepthTotals DepthCounts::totals(std::uint32_t unit) const {
  DepthTotals out;
  std::uint64_t level = 0;
  std::uint64_t objects = 0;
  const auto for_each_level = [&](auto&& visit) {
    level = 0;
    for (const auto& page : pages_) {
      for (const auto count : *page) {
        visit(count);
        ++level;
      }
    }
  };
  for_each_level([&](std::uint32_t count) {
    if (count != 0) {
      out.deepest = level;
      out.rows.at(DepthTotals::row_of(static_cast<std::uint32_t>(level))).objects += count;
      objects += count;
    }
  });
  std::uint64_t left = (objects * 9 + 9) / 10;
  for_each_level([&](std::uint32_t count) {
    if (left != 0 && count >= left) {
      out.p90 = level;
    }
    left -= count < left ? count : left;
  });
  for (std::size_t row = 0; row < out.rows.size(); ++row) {
    out.rows[row].shallow = units_[row] * unit;
  }
  return out;
}

}  // namespace hprof
