#pragma once

#include "common/ranked_bits.h"
#include "formats/reference_graph.h"
#include "tools/hprof-domtree/narrow_column.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hprof {

/// What the search for dominators needs of the references: as ReferenceGraph, but of the edges from
/// objects to their class objects only those that decide something, and no types.
class SearchGraph {
 public:
  using Cursor = ReferenceGraph::Cursor;
  using SavedCursor = ReferenceGraph::SavedCursor;

  /// Reads `graph` once through. `class_objects`: all class objects.
  SearchGraph(ReferenceGraph graph, std::span<const std::uint32_t> class_objects);

  std::uint32_t size() const { return graph_.size(); }
  std::span<const std::uint32_t> roots() const { return graph_.roots(); }
  std::uint64_t class_edges() const { return class_edges_.count(); }

  /// See joins.h; to be taken once.
  RankedBits take_joins() { return std::move(joins_); }

  Cursor successors(std::uint32_t object) const {
    if (class_edges_.test(object)) {
      const std::uint32_t type = class_edge_types_[class_edges_.rank(object)];
      return graph_.references_after(graph_.types()[type].class_object.value(), object);
    }
    return graph_.references(object);
  }

  /// Hints that the successors of `object` are wanted soon, resp. next.
  void prefetch_place(std::uint32_t object) const {
    class_edges_.prefetch(object);
    graph_.prefetch_place(object);
  }
  void prefetch_row(std::uint32_t object) const { graph_.prefetch_row(object); }

  SavedCursor save(const Cursor& cursor) const { return graph_.save(cursor); }
  Cursor restore(const SavedCursor& saved) const { return graph_.restore(saved); }

  /// As ReferenceGraph::give_back().
  void give_back(const Cursor& from, const Cursor& to) { graph_.give_back(from, to); }

 private:
  void look_through(std::span<const std::uint32_t> class_objects);
  void keep_class_edges();

  ReferenceGraph graph_;
  RankedBits joins_;
  RankedBits class_edges_;         ///< per object: whether its edge to its class is kept
  NarrowColumn class_edge_types_;  ///< per kept one the object's type
};

}  // namespace hprof
