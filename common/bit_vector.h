#pragma once

#include "common/big_array.h"
#include "common/bring_near.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace hprof {

/// A fixed number of bits, all clear at first.
class BitVector {
 public:
  BitVector() = default;
  explicit BitVector(std::uint64_t size)
      : size_(size), words_((size + 63) / 64, std::uint64_t{0}) {}

  std::uint64_t size() const { return size_; }
  bool test(std::uint64_t index) const {
    return ((words_[index >> 6U] >> (index & 63U)) & 1U) != 0;
  }
  void set(std::uint64_t index) { words_[index >> 6U] |= std::uint64_t{1} << (index & 63U); }
  void clear(std::uint64_t index) { words_[index >> 6U] &= ~(std::uint64_t{1} << (index & 63U)); }

  /// Asks for the bit to be brought near.
  void prefetch(std::uint64_t index) const { bring_near(&words_[index >> 6U]); }

  /// Sets the bit and says whether it was set before.
  bool test_and_set(std::uint64_t index) {
    auto& word = words_[index >> 6U];
    const std::uint64_t mask = std::uint64_t{1} << (index & 63U);
    const bool before = (word & mask) != 0;
    word |= mask;
    return before;
  }

  /// Calls `visit(index)` for the bits that are set, ascending; it may clear the one it is shown.
  template <typename Visit>
  void for_each_set(Visit&& visit) const {
    for_each_set(0, 64 * words_.size(), visit);
  }

  /// The same from `first` to `end`, which are multiples of 64 or lie behind the last bit.
  template <typename Visit>
  void for_each_set(std::uint64_t first, std::uint64_t end, Visit&& visit) const {
    const std::uint64_t last = std::min<std::uint64_t>(end / 64, words_.size());
    for (std::uint64_t word = first / 64; word < last; ++word) {
      for (std::uint64_t left = words_[word]; left != 0; left &= left - 1) {
        visit(64 * word + static_cast<unsigned>(std::countr_zero(left)));
      }
    }
  }

  std::uint64_t count() const {
    std::uint64_t total = 0;
    for (const auto word : words_) {
      total += static_cast<std::uint64_t>(__builtin_popcountll(word));
    }
    return total;
  }

 private:
  std::uint64_t size_ = 0;
  BigArray<std::uint64_t> words_;
};

}  // namespace hprof
