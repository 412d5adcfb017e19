#pragma once

#include "common/big_array.h"
#include "common/error.h"
#include "tools/hprof-domtree/dominator_order.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace hprof {

/// Retained sizes as sums over stretches of the dominator tree's preorder. Unit is u32 when all
/// sizes, divided by the heap's size unit, fit in 32 bits together, else u64; see fits_32_bits().
template <typename Unit>
class RetainedSizes {
 public:
  /// `for_each_size(add)` calls add(object, bytes) for every object; sizes are multiples of
  /// `size_unit` bytes.
  template <typename ForEachSize>
  RetainedSizes(const DominatorOrder& order, std::uint32_t size_unit, ForEachSize&& for_each_size)
      : before_(order.reached() + std::uint64_t{2}),
        size_unit_(size_unit),
        size_shift_(std::countr_zero(size_unit)) {
    before_[0] = 0;
    before_[1] = 0;
    for_each_size([&](std::uint32_t object, std::uint64_t bytes) {
      const std::uint32_t position = order.position_of[object];
      if (position != 0) {
        before_[position + std::uint64_t{1}] = units(bytes);
      }
    });
    for (std::uint64_t position = 1; position < before_.size(); ++position) {
      if (__builtin_add_overflow(before_[position], before_[position - 1], &before_[position]))
          [[unlikely]] {
        throw_error(ExitCode::bad_data,
                    "the sizes add up to more than the graph file says; run hprof-graph again");
      }
    }
  }

  /// Bytes retained by the node at `position`, whose subtree ends before `end`.
  std::uint64_t bytes(std::uint32_t position, std::uint32_t end) const {
    return std::uint64_t{units_between(position, end)} * size_unit_;
  }

  /// The object's own bytes.
  std::uint64_t shallow_bytes(std::uint32_t position) const {
    return bytes(position, position + 1);
  }

  /// Bytes of all reachable objects.
  std::uint64_t total_bytes() const {
    return std::uint64_t{before_[before_.size() - 1]} * size_unit_;
  }

  /// Retained sizes per position in units of size_unit bytes; the object is used up.
  BigArray<Unit> take_units(const BigArray<std::uint32_t>& end) {
    for (std::uint64_t position = 0; position < end.size(); ++position) {
      before_[position] = static_cast<Unit>(before_[end[position]] - before_[position]);
    }
    return std::move(before_);
  }

 private:
  Unit units(std::uint64_t bytes) const {
    const std::uint64_t count =
        std::has_single_bit(size_unit_) ? bytes >> size_shift_ : bytes / size_unit_;
    if (count * size_unit_ != bytes || count > std::numeric_limits<Unit>::max()) [[unlikely]] {
      throw_error(ExitCode::bad_data,
                  "a size is no multiple of the graph file's unit; run hprof-graph again");
    }
    return static_cast<Unit>(count);
  }

  Unit units_between(std::uint32_t position, std::uint32_t end) const {
    return static_cast<Unit>(before_[end] - before_[position]);
  }

  BigArray<Unit> before_;  // per position: units of all positions before it
  std::uint32_t size_unit_;
  int size_shift_;
};

/// Whether RetainedSizes<std::uint32_t> can hold a heap of `total_bytes`.
inline bool fits_32_bits(std::uint64_t total_bytes, std::uint32_t size_unit) {
  return total_bytes / size_unit <= std::numeric_limits<std::uint32_t>::max();
}

}  // namespace hprof
