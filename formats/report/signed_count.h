#pragma once

#include <compare>
#include <cstdint>

namespace hprof {

/// The difference of two 64-bit figures, whole: from −(2^64 − 1) to 2^64 − 1. In JSON a whole
/// number with its sign.
struct SignedCount {
  bool negative = false;  ///< never set for zero
  std::uint64_t amount = 0;

  bool operator==(const SignedCount&) const = default;
  std::strong_ordering operator<=>(const SignedCount& other) const {
    if (negative != other.negative) {
      return negative ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    return negative ? other.amount <=> amount : amount <=> other.amount;
  }
};

/// last − first
constexpr SignedCount difference(std::uint64_t last, std::uint64_t first) {
  return last < first ? SignedCount{true, first - last} : SignedCount{false, last - first};
}

/// How much it is above zero.
constexpr std::uint64_t rise(SignedCount change) {
  return change.negative ? 0 : change.amount;
}

}  // namespace hprof
