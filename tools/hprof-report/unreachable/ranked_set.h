#pragma once

#include "common/big_array.h"

#include <cstdint>

namespace hprof {

/// A set of objects that numbers its members in ascending order: about a bit per object of the
/// heap.
class RankedSet {
 public:
  RankedSet() = default;
  explicit RankedSet(std::uint64_t objects) : words_((objects + 63) / 64, 0) {}

  void insert(std::uint32_t object) { words_[object / 64] |= std::uint64_t{1} << (object % 64); }
  bool contains(std::uint32_t object) const {
    return ((words_[object / 64] >> (object % 64)) & 1U) != 0;
  }

  /// Call once, after the last insert().
  void freeze() {
    ranks_ = BigArray<std::uint32_t>(words_.size() / kWords + 1);
    std::uint32_t rank = 0;
    for (std::uint64_t i = 0; i < words_.size(); ++i) {
      if (i % kWords == 0) {
        ranks_[i / kWords] = rank;
      }
      rank += static_cast<std::uint32_t>(__builtin_popcountll(words_[i]));
    }
    size_ = rank;
  }

  std::uint32_t size() const { return size_; }

  /// The number of a member.
  std::uint32_t rank(std::uint32_t object) const {
    const std::uint64_t word = object / 64;
    std::uint32_t rank = ranks_[word / kWords];
    for (std::uint64_t i = word / kWords * kWords; i < word; ++i) {
      rank += static_cast<std::uint32_t>(__builtin_popcountll(words_[i]));
    }
    const std::uint64_t below = (std::uint64_t{1} << (object % 64)) - 1;
    return rank + static_cast<std::uint32_t>(__builtin_popcountll(words_[word] & below));
  }

  /// Calls `visit(object)` for each member, ascending.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(static_cast<std::uint32_t>(i * 64 + static_cast<unsigned>(__builtin_ctzll(word))));
      }
    }
  }

 private:
  static constexpr std::uint64_t kWords = 8;

  BigArray<std::uint64_t> words_;
  BigArray<std::uint32_t> ranks_;
  std::uint32_t size_ = 0;
};

}  // namespace hprof
