#pragma once

#include "formats/report/android.h"
#include "tools/hprof-report/heap.h"

#include <optional>
#include <vector>

namespace hprof {

/// Adds up objects by the heap of an Android dump that they lie in.
class HeapTotals {
 public:
  /// Error(bad_data) where the graph names heaps that the index does not know.
  explicit HeapTotals(const Heap& heap);

  /// To be shown every object in index order.
  void add(const HeapObject& object) {
    if (!runs_.empty()) {
      count(object);
    }
  }
  /// Heaps with objects, by descending reachable bytes; nothing where the dump tells none.
  std::optional<std::vector<AndroidHeap>> rows() const;

 private:
  void count(const HeapObject& object);

  std::vector<HeapRun> runs_;
  std::size_t next_run_ = 0;
  std::size_t heap_ = 0;
  std::vector<AndroidHeap> rows_;  ///< by row of the index's heaps
};

}  // namespace hprof
