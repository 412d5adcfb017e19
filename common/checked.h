#pragma once

#include "common/error.h"

#include <cstdint>

namespace hprof {

/// a + b; a sum beyond 64 bits is damaged input, never a wrapped number.
inline std::uint64_t checked_add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]] {
    throw_unplaced("a size overflows 64 bits");
  }
  return sum;
}

/// a · b; a product beyond 64 bits is damaged input, never a wrapped number.
inline std::uint64_t checked_mul(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]] {
    throw_unplaced("a size overflows 64 bits");
  }
  return product;
}

/// The smallest multiple of `step` (> 0) that is not below `value`.
inline std::uint64_t align_up(std::uint64_t value, std::uint64_t step) {
  const std::uint64_t most = checked_add(value, step - 1);
  return (step & (step - 1)) == 0 ? most & ~(step - 1) : most / step * step;
}

}  // namespace hprof
