#pragma once

#include "formats/report/components.h"
#include "tools/hprof-report/components/set_contents.h"
#include "tools/hprof-report/heap.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hprof {

/// Object arrays of one class by how much of them is used.
class FillSums {
 public:
  /// An array with slots.
  void add(const SetContents::UsedSlots& used, const HeapObject& array, std::uint64_t slot_bytes);
  /// Those that have arrays.
  std::vector<ComponentFill> rows() const;

 private:
  static constexpr std::size_t kRows = 7;

  std::array<ComponentFill, kRows> rows_;
};

}  // namespace hprof
