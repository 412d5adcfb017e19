#include "tools/hprof-report/android/heap_totals.h"

#include "common/error.h"
#include "formats/report/readable_text.h"

#include <algorithm>

namespace hprof {

HeapTotals::HeapTotals(const Heap& heap) {
  const auto& index = heap.index();
  if (index.heaps.empty()) {
    return;
  }
  runs_ = heap.graph().read_heap_runs();
  for (const auto& each : index.heaps) {
    rows_.push_back({.name = readable_text(index.names[each.name])});
  }
  if (std::any_of(runs_.begin(), runs_.end(),
                  [&](const HeapRun& run) { return run.heap >= rows_.size(); })) {
    throw_unplaced("an object lies in no heap");
  }
}

void HeapTotals::count(const HeapObject& object) {
  while (next_run_ < runs_.size() && runs_[next_run_].first <= object.index) {
    heap_ = runs_[next_run_++].heap;
  }
  auto& row = rows_[heap_];
  ++(object.reachable() ? row.objects : row.unreachable_objects);
  (object.reachable() ? row.shallow : row.unreachable_shallow) += object.shallow;
}

std::optional<std::vector<AndroidHeap>> HeapTotals::rows() const {
  if (runs_.empty()) {
    return std::nullopt;
  }
  std::vector<AndroidHeap> out;
  std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(out), [](const AndroidHeap& row) {
    return row.objects != 0 || row.unreachable_objects != 0;
  });
  std::stable_sort(out.begin(), out.end(), [](const AndroidHeap& a, const AndroidHeap& b) {
    return a.shallow > b.shallow;
  });
  return out;
}

}  // namespace hprof
