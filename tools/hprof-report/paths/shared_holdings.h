#pragma once

#include "common/bit_vector.h"
#include "formats/reference_graph.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/paths/leak_finder.h"
#include "tools/hprof-report/paths/shared_search.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// Finds out which references of an accumulation point lead to the same objects. Whatever a point
/// dominates directly and does not reference itself is reached through two of its references at
/// least. Looks at the points of few suspects, and from each at a bounded number of objects.
class SharedHoldings {
 public:
  /// Needs both columns; keeps a bit per object for each of the points.
  SharedHoldings(const Heap& heap, const std::vector<Suspicion>& suspicions);

  /// With the references in memory; gives the bits back.
  void search(const ReferenceGraph& graph);

  /// By class, those first that lead to most.
  const std::vector<SharedWay>& ways_of(std::uint32_t point) const;

 private:
  struct Point {
    std::uint32_t object = 0;
    BitVector children;                  ///< objects that it dominates directly
    std::vector<std::uint32_t> largest;  ///< of those, by descending retained size
    std::vector<SharedWay> ways;
  };

  void find_children();
  void note_large(Point& point, std::uint32_t child) const;

  const Heap& heap_;
  std::vector<Point> points_;
};

}  // namespace hprof
