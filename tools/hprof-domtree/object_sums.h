#pragma once

#include "formats/domtree_file.h"
#include "formats/graph_file.h"
#include "tools/hprof-domtree/class_retained.h"
#include "tools/hprof-domtree/dominator_order.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hprof {

/// What one pass over the object table adds up once the tree is known.
class ObjectSums {
 public:
  ObjectSums(const GraphFile& file, const DominatorOrder& order);

  /// Takes in an object; every object once, in any order.
  void add(const ObjectRow& row) {
    const std::uint32_t position = order_.position_of[row.index];
    const std::uint32_t class_index = file_.types()[row.type].class_index.value();
    auto& total = classes_[class_index];
    if (position != 0) {
      members_.class_at.set(position, class_index);
      ++total.reachable_instances;
      total.reachable_shallow += row.shallow;
      total.largest_shallow = std::max(total.largest_shallow, row.shallow);
    } else {
      ++total.unreachable_instances;
      total.unreachable_shallow += row.shallow;
    }
  }

  const ClassMembership& members() const { return members_; }
  /// Gives the memory of members() back.
  void release_members() { members_ = {}; }

  /// Class totals; class-retained sizes are the caller's to set.
  std::vector<ClassTotal>& classes() { return classes_; }
  /// The sums over all classes.
  DomtreeSummary summary() const;

 private:
  const GraphFile& file_;
  const DominatorOrder& order_;
  ClassMembership members_;
  std::vector<ClassTotal> classes_;
};

}  // namespace hprof
