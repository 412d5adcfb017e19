#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace hprof {

/// Objects at some levels of the dominator tree.
struct DepthSum {
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;  ///< bytes

  bool operator==(const DepthSum&) const = default;
};

/// How deep the dominator tree is, in a bounded number of rows whatever the depth; objects under
/// the virtual root have depth 1.
struct DepthTotals {
  static constexpr std::uint32_t kSingleLevels = 64;
  static constexpr std::size_t kRows = 91;

  std::uint64_t p90 = 0;  ///< 90 % of the reachable objects are no deeper
  std::uint64_t deepest = 0;
  /// Levels 1 to 64 one by one, then up to each power of two; row 0 stays empty.
  std::array<DepthSum, kRows> rows{};

  bool operator==(const DepthTotals&) const = default;

  static std::size_t row_of(std::uint32_t level) {
    constexpr int kSingleBits = std::bit_width(kSingleLevels);
    return level <= kSingleLevels
               ? level
               : kSingleLevels + 1 + static_cast<unsigned>(std::bit_width(level - 1) - kSingleBits);
  }
  /// The last level of a row from 1 on.
  static std::uint64_t last_level(std::size_t row) {
    return row <= kSingleLevels ? row : std::uint64_t{kSingleLevels} << (row - kSingleLevels);
  }
  static std::uint64_t first_level(std::size_t row) {
    return row <= kSingleLevels ? row : last_level(row) / 2 + 1;
  }
};

}  // namespace hprof
