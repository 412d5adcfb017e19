#pragma once

#include "common/bit_vector.h"
#include "formats/reference_graph.h"
#include "formats/report/components.h"
#include "tools/hprof-report/components/retained_sets.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Describes what would go away with each component of at least 1 % of the used heap.
class ComponentSets {
 public:
  /// Needs the dominators, and keeps a bit per object. `components` must stay where it is.
  ComponentSets(const Heap& heap, Components& components, std::size_t rows);

  /// Finds the first sets in a graph without excluded references that is in memory anyway.
  void search(const ReferenceGraph& graph);
  /// Needs no column; loads the references for sets not found yet, later the retained sizes, and
  /// releases them.
  void fill(Heap& heap);

 private:
  /// One set while the objects pass by.
  struct Set;

  RetainedSets sets_in(const ReferenceGraph& graph, std::uint32_t first) const;
  void fill_from(std::uint32_t first, const RetainedSets& found);
  RetainedSet describe(const Set& set) const;

  const Heap& heap_;
  Components& components_;
  std::size_t rows_;
  BitVector is_top_level_;
  // By loader: place in components_; those of at least 1 % come first there.
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
  std::optional<RetainedSets> sets_;
};

}  // namespace hprof
