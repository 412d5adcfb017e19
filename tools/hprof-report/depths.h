#pragma once

#include "common/big_array.h"
#include "formats/report/dominator_views.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hprof {

/// How deep the dominator tree is; objects under the virtual root have depth 1.
struct DepthFigures {
  std::uint64_t p90 = 0;  ///< 90 % of the reachable objects are no deeper
  std::uint64_t deepest = 0;
};

/// The levels of the dominator tree, and what lies at them.
class Depths {
 public:
  /// Takes four bytes per object on top of the column, and keeps one of them.
  explicit Depths(const BigArray<std::uint32_t>& dominators);

  const DepthFigures& figures() const { return figures_; }
  /// To be shown every object once before rows().
  void add(std::uint32_t object, std::uint64_t shallow) {
    auto& sum = sums_[row_of_[object]];
    ++sum.objects;
    sum.shallow += shallow;
  }
  /// Levels 1 to 64 one by one, then up to each power of two; without empty rows.
  std::vector<DepthRow> rows() const;
  /// The rows of the table are numbered from 1; a bounded number, whatever the depth.
  static std::uint8_t row_of(std::uint32_t depth);

 private:
  static constexpr std::size_t kRows = 91;
  struct Sum {
    std::uint64_t objects = 0;
    std::uint64_t shallow = 0;
  };

  DepthFigures figures_;
  BigArray<std::uint8_t> row_of_;  // 0 for unreachable objects
  std::array<Sum, kRows> sums_{};
};

}  // namespace hprof
