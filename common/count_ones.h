#pragma once

#include <cstdint>

namespace hprof {

/// The number of bits set. std::popcount is a call where the processor is not known to have an
/// instruction for it.
constexpr std::uint32_t count_ones(std::uint64_t bits) {
  bits -= (bits >> 1U) & 0x5555555555555555ULL;
  bits = (bits & 0x3333333333333333ULL) + ((bits >> 2U) & 0x3333333333333333ULL);
  bits = (bits + (bits >> 4U)) & 0x0f0f0f0f0f0f0f0fULL;
  return static_cast<std::uint32_t>((bits * 0x0101010101010101ULL) >> 56U);
}

}  // namespace hprof
