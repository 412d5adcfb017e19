#include "tools/hprof-domtree/object_sums.h"

#include "common/checked.h"

#include <algorithm>

namespace hprof {

ObjectSums::ObjectSums(const GraphFile& file, const DominatorOrder& order)
    : file_(file), order_(order), classes_(file.summary().classes) {
  members_.class_at = ClassColumn(order.reached() + std::uint64_t{1}, classes_.size());
  const auto& class_objects = file.summary().class_objects;
  for (std::uint32_t class_index = 0; class_index < class_objects.size(); ++class_index) {
    const std::uint32_t position = order.position_of[class_objects[class_index]];
    if (position != 0) {
      members_.class_objects.emplace_back(position, class_index);
    }
  }
  std::sort(members_.class_objects.begin(), members_.class_objects.end());
}

DomtreeSummary ObjectSums::summary() const {
  DomtreeSummary sum{.objects = file_.summary().objects,
                     .size_unit = file_.summary().size_unit,
                     .roots = file_.roots().size()};
  for (const auto& total : classes_) {
    sum.reachable_objects += total.reachable_instances;
    sum.unreachable_objects += total.unreachable_instances;
    sum.reachable_shallow = checked_add(sum.reachable_shallow, total.reachable_shallow);
    sum.unreachable_shallow = checked_add(sum.unreachable_shallow, total.unreachable_shallow);
  }
  return sum;
}

}  // namespace hprof
