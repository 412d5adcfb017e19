#pragma once

#include <cstdint>

namespace hprof {

/// ⌊whole · numerator / denominator⌋ without overflow for numerator ≤ denominator < 2^32.
constexpr std::uint64_t share_of(std::uint64_t whole, std::uint64_t numerator,
                                 std::uint64_t denominator) {
  return whole / denominator * numerator + whole % denominator * numerator / denominator;
}

/// Whether part / whole ≥ numerator / denominator.
constexpr bool reaches_share(std::uint64_t part, std::uint64_t whole, std::uint64_t numerator,
                             std::uint64_t denominator) {
  const std::uint64_t floor = share_of(whole, numerator, denominator);
  const bool exact = whole % denominator * numerator % denominator == 0;
  return part >= floor + (exact ? 0 : 1);
}

}  // namespace hprof
