#pragma once

#include "common/big_array.h"
#include "formats/domtree_file.h"

#include <cstdint>
#include <limits>

namespace hprof {

/// A small number for every object, 0 for none yet: two bytes each while the numbers fit.
class LabelColumn {
 public:
  LabelColumn() = default;
  LabelColumn(std::uint64_t objects, std::uint64_t largest_label)
      : narrow_(largest_label <= std::numeric_limits<std::uint16_t>::max() ? objects : 0, 0),
        wide_(narrow_.size() == objects ? 0 : objects, 0) {}

  std::uint32_t operator[](std::uint32_t object) const {
    return wide_.empty() ? narrow_[object] : wide_[object];
  }
  void set(std::uint32_t object, std::uint32_t label) {
    if (wide_.empty()) {
      narrow_[object] = static_cast<std::uint16_t>(label);
    } else {
      wide_[object] = label;
    }
  }

  /// Gives every reachable object without a label that of the nearest object above it in the
  /// dominator tree that has one, or `none` where there is no such object. Every link is walked
  /// twice at most.
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
    while (top != kVirtualRoot && (*this)[top] == 0) {
      top = dominators[top];
    }
    const std::uint32_t label = top == kVirtualRoot ? none : (*this)[top];
    for (std::uint32_t at = object; at != top; at = dominators[at]) {
      set(at, label);
    }
  }

  BigArray<std::uint16_t> narrow_;
  BigArray<std::uint32_t> wide_;
};

}  // namespace hprof
