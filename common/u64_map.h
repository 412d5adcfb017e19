#pragma once

#include <cstdint>
#include <vector>

namespace hprof {

/// Open-addressing map from 64-bit keys to 32-bit values, for look-ups in hot loops; nothing is
/// ever removed.
class U64Map {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  U64Map() : slots_(kFirstSlots) {}

  std::size_t size() const { return size_; }

  /// The value of `key`, kNone if it has none.
  std::uint32_t find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash(key) & mask;; at = (at + 1) & mask) {
      if (slots_[at].value == kNone || slots_[at].key == key) {
        return slots_[at].value;
      }
    }
  }

  /// Gives `key` the value unless it has one; returns the value it has then. `value` is not kNone.
  std::uint32_t insert(std::uint64_t key, std::uint32_t value) {
    if (2 * (size_ + 1) > slots_.size()) {
      grow();
    }
    Slot& slot = slot_of(key);
    if (slot.value == kNone) {
      slot = {key, value};
      ++size_;
    }
    return slot.value;
  }

  /// Gives `key` the value, whatever it had.
  void assign(std::uint64_t key, std::uint32_t value) {
    insert(key, value);
    slot_of(key).value = value;
  }

 private:
  static constexpr std::size_t kFirstSlots = 64;

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = kNone;
  };

  static std::size_t hash(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(key ^ (key >> 32U));
  }

  Slot& slot_of(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(key) & mask;
    while (slots_[at].value != kNone && slots_[at].key != key) {
      at = (at + 1) & mask;
    }
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const auto& slot : old) {
      if (slot.value != kNone) {
        slot_of(slot.key) = slot;
      }
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace hprof
