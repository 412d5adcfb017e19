#pragma once

#include "common/bit_vector.h"
#include "formats/reference_graph.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// A way from an accumulation point through one of its references to objects that it dominates
/// directly but hardly references itself.
struct SharedWay {
  ClassIndex class_index;              ///< of the objects
  std::vector<std::uint32_t> objects;  ///< from the point to one of them
  std::uint64_t hits = 0;              ///< how many of them the search met behind the reference
};

/// The search behind SharedHoldings, for one point after another.
class SharedSearch {
 public:
  SharedSearch(const Heap& heap, const ReferenceGraph& graph)
      : heap_(heap), graph_(graph), visited_(graph.size()) {}

  /// `children`: what `point` dominates directly; `large`: those of them to look at first.
  std::vector<SharedWay> ways(std::uint32_t point, const BitVector& children,
                              const std::vector<std::uint32_t>& large);

 private:
  struct Visit {
    std::uint32_t object = 0;
    std::uint32_t from = 0;  ///< place of the visit before
  };

  ClassIndex class_of(std::uint32_t object) const {
    return heap_.type(graph_.type_of(object)).class_index;
  }
  void find_shared_classes(const BitVector& children, const std::vector<std::uint32_t>& direct,
                           const std::vector<std::uint32_t>& large);
  std::vector<std::uint32_t> direct_children(std::uint32_t point, const BitVector& children) const;
  bool is_shared(std::uint32_t object) const;
  void follow(std::uint32_t point, std::uint32_t first);
  void visit_successors(std::uint32_t place);
  void visit(std::uint32_t object, std::uint32_t from);
  void take_hits(std::uint32_t point, const BitVector& children);
  std::vector<std::uint32_t> way_to(std::uint32_t point, std::uint32_t place) const;

  const Heap& heap_;
  const ReferenceGraph& graph_;
  BitVector visited_;
  std::vector<Visit> visits_;
  std::vector<ClassIndex> shared_;  ///< classes of which most objects are not referenced directly
  std::vector<SharedWay> ways_;
};

}  // namespace hprof
