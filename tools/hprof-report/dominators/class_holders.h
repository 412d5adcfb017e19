#pragma once

#include "common/u64_map.h"
#include "formats/report/dominators.h"
#include "tools/hprof-report/dominators/label_column.h"
#include "tools/hprof-report/dominators/name_pattern.h"
#include "tools/hprof-report/heap.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// Answers "which of my classes hold these byte[]": for some classes, their instances by the class
/// of the nearest object on the way up the dominator tree whose class is not skipped. A class
/// object counts as the class that it stands for, so that static fields have an owner.
class ClassHolders {
 public:
  /// Classes that `skip` matches, and arrays, are no holders. Looked at are the classes of the
  /// names `wanted` (Error(usage) when there is none of a name), else the `most` skipped classes
  /// with the most bytes.
  ClassHolders(const Heap& heap, std::string skip, const std::vector<std::string>& wanted,
               std::size_t most);

  /// To be shown every object in index order before settle().
  void note(const ObjectRow& row);
  /// From here on every object has its holder: a byte each where few classes hold, else two.
  void settle(const BigArray<std::uint32_t>& dominators);
  /// To be shown every object, with its dominator, before result().
  void add(const HeapObject& object) {
    const auto place = place_[heap_.class_of(object).value()];
    if (place != 0 && object.reachable()) {
      auto& sum = sum_of(place, object.top_level() ? kRoot : labels_[object.dominator]);
      ++sum.objects;
      sum.shallow += object.shallow;
    }
  }
  const std::string& skip() const { return skip_; }
  std::vector<DominatedClass> result(std::size_t most_holders) const;

 private:
  struct Sum {
    std::uint32_t place = 0;  // from 1 on
    std::uint32_t label = 0;
    std::uint64_t objects = 0;
    std::uint64_t shallow = 0;
  };
  static constexpr std::uint32_t kRoot = 1;

  bool is_skipped(std::uint32_t class_row) const { return skipped_[class_row]; }
  std::uint32_t label_of(ClassIndex index, bool is_class_object) const {
    return 2 + 2 * holder_numbers_[index.value()] + (is_class_object ? 1 : 0);
  }
  void number_holders();
  std::vector<std::uint32_t> largest_skipped(std::size_t most) const;
  std::vector<std::uint32_t> named(const std::vector<std::string>& names) const;
  /// Few pairs of class and holder make up most of a heap.
  Sum& sum_of(std::uint32_t place, std::uint32_t label) {
    auto& number = recent_[(label * 31 + place) % recent_.size()];
    if (sums_[number].place != place || sums_[number].label != label) {
      number = find_sum(place, label);
    }
    return sums_[number];
  }
  std::uint32_t find_sum(std::uint32_t place, std::uint32_t label);
  std::vector<HolderRow> rows(std::uint32_t place) const;
  DominatedClass dominated(std::uint32_t place, std::size_t most_holders) const;

  const Heap& heap_;
  std::string skip_;
  std::vector<bool> skipped_;                  // by class
  std::vector<std::uint32_t> classes_;         // those looked at, in the order of the result
  std::vector<std::uint32_t> place_;           // by class: 1 + position in classes_, 0 for others
  std::vector<std::uint32_t> own_label_;       // by type, 0 for skipped ones and class objects
  std::vector<std::uint32_t> holders_;         // the classes that are not skipped
  std::vector<std::uint32_t> holder_numbers_;  // by class: its place there
  LabelColumn labels_;
  U64Map numbers_;  // of place and label: position in sums_
  std::vector<Sum> sums_;
  std::array<std::uint32_t, 256> recent_{};  // positions there, by a hash of the pair
};

}  // namespace hprof
