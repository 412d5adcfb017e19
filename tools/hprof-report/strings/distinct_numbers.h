#pragma once

#include "common/big_array.h"

#include <cstdint>

namespace hprof {

/// Counts how many of a great many numbers are different, in four bytes or eight for each.
class DistinctNumbers {
 public:
  DistinctNumbers() = default;
  /// Room for that many numbers, which lose nothing when they are cut to 32 bits unless they are
  /// `wide`.
  DistinctNumbers(std::uint64_t numbers, bool wide);

  /// Error(bad_data) when there are more than there is room for.
  void add(std::uint64_t number);
  /// How many different ones were added; uses them up.
  std::uint64_t count();

 private:
  BigArray<std::uint32_t> narrow_;
  BigArray<std::uint64_t> wide_;
  std::uint64_t used_ = 0;
};

}  // namespace hprof
