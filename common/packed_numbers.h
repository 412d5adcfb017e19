#pragma once

#include "common/big_array.h"
#include "common/bring_near.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hprof {

/// A column of numbers of which most are small: each block of them takes as many bytes per number
/// as its largest needs. Written once, front to back; read anywhere.
class PackedNumbers {
 public:
  PackedNumbers() = default;
  /// Room for `size` numbers of no more than `most`. Memory is taken as they are appended.
  PackedNumbers(std::uint64_t size, std::uint64_t most)
      : size_(size), bytes_(checked_add(checked_mul(size, width_of(most)), kPadding)) {
    blocks_.reserve(size / kBlock + 1);
  }

  std::uint64_t size() const { return size_; }
  /// That the numbers take.
  std::uint64_t bytes() const { return end_; }

  /// No more often than there is room. The numbers can be read once all are there.
  void append(std::uint64_t number) {
    pending_[count_++ % kBlock] = number;
    if (count_ % kBlock == 0 || count_ == size_) {
      end_block();
    }
  }
  std::uint64_t operator[](std::uint64_t index) const {
    const Block block = blocks_[index / kBlock];
    return load(place(block, index % kBlock), block.width());
  }
  /// Asks for a number to be brought near.
  void prefetch(std::uint64_t index) const {
    bring_near(&bytes_[place(blocks_[index / kBlock], index % kBlock)]);
  }
  /// Calls `visit(index)` for the numbers of at least `least`, ascending.
  template <typename Visit>
  void for_each_from(std::uint64_t least, Visit&& visit) const {
    for (std::uint64_t number = 0; number < blocks_.size(); ++number) {
      const Block block = blocks_[number];
      if (block.width() < width_of(least)) {
        continue;
      }
      const std::uint64_t first = number * kBlock;
      const std::uint64_t last = std::min(first + kBlock, size_);
      for (std::uint64_t index = first; index < last; ++index) {
        if (load(place(block, index - first), block.width()) >= least) {
          visit(index);
        }
      }
    }
  }

 private:
  static constexpr std::uint64_t kBlock = 4096;
  static constexpr std::uint64_t kPadding = 7;  ///< eight bytes are loaded and stored for each
  static_assert(std::endian::native == std::endian::little, "the low bytes come first");

  /// Where a block starts, in bytes, and how many each of its numbers has, 1 to 8.
  class Block {
   public:
    Block(std::uint64_t start, std::uint64_t width) : bits_(start << kWidthBits | width) {}
    std::uint64_t start() const { return bits_ >> kWidthBits; }
    std::uint64_t width() const { return bits_ & ((1U << kWidthBits) - 1); }

   private:
    static constexpr unsigned kWidthBits = 4;
    std::uint64_t bits_;
  };

  static std::uint64_t width_of(std::uint64_t number) {
    return (static_cast<std::uint64_t>(std::bit_width(number | 1U)) + 7) / 8;
  }
  static std::uint64_t place(const Block& block, std::uint64_t in_block) {
    return block.start() + in_block * block.width();
  }
  std::uint64_t load(std::uint64_t at, std::uint64_t width) const {
    std::uint64_t loaded = 0;
    std::memcpy(&loaded, bytes_.data() + at, sizeof(loaded));
    return loaded & (~std::uint64_t{0} >> (64 - 8 * width));
  }
  /// Each number is stored with eight bytes, of which the next ones take the surplus.
  void end_block() {
    const std::uint64_t numbers = (count_ - 1) % kBlock + 1;
    const auto last = pending_.begin() + static_cast<std::ptrdiff_t>(numbers);
    const Block block(end_, width_of(*std::max_element(pending_.begin(), last)));
    for (std::uint64_t i = 0; i < numbers; ++i) {
      std::memcpy(bytes_.data() + place(block, i), &pending_[i], sizeof(pending_[i]));
    }
    blocks_.push_back(block);
    end_ = place(block, numbers);
  }

  std::uint64_t size_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t end_ = 0;  ///< of the last block
  BigArray<std::uint8_t> bytes_;
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> pending_ = std::vector<std::uint64_t>(kBlock);
};

}  // namespace hprof
