#pragma once

#include "common/big_array.h"
#include "common/bring_near.h"
#include "common/count_ones.h"

#include <bit>
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

  /// Calls `visit(index)` for each set bit, ascending.
  template <typename Visit>
  void for_each_set(Visit&& visit) const {
    for (std::uint64_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t left = words_[word].bits; left != 0; left &= left - 1) {
        visit(64 * word + static_cast<unsigned>(std::countr_zero(left)));
      }
    }
  }

  /// Asks for what test() and rank() read to be brought near.
  void prefetch(std::uint64_t index) const { bring_near(&words_[index >> 6U]); }

 private:
  /// Bits and rank lie together, so that a look-up of both touches one place.
  struct [[gnu::packed]] Word {
    std::uint64_t bits = 0;
    std::uint32_t rank = 0;
  };

  BigArray<Word> words_;
  std::uint64_t count_ = 0;
};

}  // namespace hprof
