#pragma once

#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// What is known of some objects that were noted by index, filled while all objects pass by.
class DescribedObjects {
 public:
  void want(std::uint32_t object) { wanted_.push_back(object); }
  void want(const std::vector<std::uint32_t>& objects) {
    wanted_.insert(wanted_.end(), objects.begin(), objects.end());
  }
  /// Ends the wanting.
  void sort();
  /// To be shown every object in index order.
  void see(const HeapObject& object) {
    if (objects_.size() < wanted_.size() && wanted_[objects_.size()] == object.index) {
      objects_.push_back(object);
    }
  }
  /// A wanted object.
  const HeapObject& at(std::uint32_t object) const;

 private:
  std::vector<std::uint32_t> wanted_;
  std::vector<HeapObject> objects_;
};

}  // namespace hprof
