#pragma once

#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Goes down the dominator tree from some objects as long as a child retains at least seven tenths
/// of what its parent does; there is one such child at most.
class BigDescent {
 public:
  /// `tops`: none of them dominates another. Needs both columns; takes up to three bits per object
  /// for the time being.
  BigDescent(const Heap& heap, const std::vector<std::uint32_t>& tops);

  /// Where the descent from one of `tops` ends; nothing when it goes on for a thousand steps.
  std::optional<std::uint32_t> end_of(std::uint32_t top) const;

 private:
  using Ways = std::unordered_map<std::uint32_t, std::uint32_t>;  ///< top by the object they reach

  Ways step(const Heap& heap, Ways ways);
  void climb(const Heap& heap, const std::vector<std::uint32_t>& tops);
  void add_end(const Heap& heap, const std::vector<std::uint32_t>& tops, std::uint32_t end);

  /// By top, of ways that are not too long.
  std::unordered_map<std::uint32_t, std::uint32_t> ends_;
};

}  // namespace hprof
