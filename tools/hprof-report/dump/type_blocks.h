#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

namespace hprof {

/// Which types occur among each 4096 objects, about: types fold onto 256 kinds, so that a type may
/// be said to occur where another one does. 32 bytes per block.
class TypeBlocks {
 public:
  using Kinds = std::bitset<256>;

  TypeBlocks() = default;
  explicit TypeBlocks(std::uint64_t objects) : blocks_(objects / kBlockObjects + 1) {}

  static std::size_t kind_of(std::uint32_t type) { return type % Kinds().size(); }

  void add(std::uint32_t object, std::uint32_t type) {
    if (type != last_type_ || object / kBlockObjects != last_block_) {
      last_type_ = type;
      last_block_ = object / kBlockObjects;
      blocks_[last_block_].set(kind_of(type));
    }
  }
  /// Whether any of `kinds` may occur among the objects from `lowest` to `highest`.
  bool any(std::uint32_t lowest, std::uint32_t highest, const Kinds& kinds) const {
    for (std::uint64_t block = lowest / kBlockObjects;
         lowest <= highest && block <= highest / kBlockObjects && block < blocks_.size(); ++block) {
      if ((blocks_[block] & kinds).any()) {
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::uint32_t kBlockObjects = 4096;

  std::vector<Kinds> blocks_;
  std::uint32_t last_type_ = ~std::uint32_t{0};  ///< added last
  std::uint32_t last_block_ = 0;
};

}  // namespace hprof
