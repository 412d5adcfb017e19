#pragma once

#include "common/bit_vector.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>

namespace hprof {

/// Sees to it that the dominators in memory make a tree: those of each reachable object lead to
/// the virtual root, over reachable objects. Whoever climbs it afterwards need not look. Needs both
/// columns.
class TreeCheck {
 public:
  explicit TreeCheck(const Heap& heap) : heap_(heap), level_(heap.objects()) {}

  /// To be shown every object that another one dominates, with what the two retain.
  void note(std::uint32_t object, std::uint64_t retained, std::uint64_t above_retained) {
    if (above_retained <= retained) [[unlikely]] {
      doubt(object, retained, above_retained);
    }
  }

  /// Error(bad_data), as note(), unless it is a tree.
  void finish();

  /// All of that at once.
  static void all(const Heap& heap);

 private:
  void doubt(std::uint32_t object, std::uint64_t retained, std::uint64_t above_retained);
  void settle(std::uint32_t object);
  [[noreturn]] void refuse() const;

  const Heap& heap_;
  BitVector level_;  ///< objects that retain as much as their dominators, not yet settled
};

}  // namespace hprof
