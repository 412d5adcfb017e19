#pragma once

#include "common/checked.h"
#include "common/varint.h"
#include "formats/frame_file.h"
#include "formats/indices.h"
#include "formats/jvm_layout.h"
#include "formats/record_kind.h"
#include "formats/record_place.h"
#include "graph.capnp.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hprof {

/// A row of the type table with what gives an object's shallow size.
struct GraphType {
  ClassIndex class_index;
  ObjectIndex class_object;
  RecordKind kind = RecordKind::instance;
  std::uint64_t base = 0;
  std::uint32_t scale = 0;  ///< 0: every object of the type has the same size and no length
  std::uint32_t align = 1;

  bool has_length() const { return scale != 0; }
  /// Bytes of an object with `length` elements.
  std::uint64_t shallow(std::uint64_t length) const {
    return align_up(checked_add(base, checked_mul(length, scale)), align);
  }
};

/// What gives the shallow size of the objects of a type; see GraphType.
struct ShallowRule {
  std::uint64_t base = 0;
  std::uint32_t scale = 0;
  std::uint32_t align = 1;

  std::uint64_t shallow(std::uint64_t length) const {
    return align_up(checked_add(base, checked_mul(length, scale)), align);
  }
  bool operator==(const ShallowRule&) const = default;
};

/// Shallow sizes by another model than that of the file, where the two differ.
struct OtherSizes {
  std::string model;                       ///< "mat", "hotspot"
  std::vector<ShallowRule> rules;          ///< by type
  std::vector<std::uint64_t> class_bytes;  ///< by class, of its class object

  bool operator==(const OtherSizes&) const = default;
};

/// The heap of all objects from this one up to the next run's.
struct HeapRun {
  std::uint32_t first = 0;
  std::uint8_t heap = 0;  ///< row of the index's heaps

  bool operator==(const HeapRun&) const = default;
};

/// See GraphSummary in schema/graph.capnp.
struct GraphSummary {
  std::uint64_t objects = 0;
  std::uint64_t classes = 0;
  std::uint32_t size_unit = 1;
  std::string size_model;
  ClassIndex java_lang_class;
  std::vector<std::uint32_t> class_objects;  ///< per class the object index of its class object
  bool content_hashes = false;               ///< rows of primitive arrays have hashes
  std::optional<InferredLayout> layout = std::nullopt;  ///< of the JVM; none on Android
};

/// See GraphTotals and PlaceChunk in schema/graph.capnp.
struct GraphTotals {
  std::uint64_t edges = 0;
  std::uint64_t dangling_references = 0;
  std::uint64_t dangling_instance = 0;
  std::uint64_t dangling_array = 0;
  std::uint64_t dangling_class = 0;
  std::uint64_t strings_harvested = 0;
  std::uint64_t strings_fallback = 0;
  std::uint64_t short_instances = 0;
  std::uint64_t excluded_edges = 0;
  std::uint64_t all_shallow = 0;
  RecordPlaces places;                  ///< only where for_each_object() has read them
  std::vector<HeapRun> heap_runs = {};  ///< of Android; not read by for_each_object()
};

/// An object as the streaming pass shows it.
struct ObjectRow {
  std::uint32_t index = 0;
  std::uint32_t type = 0;
  std::uint64_t length = 0;   ///< elements or static bytes; 0 for types without length
  std::uint64_t shallow = 0;  ///< bytes
  std::uint64_t hash = 0;     ///< of a primitive array's content where the file has hashes
};

/// What stands at the front of an X.graph, held in memory, and streaming access to its object
/// table.
class GraphFile {
 public:
  using Frame = schema::GraphFrame;

  /// Reads header, summary, types and roots and takes the identity from the footer. Error(bad_data,
  /// limit, stale).
  explicit GraphFile(std::string path);

  const std::string& path() const { return path_; }
  const Provenance& provenance() const { return provenance_; }
  const FileIdentity& identity() const { return identity_; }
  const GraphSummary& summary() const { return summary_; }
  const std::vector<GraphType>& types() const { return types_; }
  /// Distinct GC roots, ascending object indices.
  const std::vector<std::uint32_t>& roots() const { return roots_; }
  const std::optional<OtherSizes>& other_sizes() const { return other_sizes_; }

  /// Reads which heap objects lie in, ascending; empty where the dump has but one.
  std::vector<HeapRun> read_heap_runs() const;

  /// Calls `visit(const ObjectRow&)` for every object in index order; returns the totals at the end
  /// of the file.
  template <typename Visit>
  GraphTotals for_each_object(Visit&& visit) const {
    return for_each_object(visit, [](std::uint32_t, std::uint32_t) {});
  }

