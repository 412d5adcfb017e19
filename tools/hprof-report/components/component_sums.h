#pragma once

#include "formats/report/components.h"
#include "tools/hprof-report/dominators/label_column.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/top_level.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Splits the used heap by class loader: every object belongs to the loader of the top-level object
/// above it, so that the components add up to the used heap.
class ComponentSums {
 public:
  explicit ComponentSums(const Heap& heap);

  /// To be shown every object in index order before settle(); needs the dominators.
  void note(const ObjectRow& row);
  /// Counts the objects of each component and gives the memory per object back.
  void settle(const BigArray<std::uint32_t>& dominators);
  /// To be shown every object, with both columns, before result().
  void add(const HeapObject& object);
  /// The components of at least 1 %, and more up to `rows`, with as many classes of each.
  Components result(const TopLevel& top_level, std::size_t rows) const;

 private:
  using SumsByClass = std::unordered_map<std::uint32_t, GroupSum>;
  /// A loader with the number that stands for it in the column.
  struct Slot {
    std::uint64_t objects = 0;
    SumsByClass classes;
  };

  std::uint32_t slot_of(std::uint32_t loader);
  Component component(std::uint32_t loader, const GroupSum& sum, std::size_t rows) const;
  std::vector<LoaderClassRow> loader_classes(const TopLevel& top_level) const;
  std::vector<ComponentTopClass> top_classes(const Slot& slot, std::uint64_t whole,
                                             std::size_t rows) const;

  const Heap& heap_;
  LabelColumn labels_;  // number of the slot
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
  std::vector<Slot> slots_;  // slot 0 is no component
};

}  // namespace hprof
