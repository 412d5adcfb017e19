#pragma once

#include "formats/report/leaks.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/top_level.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Sums what some objects dominate directly, in all and by class.
class DominatedSums {
 public:
  /// `most`: how many classes and objects to name.
  DominatedSums(const Heap& heap, const std::vector<std::uint32_t>& dominators, std::size_t most);

  /// To be shown every object.
  void add(const HeapObject& object) {
    if (object.dominator < kVirtualRoot && is_dominator_[object.dominator % kSieve]) {
      add_to_sums(object);
    }
  }
  /// What `dominator` dominates directly.
  Accumulated of(std::uint32_t dominator) const;
  /// The largest object that it dominates directly; none where it dominates nothing.
  ObjectIndex largest_of(std::uint32_t dominator) const;

 private:
  /// Objects are told from dominators by their lowest bits first.
  static constexpr std::uint32_t kSieve = 4096;
  struct Sums {
    explicit Sums(std::size_t most) : largest(most) {}
    GroupSum all;
    std::unordered_map<std::uint32_t, GroupSum> classes;
    LargestObjects largest;
  };

  void add_to_sums(const HeapObject& object);

  const Heap& heap_;
  std::size_t most_;
  std::vector<bool> is_dominator_;
  std::unordered_map<std::uint32_t, Sums> sums_;
};

}  // namespace hprof
