#pragma once

#include "formats/report/components.h"
#include "tools/hprof-report/components/number_log.h"
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

  /// To be shown every object in index order.
  void add(const HeapObject& object);
  /// Then, for every reachable object: how many lie below the top-level object of that number among
  /// all of them, in as many parts as one likes.
  void count(std::uint64_t top_level, std::uint64_t objects) {
    slots_[loaders_[top_level]].objects += objects;
  }
  /// The class loader that a top-level object of that number belongs to.
  std::uint32_t loader_of(std::uint64_t top_level) const {
    return slots_[loaders_[top_level]].loader;
  }
  /// The components of at least 1 %, and more up to `rows`, with as many classes of each.
  Components result(const TopLevel& top_level, std::size_t rows) const;

 private:
  using SumsByClass = std::unordered_map<std::uint32_t, GroupSum>;
  struct Slot {
    std::uint32_t loader = 0;
    std::uint64_t objects = 0;
    SumsByClass classes;
  };

  std::uint32_t slot_of(std::uint32_t loader);
  Component component(std::uint32_t loader, const GroupSum& sum, std::size_t rows) const;
  std::vector<LoaderClassRow> loader_classes(const TopLevel& top_level) const;
  std::vector<ComponentTopClass> top_classes(const Slot& slot, std::uint64_t whole,
                                             std::size_t rows) const;

  const Heap& heap_;
  NumberLog loaders_;  // by top-level object: place in slots_
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;  // by loader: place in slots_
  std::vector<Slot> slots_;
};

}  // namespace hprof
