#pragma once

#include "common/big_array.h"

#include <cstdint>

namespace hprof {

/// A fixed number of bits, all clear at first, and how many are set before a given one: the key to
/// columns that only some objects have. One and a half bits each.
class RankedBits {
 public:
  RankedBits() = default;
  explicit RankedBits(std::uint64_t size) : words_(size / 64 + 1, Word{}) {}

  bool test(std::uint64_t index) const {
    return ((words_[index >> 6U].bits >> (index & 63U)) & 1U) != 0;
  }
  void set(std::uint64_t index) { words_[index >> 6U].bits |= std::uint64_t{1} << (index & 63U); }

  /// Ends the setting of bits.
  void finish() {
    for (auto& word : words_) {
      word.rank = static_cast<std::uint32_t>(count_);
      count_ += count_ones(word.bits);
    }
  }

  /// Bits set in all; after finish().
  std::uint64_t count() const { return count_; }
  /// Bits set before `index`; after finish().
  std::uint64_t rank(std::uint64_t index) const {
    const Word& word = words_[index >> 6U];
    return word.rank + count_ones(word.bits & ((std::uint64_t{1} << (index & 63U)) - 1));
  }

  /// Asks for what test() and rank() read to be brought near.
  void prefetch(std::uint64_t index) const { __builtin_prefetch(&words_[index >> 6U]); }

 private:
  /// Bits and rank lie together, so that a look-up of both touches one place.
  struct [[gnu::packed]] Word {
    std::uint64_t bits = 0;
    std::uint32_t rank = 0;
  };

  // std::popcount is a call where the processor is not known to have an instruction for it.
  static std::uint64_t count_ones(std::uint64_t bits) {
    bits -= (bits >> 1U) & 0x5555555555555555ULL;
    bits = (bits & 0x3333333333333333ULL) + ((bits >> 2U) & 0x3333333333333333ULL);
    bits = (bits + (bits >> 4U)) & 0x0f0f0f0f0f0f0f0fULL;
    return (bits * 0x0101010101010101ULL) >> 56U;
  }

  BigArray<Word> words_;
  std::uint64_t count_ = 0;
};

}  // namespace hprof
