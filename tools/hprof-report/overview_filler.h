#pragma once

#include "formats/report/report.h"
#include "tools/hprof-report/android/heap_totals.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/layout_filler.h"
#include "tools/hprof-report/loaders/loaded_classes.h"
#include "tools/hprof-report/roots.h"

#include <array>
#include <string>

namespace hprof {

/// Fills System Overview and the totals of Unreachable Objects: counts while the objects pass by,
/// the rest from the tables of the stage files.
class OverviewFiller {
 public:
  OverviewFiller(const Heap& heap, const RootKinds& kinds);

  /// To be shown every object in index order.
  void add(const HeapObject& object) {
    auto& sum = (object.reachable() ? reachable_ : unreachable_)[slots_[object.type]];
    ++sum.objects;
    sum.shallow += object.shallow;
    roots_.add(object);
    other_.add(object);
    heaps_.add(object);
    if (loads_[object.type] && object.reachable()) {
      add_loading(object);
    }
  }
  /// `totals` are those of the graph file.
  Overview overview(const GraphTotals& totals, const std::string& dump_path) const;
  Unreachable unreachable() const;
  /// The class loaders that were shown, and the classes; see loaded_classes.h.
  LoadedClasses loaded() const { return {loader_objects_, reachable_classes_}; }

 private:
  static constexpr std::size_t kKinds = 4;
  struct Sum {
    std::uint64_t objects = 0;
    std::uint64_t shallow = 0;
  };
  using Kinds = std::array<Sum, kKinds>;

  void add_loading(const HeapObject& object);
  static std::vector<CompositionRow> rows_of(const Kinds& kinds);
  void fill_file(Overview& out, const std::string& dump_path) const;
  void fill_totals(Overview& out, const GraphTotals& totals) const;
  void fill_histograms(Overview& out) const;
  std::uint64_t count_loaders() const;

  const Heap& heap_;
  RootTable roots_;
  OtherShallow other_;
  HeapTotals heaps_;
  std::vector<std::uint8_t> slots_;  // by type: its place in Kinds
  std::vector<bool> loads_;          // by type: class objects and class loaders
  Kinds reachable_;
  Kinds unreachable_;
  std::vector<std::uint32_t> loader_objects_;  // reachable instances of loader classes, ascending
  std::vector<ClassIndex> reachable_classes_;  // ascending
};

}  // namespace hprof
