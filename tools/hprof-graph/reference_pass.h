#pragma once

#include "common/big_array.h"
#include "common/bit_vector.h"
#include "common/bring_near.h"
#include "common/byte_cursor.h"
#include "common/u64_map.h"
#include "formats/content_hash.h"
#include "formats/graph_writer.h"
#include "formats/heap_index.h"
#include "formats/hprof_tags.h"
#include "formats/hprof_visitor.h"
#include "tools/hprof-graph/layouts.h"
#include "tools/hprof-graph/object_sink.h"
#include "tools/hprof-graph/size_model.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hprof {

/// The locals of each thread: edges thread → local (semantics: §3).
class LocalsOfThreads {
 public:
  explicit LocalsOfThreads(const HeapIndex& index);
  /// Distinct locals of an object, empty for all that are no thread with locals.
  std::span<const std::uint32_t> of(std::uint32_t object) const {
    if (threads_.size() == 0) {
      return {};
    }
    const std::uint32_t row = threads_.find(object);
    return row == U64Map::kNone ? std::span<const std::uint32_t>()
                                : std::span<const std::uint32_t>(locals_[row]);
  }

 private:
  U64Map threads_;
  std::vector<std::vector<std::uint32_t>> locals_;
};

/// What the second reading of a dump adds up.
struct PassResult {
  GraphTotals totals;
  std::vector<ExcludedReference> excluded;
};

/// The second reading: turns each record into a coded object as its bytes stream past.
class ReferencePass : public HprofVisitor, public RecordlessObjects {
 public:
  static constexpr bool kWantsReferences = true;
  static constexpr bool kWantsPlaces = true;
  static constexpr bool kWantsContents = true;

  ReferencePass(const HeapIndex& index, const Layouts& layouts, const ShallowSizes& sizes,
                const std::vector<GraphType>& types);

  /// How messages call the dump.
  void set_dump(std::string name) { dump_ = std::move(name); }
  /// Where coded objects go; set before reading.
  void set_sink(ObjectSink& sink) { sink_ = &sink; }
  /// Has the contents of primitive arrays hashed; only the bits in `mask` are kept.
  void hash_contents(std::uint64_t mask) { hash_mask_ = mask; }
  bool hashes_contents() const { return hash_mask_ != 0; }

  void on_place(std::uint64_t position, std::uint64_t left);
  /// In another segment objects lie in the first heap until a record tells another.
  void on_record(std::uint8_t record, std::uint64_t /*body_bytes*/) {
    if (record == tag::kHeapDump || record == tag::kHeapDumpSegment) {
      heap_ = 0;
    }
  }
  void on_heap_info(std::uint32_t heap_id, std::uint64_t name_id);
  void on_class(const ClassDumpRecord& record);
  void on_instance(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                   std::uint32_t data_bytes, const std::uint8_t* data);
  void on_object_array(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                       std::uint32_t elements);
  void on_elements(std::span<const std::uint8_t> ids);
  void on_object_array_end();
  void on_primitive_array(std::uint64_t id, std::uint8_t type, std::uint32_t trace_serial,
                          std::uint32_t elements);
  bool wants_contents() const { return hashing_; }
  void on_contents(std::span<const std::uint8_t> elements);
  void on_contents_end();

  /// Hints that a record of this class comes soon; to be followed, some records later, by the hint
  /// that what it refers to is needed next.
  void expect_instance(std::uint64_t id, std::uint64_t class_id) const {
    expect(id, layouts_.instance_type(class_id));
  }
  void expect_array(std::uint64_t id) const { index_.addresses.prefetch(id); }
  void expect_fields(std::uint64_t class_id, std::span<const std::uint8_t> data) const;
  void expect_elements(std::span<const std::uint8_t> ids) const;

  CodedObject make(std::uint32_t index) override;

  /// Sorted and complete once the sink has finished; `heap_end` is where the dump's last heap
  /// record ends.
  PassResult result(std::uint64_t heap_end);

 private:
  static constexpr std::size_t kElementsAhead = 24;  ///< elements are asked for so many before

  std::uint64_t id_at(const std::uint8_t* bytes) const {
    return wide_ids_ ? load_big_endian<std::uint64_t>(bytes)
                     : load_big_endian<std::uint32_t>(bytes);
  }
  void expect(std::uint64_t id, std::uint32_t type) const {
    index_.addresses.prefetch(id);
    if (type != U64Map::kNone) {
      layouts_.prefetch(type);
      bring_near(&types_[type]);
    }
  }
  void note_heap(std::uint32_t object) {
    if (!object_heaps_.empty()) [[unlikely]] {
      object_heaps_[object] = heap_;
    }
  }
  std::vector<HeapRun> heap_runs() const;
  bool start(std::uint64_t id, std::uint32_t type, bool chained);
  void close_place();
  bool add_reference(std::uint64_t id, std::uint64_t& dangling);
  void add_locals(RowEncoder& row, std::uint32_t object);
  void mark_excluded(const RowEncoder& row, std::uint32_t object);
  void add_class_references(const ClassInfo& info);
  void emit(std::uint64_t length, std::uint64_t hash = 0);
  void harvest_string(std::uint32_t data_bytes);
  std::uint64_t count(const RowEncoder& row, std::uint32_t type, std::uint64_t length);

  const HeapIndex& index_;
  const Layouts& layouts_;
  const ShallowSizes& sizes_;
  const std::vector<GraphType>& types_;
  LocalsOfThreads locals_;
  ObjectSink* sink_ = nullptr;
  std::string dump_ = "the dump";
  bool wide_ids_;
  BitVector seen_;  ///< only where ids repeat
  RowEncoder row_;
  RowEncoder recordless_row_;
  std::uint32_t object_ = 0;
  std::uint32_t type_ = 0;
  std::uint64_t length_ = 0;
  bool skipping_ = false;
  std::uint64_t hash_mask_ = 0;  ///< 0: no hashes are wanted
  bool hashing_ = false;
  ContentHash content_;
  std::uint64_t content_bytes_ = 0;  ///< still to come
  std::uint64_t last_class_ = 0;
  std::uint32_t last_type_ = U64Map::kNone;
  std::uint32_t string_type_ = U64Map::kNone;
  PassResult result_;
  BigArray<std::uint8_t> object_heaps_;  ///< row of the index's heaps; only where it has some
  std::uint8_t heap_ = 0;
  std::uint32_t lowest_ = 0xffffffffU;  ///< objects since the last place
  std::uint32_t highest_ = 0;
};

}  // namespace hprof
