#pragma once

#include "common/big_array.h"
#include "tools/hprof-domtree/dominator_order.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace hprof {

/// Class index per position of the dominator tree's preorder, two bytes wide where that is enough.
class ClassColumn {
 public:
  ClassColumn() = default;
  ClassColumn(std::uint64_t positions, std::uint64_t classes) {
    if (classes <= kMostNarrow) {
      narrow_ = BigArray<std::uint16_t>(positions);
    } else {
      wide_ = BigArray<std::uint32_t>(positions);
    }
  }

  void set(std::uint32_t position, std::uint32_t class_index) {
    if (wide_.empty()) {
      narrow_[position] = static_cast<std::uint16_t>(class_index);
    } else {
      wide_[position] = class_index;
    }
  }
  std::uint32_t operator[](std::uint32_t position) const {
    return wide_.empty() ? narrow_[position] : wide_[position];
  }

 private:
  static constexpr std::uint64_t kMostNarrow = 0x10000;

  BigArray<std::uint16_t> narrow_;
  BigArray<std::uint32_t> wide_;
};

/// Which classes the object at each position of the dominator tree's preorder belongs to.
struct ClassMembership {
  ClassColumn class_at;  ///< of position 0 nothing is set
  /// Class objects as (position, index of the class they represent), ascending by position.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> class_objects;
};

/// Adds up, per class, the retained sizes of the members of {class object} ∪ instances that have no
/// other member among any of their dominators. java.lang.Class's own class object is a member twice
/// over and then counts twice. `bytes(position, end)` is the retained size. One walk in preorder: a
/// member is topmost exactly when it lies outside the last topmost member's stretch.
template <typename RetainedBytes>
std::vector<std::uint64_t> class_retained(const BigArray<std::uint32_t>& end,
                                          const ClassMembership& members, std::size_t classes,
                                          RetainedBytes&& bytes) {
  std::vector<std::uint64_t> retained(classes);
  std::vector<std::uint32_t> covered_until(classes);
  auto next_class_object = members.class_objects.begin();
  for (std::uint32_t position = 1; position < end.size(); ++position) {
    const std::uint32_t own = members.class_at[position];
    std::uint32_t represented = own;
    bool is_class_object = false;
    if (next_class_object != members.class_objects.end() && next_class_object->first == position) {
      represented = next_class_object->second;
      is_class_object = true;
      ++next_class_object;
    }
    const bool tops_own = position >= covered_until[own];
    const bool tops_represented = is_class_object && position >= covered_until[represented];
    if (tops_own) {
      retained[own] += bytes(position, end[position]);
      covered_until[own] = end[position];
    }
    if (tops_represented) {
      retained[represented] += bytes(position, end[position]);
      covered_until[represented] = end[position];
    }
  }
  return retained;
}

}  // namespace hprof
