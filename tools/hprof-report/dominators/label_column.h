#pragma once

#include "common/big_array.h"
#include "formats/domtree_file.h"

#include <cstdint>
#include <limits>

namespace hprof {

/// A small number for every object, 0 for none yet: as few bytes each as the numbers need.
class LabelColumn {
 public:
  LabelColumn() = default;
  LabelColumn(std::uint64_t objects, std::uint64_t largest_label) {
    if (largest_label <= std::numeric_limits<std::uint8_t>::max()) {
      bytes_ = BigArray<std::uint8_t>(objects, 0);
    } else if (largest_label <= std::numeric_limits<std::uint16_t>::max()) {
      narrow_ = BigArray<std::uint16_t>(objects, 0);
    } else {
      wide_ = BigArray<std::uint32_t>(objects, 0);
    }
  }

  std::uint32_t operator[](std::uint32_t object) const {
    if (!bytes_.empty()) {
      return bytes_[object];
    }
    return wide_.empty() ? narrow_[object] : wide_[object];
  }
  void set(std::uint32_t object, std::uint32_t label) {
    if (!bytes_.empty()) {
      bytes_[object] = static_cast<std::uint8_t>(label);
    } else if (wide_.empty()) {
      narrow_[object] = static_cast<std::uint16_t>(label);
    } else {
      wide_[object] = label;
    }
  }

  /// Gives every reachable object without a label that of the nearest object above it in the
  /// dominator tree that has one, or `none` where there is no such object. Every link is walked
  /// twice at most. Error(bad_data) where they lead in a circle.
  void inherit(const BigArray<std::uint32_t>& dominators, std::uint32_t none) {
    for (std::uint32_t object = 0; object < dominators.size(); ++object) {
      if (dominators[object] != kUnreachable && (*this)[object] == 0) {
        settle(dominators, none, object);
      }
    }
  }

 private:
  void settle(const BigArray<std::uint32_t>& dominators, std::uint32_t none, std::uint32_t object) {
    std::uint32_t top = object;
    for (std::uint64_t steps = 0; top < kVirtualRoot && (*this)[top] == 0; ++steps) {
      if (steps > dominators.size()) [[unlikely]] {
        throw_unplaced("dominators lead in a circle");
      }
      top = dominators[top];
    }
    const std::uint32_t label = top >= kVirtualRoot ? none : (*this)[top];
    for (std::uint32_t at = object; at != top; at = dominators[at]) {
      set(at, label);
    }
  }

  BigArray<std::uint8_t> bytes_;
  BigArray<std::uint16_t> narrow_;
  BigArray<std::uint32_t> wide_;
};

}  // namespace hprof
