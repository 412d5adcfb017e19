#pragma once

#include "common/big_array.h"

#include <cstdint>

namespace hprof {

/// A column of numbers below `limit`, two bytes wide where that is enough.
class NarrowColumn {
 public:
  NarrowColumn() = default;
  NarrowColumn(std::uint64_t rows, std::uint64_t limit) {
    if (limit <= kMostNarrow) {
      narrow_ = BigArray<std::uint16_t>(rows);
    } else {
      wide_ = BigArray<std::uint32_t>(rows);
    }
  }

  void set(std::uint64_t row, std::uint32_t value) {
    if (wide_.empty()) {
      narrow_[row] = static_cast<std::uint16_t>(value);
    } else {
      wide_[row] = value;
    }
  }
  std::uint32_t operator[](std::uint64_t row) const {
    return wide_.empty() ? narrow_[row] : wide_[row];
  }

 private:
  static constexpr std::uint64_t kMostNarrow = 0x10000;

  BigArray<std::uint16_t> narrow_;
  BigArray<std::uint32_t> wide_;
};

}  // namespace hprof
