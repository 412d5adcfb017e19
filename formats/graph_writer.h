#pragma once

#include "formats/graph_file.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hprof {

/// A reference that is marked as excluded: its source and its position among the source's coded
/// references.
struct ExcludedReference {
  std::uint32_t source = 0;
  std::uint32_t ordinal = 0;

  auto operator<=>(const ExcludedReference&) const = default;
};

/// Codes the references of one object as schema/graph.capnp's EdgeChunk describes.
class RowEncoder {
 public:
  /// Starts the row of `self`; `chained` codes each target relative to the one before (arrays).
  void begin(std::uint32_t self, bool chained) {
    bytes_.clear();
    count_ = 0;
    base_ = self;
    chained_ = chained;
  }

  void add(std::uint32_t target) {
    std::uint64_t coded =
        zigzag(static_cast<std::int64_t>(target) - static_cast<std::int64_t>(base_));
    if (count_++ == 0) {
      coded = coded << 1U | (chained_ ? 1U : 0U);
    }
    append_varint(bytes_, coded);
    if (chained_) {
      base_ = target;
    }
  }

  std::uint32_t count() const { return count_; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::uint32_t count_ = 0;
  std::uint32_t base_ = 0;
  bool chained_ = false;
};

/// Writes an X.graph: what is known beforehand, then object by object in index order.
class GraphWriter {
 public:
  GraphWriter(const std::string& path, const Provenance& provenance, const GraphSummary& summary,
              const std::vector<GraphType>& types, const std::vector<std::uint32_t>& roots);

  /// Sizes by another model; before the first object.
  void add_other_sizes(const OtherSizes& sizes);

  /// Whether the hashes of primitive arrays are written.
  bool has_hashes() const { return has_hashes_; }

  /// The next object: its type, its length (ignored for types without one), its coded references
  /// and the hash of its content (ignored unless it is a primitive array).
  void append(std::uint32_t type, std::uint64_t length, std::span<const std::uint8_t> row,
              std::uint64_t hash = 0);

  /// `excluded` ascending, the places in the totals too. Error(bug) unless as many objects were
  /// appended as the summary says.
  FileIdentity commit(std::span<const ExcludedReference> excluded, const GraphTotals& totals);

 private:
  void flush_objects();
  void flush_edges();
  void append_row(std::span<const std::uint8_t> row);

  FrameWriter<schema::GraphFrame> writer_;
  std::vector<GraphType> types_;
  std::uint64_t objects_;
  bool has_hashes_;
  std::uint64_t object_row_ = 0;
  std::uint32_t object_rows_ = 0;
  std::vector<std::uint8_t> type_bytes_;
  std::vector<std::uint8_t> length_bytes_;
  std::vector<std::uint64_t> hashes_;
  std::uint64_t edge_row_ = 0;
  std::vector<std::uint8_t> row_lengths_;
  std::vector<std::uint8_t> row_bytes_;
};

}  // namespace hprof
