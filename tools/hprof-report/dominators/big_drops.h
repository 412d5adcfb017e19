#pragma once

#include "common/bit_vector.h"
#include "formats/report/dominators.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <map>
#include <vector>

namespace hprof {

/// The objects that retain more than a threshold beyond what the largest object below them does:
/// there the memory spreads out. There are few of them in any heap: whoever goes down beside the
/// largest child is left with half at most, so no byte belongs to more drops than sizes can be
/// halved.
class BigDrops {
 public:
  /// Looks through both columns; takes two bits per object while it does. Checks the tree
  /// (TreeCheck) on the way.
  BigDrops(const Heap& heap, std::uint64_t threshold, std::size_t most);
  BigDrops(const BigDrops&) = delete;
  BigDrops& operator=(const BigDrops&) = delete;
  ~BigDrops() = default;

  /// To be shown every object in index order.
  void add(const HeapObject& object);
  /// How many there are, listed or not.
  std::uint64_t count() const { return count_; }
  std::vector<BigDrop> result() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Drop {
    std::uint32_t object = 0;
    std::uint64_t retained = 0;
    std::uint64_t children = 0;
    std::uint32_t largest_child = kNone;
    std::uint64_t largest = 0;

    std::uint64_t size() const { return retained - largest; }
  };

  /// Gives the objects whose dominators retain more than the threshold.
  BitVector find(std::uint64_t threshold);
  void look_at_children(const BitVector& below_large);
  void keep(std::size_t most);

  const Heap& heap_;
  std::vector<Drop> drops_;
  std::uint64_t count_ = 0;
  std::map<std::uint32_t, HeapObject> objects_;  // drops and their largest children
  std::map<std::uint32_t, HeapObject>::iterator next_;
};

}  // namespace hprof
