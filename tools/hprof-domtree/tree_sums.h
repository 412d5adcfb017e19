#pragma once

#include "common/big_array.h"
#include "common/bring_near.h"
#include "common/error.h"
#include "common/steps.h"
#include "formats/domtree_file.h"
#include "formats/graph_file.h"
#include "tools/hprof-domtree/class_retained.h"
#include "tools/hprof-domtree/depth_counts.h"
#include "tools/hprof-domtree/shape_table.h"
#include "tools/hprof-domtree/tree_layout.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace hprof {

/// DominatorNumbers and retained sizes per object, and the sums per class, from one pass over the
/// object table and one walk through the dominator tree. Unit is u32 when all sizes, divided by the
/// heap's size unit, fit in 32 bits together, else u64; see fits_32_bits().
template <typename Unit>
class TreeSums {
 public:
  explicit TreeSums(const GraphFile& file)
      : file_(file),
        shapes_(file),
        class_objects_(objects_with_class(file.summary().class_objects)),
        classes_(file.summary().classes),
        nodes_(file.summary().objects) {}

  /// Reads the object table; to be called first.
  void read_objects(Progress& progress) {
    auto class_object = class_objects_.begin();
    file_.for_each_object([&](const ObjectRow& row) {
      const std::uint32_t shape = shapes_.shape_of(row);
      if (class_object != class_objects_.end() && class_object->first == row.index) {
        shapes_.set_has_class_objects(shape);
        while (class_object != class_objects_.end() && class_object->first == row.index) {
          ++class_object;
        }
      }
      nodes_[row.index] = {.value = shape, .dominator = kUnreachable};
      auto& total = classes_[shapes_[shape].class_index];
      ++total.unreachable_instances;
      total.unreachable_shallow = checked_add(total.unreachable_shallow, row.shallow);
      if (row.index % kProgressStep == 0) {
        progress.update(row.index, nodes_.size());
      }
    });
  }

  /// Walks through the tree once; every node knows its dominator and retained size afterwards. The
  /// tree of open nodes is its own stack: the dominators of the node at hand.
  void walk(const TreeLayout& layout) {
    ObjectLog::Reader objects(layout.objects);
    ObjectLog::Reader ahead(layout.objects);
    for (std::uint32_t i = 0; i < kAhead && ahead.more(); ++i) {
      ahead.next();
    }
    ClassRetained topmost(classes_.size());
    BitVector last_children(layout.reached + std::uint64_t{1});  // of the open nodes, by depth
    std::uint32_t depth = 0;
    std::uint32_t dominator = kVirtualRoot;
    for (std::uint64_t position = 1; position <= layout.reached; ++position) {
      if (ahead.more()) {
        bring_near(&nodes_[ahead.next()]);
      }
      const std::uint32_t object = objects.next();
      depths_.add(depth + 1, enter(object, dominator, topmost));
      bool last = layout.last_child.test(position);
      if (!layout.leaf.test(position)) {
        last ? last_children.set(depth) : last_children.clear(depth);
        ++depth;
        dominator = object;
        continue;
      }
      leave(object, topmost);
      while (last && depth != 0) {
        last = last_children.test(--depth);
        const std::uint32_t done = dominator;
        dominator = nodes_[done].dominator;
        leave(done, topmost);
      }
    }
  }

  /// Bytes of all reachable objects, counted by the walk.
  std::uint64_t total_bytes() const { return std::uint64_t{before_} * unit(); }

  std::uint64_t objects() const { return nodes_.size(); }
  /// An object index, kVirtualRoot or kUnreachable.
  std::uint32_t dominator(std::uint64_t object) const { return nodes_[object].dominator; }
  /// Bytes; of no meaning for unreachable objects.
  std::uint64_t retained(std::uint64_t object) const {
    return std::uint64_t{nodes_[object].value} * unit();
  }
  const std::vector<ClassTotal>& classes() const { return classes_; }
  DepthTotals depths() const { return depths_.totals(file_.summary().size_unit); }

 private:
  using ClassObject = std::pair<std::uint32_t, std::uint32_t>;

  static constexpr std::uint32_t kProgressStep = 1U << 18U;
  static constexpr std::uint32_t kAhead = 24;  // nodes are asked for so many steps before

  struct [[gnu::packed]] Node {
    Unit value;  // shape, then, from entering on, units before the node, then retained units
    std::uint32_t dominator;
  };

  static std::vector<ClassObject> objects_with_class(
      const std::vector<std::uint32_t>& class_objects) {
    std::vector<ClassObject> result;
    for (std::uint32_t class_index = 0; class_index < class_objects.size(); ++class_index) {
      result.emplace_back(class_objects[class_index], class_index);
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  std::uint64_t unit() const { return file_.summary().size_unit; }

  /// Gives the units of the object's own size.
  std::uint64_t enter(std::uint32_t object, std::uint32_t dominator, ClassRetained& topmost) {
    auto& node = nodes_[object];
    const Shape& shape = shapes_[static_cast<std::uint32_t>(node.value)];
    node = {.value = before_, .dominator = dominator};
    if (shape.units > std::numeric_limits<Unit>::max() - before_) [[unlikely]] {
      throw_unplaced("the sizes add up to more than the graph file says");
    }
    before_ = static_cast<Unit>(before_ + shape.units);
    count_as_reachable(classes_[shape.class_index], shape.units * unit());
    if (!shape.has_class_objects) [[likely]] {
      topmost.enter(object, shape.class_index);
    } else {
      enter_class_object(object, shape.class_index, topmost);
    }
    return shape.units;
  }

  static void count_as_reachable(ClassTotal& total, std::uint64_t bytes) {
    ++total.reachable_instances;
    --total.unreachable_instances;
    total.reachable_shallow += bytes;
    total.unreachable_shallow -= bytes;
    total.largest_shallow = std::max(total.largest_shallow, bytes);
  }

  void enter_class_object(std::uint32_t object, std::uint32_t own, ClassRetained& topmost) {
    const auto at =
        std::lower_bound(class_objects_.begin(), class_objects_.end(), ClassObject{object, 0});
    if (at != class_objects_.end() && at->first == object) {
      topmost.enter_class_object(object, own, at->second);
    } else {
      topmost.enter(object, own);
    }
  }

  void leave(std::uint32_t object, ClassRetained& topmost) {
    auto& node = nodes_[object];
    const auto units = static_cast<Unit>(before_ - node.value);
    node.value = units;
    topmost.leave(object, [&](std::uint32_t class_index) {
      classes_[class_index].retained += std::uint64_t{units} * unit();
    });
  }

  const GraphFile& file_;
  ShapeTable shapes_;
  std::vector<ClassObject> class_objects_;  // ascending by object
  std::vector<ClassTotal> classes_;
  BigArray<Node> nodes_;
  DepthCounts depths_;
  Unit before_ = 0;  // units of all nodes entered so far
};

/// Whether TreeSums<std::uint32_t> can hold a heap of `total_bytes`.
inline bool fits_32_bits(std::uint64_t total_bytes, std::uint32_t size_unit) {
  return total_bytes / size_unit <= std::numeric_limits<std::uint32_t>::max();
}

}  // namespace hprof
