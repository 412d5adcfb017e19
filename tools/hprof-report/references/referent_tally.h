#pragma once

#include "common/bit_vector.h"
#include "formats/report/references.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/references/reach_column.h"
#include "tools/hprof-report/references/reference_types.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hprof {

/// Objects of some set that another one of the set dominates, ascending. `is_member(object)` tells
/// the set's members, `members` calls its argument with each of them. Needs the dominators.
class NestedObjects {
 public:
  NestedObjects() = default;

  template <typename IsMember, typename ForEachMember>
  NestedObjects(const Heap& heap, IsMember&& is_member, ForEachMember&& for_each_member) {
    const auto& dominators = heap.dominators();
    BitVector below(heap.objects());      // known to be dominated by a member
    BitVector not_below(heap.objects());  // known not to be
    for_each_member([&](std::uint32_t member) {
      auto at = dominators[member];
      while (at < kVirtualRoot && !is_member(at) && !below.test(at) && !not_below.test(at)) {
        at = dominators[at];
      }
      const bool nested = at < kVirtualRoot && !not_below.test(at);
      auto& marks = nested ? below : not_below;
      for (auto step = dominators[member]; step != at; step = dominators[step]) {
        marks.set(step);
      }
      if (nested) {
        objects_.push_back(member);
      }
    });
  }

  /// Whether `object` is one of them; asked in ascending order.
  bool contains(std::uint32_t object) {
    while (next_ < objects_.size() && objects_[next_] < object) {
      ++next_;
    }
    return next_ < objects_.size() && objects_[next_] == object;
  }

 private:
  std::vector<std::uint32_t> objects_;
  std::size_t next_ = 0;
};

/// Sums of objects by class.
class ClassSums {
 public:
  explicit ClassSums(const Heap& heap) : heap_(heap), sums_(heap.index().classes.size()) {}

  /// `counts_retained`: no other object of the set retains it.
  void add(const HeapObject& object, bool counts_retained);
  std::uint64_t classes() const;
  /// The largest by retained size, or by shallow size where no retained sizes are to be shown.
  std::vector<HeldClass> largest(std::size_t most, bool with_retained) const;

  std::uint64_t objects() const { return objects_; }
  std::uint64_t shallow() const { return shallow_; }
  std::uint64_t retained() const { return retained_; }

 private:
  struct Sum {
    std::uint64_t objects = 0;
    std::uint64_t shallow = 0;
    std::uint64_t retained = 0;
  };

  const Heap& heap_;
  std::vector<Sum> sums_;
  std::uint64_t objects_ = 0;
  std::uint64_t shallow_ = 0;
  std::uint64_t retained_ = 0;
};

/// Sums up the heap by strength and referents by kind, while the objects pass by.
class ReferentTally {
 public:
  /// Needs the dominators. `waiting`: objects that wait for their finalizers, ascending.
  ReferentTally(const Heap& heap, ReachColumn column, std::vector<std::uint32_t> waiting);

  /// To be shown every reachable object in index order; needs the retained sizes.
  void add(const ObjectRow& row) {
    if (column_.is_ordinary(row.index) && row.index < next_waiting()) {
      ++strong_.objects;
      strong_.shallow += row.shallow;
    } else {
      add_special({.index = row.index,
                   .type = row.type,
                   .shallow = row.shallow,
                   .retained = heap_.retained()[row.index]});
    }
  }

  std::vector<ReachRow> reachability(std::size_t rows) const;
  void fill_kind(ReferenceKind& kind, std::size_t rows) const;
  void fill_waiting(Finalizers& out, std::size_t rows) const;

 private:
  struct Kind {
    ClassSums sums;
    NestedObjects nested;
  };

  std::uint32_t next_waiting() const {
    return next_waiting_ < waiting_.size() ? waiting_[next_waiting_] : kVirtualRoot;
  }
  void add_special(const HeapObject& object);
  void add_waiting(const HeapObject& object);

  const Heap& heap_;
  ReachColumn column_;
  struct {
    std::uint64_t objects = 0;
    std::uint64_t shallow = 0;
  } strong_;                     ///< held strongly, of whatever class
  std::vector<ClassSums> held_;  ///< by strength; nothing is strong here
  std::vector<Kind> kinds_;      ///< by strength but strong
  std::vector<std::uint32_t> waiting_;
  std::size_t next_waiting_ = 0;
  Kind waiting_sums_;
};

}  // namespace hprof
