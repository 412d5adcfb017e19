#pragma once

#include "formats/depth_totals.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace hprof {

/// Counts the nodes of the dominator tree by level while a walk enters them; four bytes per level.
class DepthCounts {
 public:
  /// `level` from 1 on, at most one more than the deepest before.
  void add(std::uint32_t level, std::uint64_t units) {
    if (level / kPageLevels >= pages_.size()) {
      pages_.push_back(std::make_unique<Page>());
    }
    ++(*pages_[level / kPageLevels])[level % kPageLevels];
    units_[DepthTotals::row_of(level)] += units;
  }

  /// `unit`: bytes in a size unit.
  DepthTotals totals(std::uint32_t unit) const;

 private:
  static constexpr std::uint32_t kPageLevels = 1U << 14U;
  using Page = std::array<std::uint32_t, kPageLevels>;

  std::vector<std::unique_ptr<Page>> pages_;
  std::array<std::uint64_t, DepthTotals::kRows> units_{};
};

}  // namespace hprof