  /// Also calls `on_excluded(source, ordinal)` for every excluded reference, ascending by source,
  /// after the last object.
  template <typename Visit, typename OnExcluded>
  GraphTotals for_each_object(Visit&& visit, OnExcluded&& on_excluded) const;

 private:
  std::string path_;
  Provenance provenance_;
  FileIdentity identity_;
  GraphSummary summary_;
  std::vector<GraphType> types_;
  std::vector<std::uint32_t> roots_;
  std::optional<OtherSizes> other_sizes_;
};

GraphTotals read_totals(schema::GraphTotals::Reader in);
/// Adds the rows of a chunk; Error(bad_data) unless they ascend.
void append_places(schema::PlaceChunk::Reader in, std::vector<RecordPlace>& out);

/// Reads the hashes of a chunk one by one; zeros where it has none.
class HashCursor {
 public:
  explicit HashCursor(std::span<const std::uint8_t> bytes) : bytes_(bytes), none_(bytes.empty()) {}

  std::uint64_t next() {
    if (none_) {
      return 0;
    }
    std::uint64_t hash = 0;
    if (bytes_.size() < sizeof hash) [[unlikely]] {
      throw_unplaced("content hashes are missing");
    }
    std::memcpy(&hash, bytes_.data(), sizeof hash);
    bytes_ = bytes_.subspan(sizeof hash);
    return hash;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool none_;
};

/// Walks the rows of one object chunk.
template <typename Visit>
void for_each_row(schema::ObjectChunk::Reader chunk, const std::vector<GraphType>& types,
                  Visit&& visit) {
  VarintCursor type_cursor(as_span(chunk.getTypes()));
  VarintCursor length_cursor(as_span(chunk.getLengths()));
  HashCursor hash_cursor(as_span(chunk.getHashes()));
  ObjectRow row;
  row.index = static_cast<std::uint32_t>(chunk.getFirstRow());
  for (std::uint32_t left = chunk.getRows(); left != 0; --left, ++row.index) {
    const std::uint64_t type = type_cursor.next();
    if (type >= types.size()) [[unlikely]] {
      throw_unplaced("an object's type is out of range");
    }
    row.type = static_cast<std::uint32_t>(type);
    const GraphType& info = types[type];
    row.length = info.has_length() ? length_cursor.next() : 0;
    row.shallow = info.has_length() ? info.shallow(row.length) : info.base;
    row.hash = is_primitive_array(info.kind) ? hash_cursor.next() : 0;
    visit(static_cast<const ObjectRow&>(row));
  }
}

/// Walks the rows of one chunk of excluded references.
template <typename OnExcluded>
void for_each_excluded(schema::ExcludedChunk::Reader chunk, std::uint64_t objects,
                       OnExcluded&& on_excluded) {
  const auto sources = chunk.getSources();
  const auto ordinals = chunk.getOrdinals();
  if (sources.size() != ordinals.size()) [[unlikely]] {
    throw_unplaced("uneven columns of excluded references");
  }
  for (unsigned i = 0; i < sources.size(); ++i) {
    if (sources[i] >= objects) [[unlikely]] {
      throw_unplaced("an excluded reference is out of range");
    }
    on_excluded(sources[i], ordinals[i]);
  }
}

template <typename Visit, typename OnExcluded>
GraphTotals GraphFile::for_each_object(Visit&& visit, OnExcluded&& on_excluded) const {
  FrameReader<Frame> reader(path_, kGraphFile);
  GraphTotals totals;
  std::vector<RecordPlace> places;
  std::uint64_t rows = 0;
  reader.for_each([&](Frame::Reader frame) {
    if (frame.which() == Frame::OBJECTS) {
      const auto chunk = frame.getObjects();
      if (chunk.getFirstRow() != rows || chunk.getRows() > summary_.objects - rows) {
        throw_unplaced("object rows are out of order");
      }
      rows += chunk.getRows();
      for_each_row(chunk, types_, visit);
    } else if (frame.which() == Frame::EXCLUDED) {
      for_each_excluded(frame.getExcluded(), summary_.objects, on_excluded);
    } else if (frame.which() == Frame::TOTALS) {
      totals = read_totals(frame.getTotals());
    } else if (frame.which() == Frame::PLACES) {
      append_places(frame.getPlaces(), places);
    }
  });
  totals.places.rows = std::move(places);
  if (rows != summary_.objects) {
    fail(ExitCode::bad_data, printable(path_),
         ": object rows are missing; run hprof-graph with --force again");
  }
  return totals;
}

}  // namespace hprof
