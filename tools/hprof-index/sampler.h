#pragma once

#include "formats/hprof_visitor.h"
#include "tools/hprof-index/dump_sketch.h"
#include "tools/hprof-index/reference_offsets.h"

#include <cstdint>
#include <span>

namespace hprof {

/// Counts the objects that a reader of a dump shows it, and says when it has seen enough of a heap
/// record. Points at equal distances in the file stand for that distance each, and are taken to be
/// like the first objects of the record that they fall into.
class Sampler : public HprofVisitor {
 public:
  static constexpr bool kWantsReferences = true;

  Sampler(std::uint64_t id_size, std::uint64_t file_bytes, bool compressed);

  bool enough();
  /// A compressed dump cannot be passed over quickly, so one sample of it must do.
  bool finished() const { return compressed_ && cut_; }

  void on_record(std::uint8_t record_tag, std::uint64_t bytes);
  void on_string(std::uint64_t /*id*/, std::span<const std::uint8_t> text) {
    look_.name_bytes += text.size();
  }
  void on_load_class(const LoadClassRecord& /*record*/) { ++look_.classes; }
  void on_frame(const FrameRecord& /*record*/) { ++look_.frames; }
  void on_class(const ClassDumpRecord& record);
  void on_static(std::uint64_t name_id, std::uint8_t type, std::uint64_t bits);
  void on_field(std::uint64_t name_id, std::uint8_t type);
  void on_instance(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                   std::uint32_t data_bytes, const std::uint8_t* data);
  void on_object_array(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                       std::uint32_t elements);
  void on_elements(std::span<const std::uint8_t> ids);
  void on_primitive_array(std::uint64_t id, std::uint8_t type, std::uint32_t trace_serial,
                          std::uint32_t elements);

  /// The figures for the whole dump, of `dump_bytes` when inflated.
  DumpSketch result(std::uint64_t dump_bytes);

 private:
  /// What objects were seen.
  struct Counts {
    std::uint64_t bytes = 0;  ///< in the file
    std::uint64_t objects = 0;
    std::uint64_t references = 0;
    std::uint64_t heap_bytes = 0;  ///< in the JVM, of an array no more than a page of the bitmap
  };
  struct Estimates {
    double objects = 0;
    double references = 0;
    double heap_bytes = 0;

    void add(const Counts& sample, double bytes);
  };

  std::uint64_t value_bytes(std::uint8_t type) const;
  bool is_null(const std::uint8_t* id) const;
  std::uint64_t count_references(const std::vector<std::uint32_t>& offsets,
                                 const std::uint8_t* data, std::uint64_t data_bytes) const;
  void count_object(std::uint64_t id, std::uint64_t bytes, std::uint64_t heap_bytes);
  std::uint64_t wanted_of(std::uint64_t bytes, bool has_point) const;
  void close_record();

  std::uint64_t id_size_;
  std::uint64_t spared_;  ///< what a reference takes less in the heap than in the file
  std::uint64_t file_bytes_;
  bool compressed_;
  bool cut_ = false;
  ReferenceOffsets offsets_;
  DumpSketch look_;
  std::uint64_t passed_bytes_ = 0;
  std::uint64_t points_ = 0;         ///< how many lie before the end of the current record
  std::uint64_t record_points_ = 0;  ///< how many lie in it
  std::uint64_t limit_ = 0;
  Counts record_;
  Counts all_;
  Estimates estimates_;
  std::uint64_t last_id_ = 0;
  std::uint64_t pairs_ = 0;
  std::uint64_t ascending_ = 0;
};

}  // namespace hprof
