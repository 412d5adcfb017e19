#pragma once

#include "formats/reference_graph.h"
#include "tests/support/hprof_builder.h"
#include "tests/support/indexing.h"
#include "tools/hprof-graph/reference_pass.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hprof::test {

/// A dump taken through both readings, with what a test asks of the graph.
class Graphed {
 public:
  explicit Graphed(const Bytes& bytes, SizeModel model = SizeModel::mat, bool scattered = false,
                   std::uint64_t hash_mask = 0);

  std::uint64_t shallow(Id address) const { return shallow_[object(address)]; }
  std::uint64_t hash(Id address) const { return hashes_[object(address)]; }
  const std::vector<std::uint64_t>& hashes() const { return hashes_; }
  std::uint64_t sum() const;

  /// Addresses that an object references, its class left out.
  std::vector<Id> references(Id address) const {
    return addresses(graph_->references(object(address)));
  }
  /// The same with its class first.
  std::vector<Id> successors(Id address) const {
    return addresses(graph_->successors(object(address)));
  }

  const GraphTotals& totals() const { return totals_; }
  const std::vector<ExcludedReference>& excluded() const { return excluded_; }
  Bytes file_bytes() const { return read_file(folder_ / "x.graph"); }
  const HeapIndex& index() const { return index_; }

 private:
  std::uint32_t object(Id address) const { return index_.addresses.index_of(address).value(); }
  std::vector<Id> addresses(ReferenceGraph::Cursor cursor) const;

  TempFolder folder_;
  HeapIndex index_;
  GraphTotals totals_;
  std::vector<ExcludedReference> excluded_;
  std::unique_ptr<GraphFile> file_;
  std::unique_ptr<ReferenceGraph> graph_;
  std::vector<std::uint64_t> shallow_;
  std::vector<std::uint64_t> hashes_;
};

/// The bytes of a heap that is complete.
Bytes finished(HeapBuilder& heap);

}  // namespace hprof::test
