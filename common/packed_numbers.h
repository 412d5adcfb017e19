#pragma once

#include "common/big_array.h"
#include "common/bring_near.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hprof {

/// A column of numbers of which most are small. Each block has a slot of as many bytes per number
/// as suit most of its numbers; the slots of the others, marked by the highest bit, say where they
/// stand behind the slots. Written once, front to back; read anywhere in constant time.
class PackedNumbers {
 public:
  PackedNumbers() = default;
  /// Room for `size` numbers of no more than `most`. Memory is taken as they are appended.
  PackedNumbers(std::uint64_t size, std::uint64_t most)
      : size_(size), bytes_(checked_mul(size / kBlock + 1, most_bytes(most)) + kPadding) {
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
    return number_in(blocks_[index / kBlock], index % kBlock);
  }
  /// Delivers all numbers in order, once all are there.
  class Reader {
   public:
    explicit Reader(const PackedNumbers& numbers) : numbers_(numbers), block_(kBlock) {}

    /// No more often than there are numbers.
    std::uint64_t next() {
      if (next_ % kBlock == 0) {
        numbers_.unpack(next_ / kBlock, block_.data());
      }
      return block_[next_++ % kBlock];
    }

   private:
    const PackedNumbers& numbers_;
    std::uint64_t next_ = 0;
    std::vector<std::uint64_t> block_;
  };

  /// Asks for a number to be brought near.
  void prefetch(std::uint64_t index) const {
    const Block block = blocks_[index / kBlock];
    bring_near(&bytes_[block.start() + index % kBlock * block.slot()]);
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
      const std::uint64_t count = std::min(kBlock, size_ - first);
      const bool others_only = least >= mark(block.slot());
      const std::uint8_t* top = bytes_.data() + block.start() + block.slot() - 1;
      for (std::uint64_t place = 0; place < count; ++place, top += block.slot()) {
        if ((!others_only || *top >= kTopMark) && number_in(block, place) >= least) {
          visit(first + place);
        }
      }
    }
  }

 private:
  static constexpr std::uint64_t kBlock = 512;
  static constexpr std::uint64_t kMostWidth = 8;
  static constexpr std::uint8_t kTopMark = 0x80;  ///< in the highest byte of a slot
  static constexpr std::uint64_t kPadding = 7;    ///< eight bytes are loaded and stored for each
  static_assert(std::endian::native == std::endian::little, "the low bytes come first");

  /// Where a block starts, in bytes, how many each of its slots has, and how many its largest
  /// number needs.
  class Block {
   public:
    Block(std::uint64_t start, std::uint64_t slot, std::uint64_t width)
        : bits_(start << 8U | slot << 4U | width) {}
    std::uint64_t start() const { return bits_ >> 8U; }
    std::uint64_t slot() const { return bits_ >> 4U & 0xfU; }
    std::uint64_t width() const { return bits_ & 0xfU; }
    /// Where the numbers are that do not fit a slot.
    std::uint64_t others() const { return start() + kBlock * slot(); }

   private:
    std::uint64_t bits_;
  };

  static std::uint64_t width_of(std::uint64_t number) {
    return (static_cast<std::uint64_t>(std::bit_width(number | 1U)) + 7) / 8;
  }
  static std::uint64_t mark(std::uint64_t slot) { return std::uint64_t{1} << (8 * slot - 1); }
  /// Of a block: slots that hold any number take one more byte than it, or are of two bytes.
  static std::uint64_t most_bytes(std::uint64_t most) { return kBlock * (width_of(most) + 2); }

  std::uint64_t load(std::uint64_t at, std::uint64_t width) const {
    std::uint64_t loaded = 0;
    std::memcpy(&loaded, bytes_.data() + at, sizeof(loaded));
    return loaded & (~std::uint64_t{0} >> (64 - 8 * width));
  }
  std::uint64_t number_in(const Block& block, std::uint64_t place) const {
    const std::uint64_t slot = load(block.start() + place * block.slot(), block.slot());
    const std::uint64_t marked = mark(block.slot());
    return slot < marked ? slot
                         : load(block.others() + (slot - marked) * block.width(), block.width());
  }

  /// A whole block; what lies behind the last number is undefined.
  void unpack(std::uint64_t number, std::uint64_t* out) const {
    const Block block = blocks_[number];
    const std::uint64_t numbers = std::min(kBlock, size_ - number * kBlock);
    const std::uint64_t marked = mark(block.slot());
    for (std::uint64_t place = 0; place < numbers; ++place) {
      out[place] = load(block.start() + place * block.slot(), block.slot());
    }
    for (std::uint64_t place = 0; place < numbers; ++place) {
      if (out[place] >= marked) {
        out[place] = load(block.others() + (out[place] - marked) * block.width(), block.width());
      }
    }
  }

  /// The width of slots with which these numbers take the least.
  static std::uint64_t best_slot(const std::array<std::uint32_t, 65>& of_bits,
                                 std::uint64_t width) {
    std::uint64_t best = kMostWidth;
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t others = of_bits[64];
    for (std::uint64_t slot = kMostWidth; slot != 0; --slot) {
      const std::uint64_t bytes = kBlock * slot + others * width;
      if (others <= mark(slot) && bytes <= least) {
        least = bytes;
        best = slot;
      }
      for (std::uint64_t bits = 8 * slot - 1; slot != 1 && bits >= 8 * (slot - 1); --bits) {
        others += of_bits.at(bits);
      }
    }
    return best;
  }

  /// What is stored takes eight bytes each time, of which the next ones overwrite the surplus.
  void end_block() {
    const auto numbers = static_cast<std::size_t>((count_ - 1) % kBlock + 1);
    std::array<std::uint32_t, 65> of_bits{};
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < numbers; ++i) {
      ++of_bits.at(static_cast<std::size_t>(std::bit_width(pending_[i])));
      largest = std::max(largest, pending_[i]);
    }
    const std::uint64_t width = width_of(largest);
    const Block block(end_, best_slot(of_bits, width), width);
    blocks_.push_back(block);
    store(block, numbers);
  }

  void store(const Block& block, std::size_t numbers) {
    const std::uint64_t marked = mark(block.slot());
    others_.clear();
    for (std::size_t i = 0; i < numbers; ++i) {
      std::uint64_t slot = pending_[i];
      if (slot >= marked) {
        slot = marked + others_.size();
        others_.push_back(pending_[i]);
      }
      std::memcpy(bytes_.data() + block.start() + i * block.slot(), &slot, sizeof(slot));
    }
    for (std::size_t i = 0; i < others_.size(); ++i) {
      std::memcpy(bytes_.data() + block.others() + i * block.width(), &others_[i],
                  sizeof(others_[i]));
    }
    end_ = block.others() + others_.size() * block.width();
  }

  std::uint64_t size_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t end_ = 0;  ///< of the last block
  BigArray<std::uint8_t> bytes_;
  std::vector<Block> blocks_;
  std::vector<std::uint64_t> pending_ = std::vector<std::uint64_t>(kBlock);
  std::vector<std::uint64_t> others_;  ///< scratch of store()
};

}  // namespace hprof
