#pragma once

#include "common/big_array.h"
#include "formats/reference_graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hprof {

/// Shortest reference paths from the GC roots by breadth-first search, levels visited in index
/// order: an object's parent is the lowest object of the level before that references it. The
/// search ends when all targets are reached.
class ShortestPaths {
 public:
  /// Takes up to 8 bytes per object on top of the graph: where the targets are near, next to
  /// nothing.
  ShortestPaths(const ReferenceGraph& graph, const std::vector<std::uint32_t>& targets);
  /// To every object that can be reached.
  explicit ShortestPaths(const ReferenceGraph& graph);

  bool reached(std::uint32_t object) const { return parents_[object] != 0; }
  /// The object before; the object itself for a GC root. Only for reached objects.
  std::uint32_t parent(std::uint32_t object) const { return parents_[object] - 1; }
  bool is_start(std::uint32_t object) const { return parent(object) == object; }

  std::size_t levels() const { return level_starts_.size() - 1; }
  /// Reached objects of a level, ascending except in the last one.
  std::span<const std::uint32_t> level(std::size_t number) const {
    return order_.span().subspan(level_starts_[number],
                                 level_starts_[number + 1] - level_starts_[number]);
  }

 private:
  void look_ahead(const ReferenceGraph& graph, std::uint32_t at, std::uint32_t end) const;
  template <typename Goal>
  void search(const ReferenceGraph& graph, Goal&& goal);

  BigArray<std::uint32_t> parents_;  ///< and one; 0 for objects that are not reached
  BigArray<std::uint32_t> order_;
  std::vector<std::uint32_t> level_starts_{0};
};

}  // namespace hprof
