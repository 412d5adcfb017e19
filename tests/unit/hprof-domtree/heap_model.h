#pragma once

#include "formats/graph_file.h"
#include "tests/unit/hprof-domtree/adjacency_graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::test {

/// What a stage file's header says when a test writes it.
Provenance made_by(const char* tool);

/// A small heap as hprof-graph would describe it: classes, types, sizes, references, excluded ones
/// among them.
struct HeapModel {
  static constexpr std::uint32_t kSizeUnit = 8;

  explicit HeapModel(std::uint32_t objects)
      : references(objects), type_of(objects), length_of(objects) {}

  AdjacencyGraph references;                ///< class references left out
  std::vector<std::vector<bool>> excluded;  ///< per object and reference
  std::vector<GraphType> types;
  std::vector<std::uint32_t> type_of;
  std::vector<std::uint64_t> length_of;
  std::vector<std::uint32_t> class_objects;  ///< per class; class 0 is java.lang.Class

  std::uint32_t size() const { return references.size(); }
  const GraphType& type(std::uint32_t object) const { return types[type_of[object]]; }
  std::uint32_t class_of(std::uint32_t object) const { return type(object).class_index.value(); }
  std::vector<std::uint64_t> shallow_sizes() const;
  /// Class references included, excluded references only on demand.
  AdjacencyGraph graph(bool with_excluded) const;
  void write(const std::string& path, std::uint32_t chunk_rows) const;
};

HeapModel random_heap(unsigned shape, std::uint32_t seed);

}  // namespace hprof::test
