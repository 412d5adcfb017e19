#pragma once

#include "tools/hprof-report/dominators/label_column.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// What objects are called in a stack: by their class, class objects by the class that they stand
/// for. Classes of one name share a frame.
class ObjectFrames {
 public:
  explicit ObjectFrames(const Heap& heap);

  /// Frames by number; none is called "(other)" but number 0.
  const std::vector<std::string>& names() const { return names_; }
  static constexpr std::uint32_t kOther = 0;

  std::uint32_t frame_of(const HeapObject& object) const {
    const auto stands_for = heap_.represented(object);
    return stands_for.is_none() ? of_class_[heap_.class_of(object).value()]
                                : of_class_object_[stands_for.value()];
  }

 private:
  const Heap& heap_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> of_class_;
  std::vector<std::uint32_t> of_class_object_;
};

}  // namespace hprof
