#pragma once

#include "formats/hprof_visitor.h"
#include "tools/hprof-graph/reference_pass.h"

#include <array>
#include <cstdint>
#include <span>

namespace hprof {

/// Stands between the reader and a ReferencePass: lets small records wait for each other, so that
/// what they lead to, which is anywhere in memory, can be asked for before it is needed. Their
/// order stays.
class RecordQueue : public HprofVisitor {
 public:
  static constexpr bool kWantsReferences = true;
  static constexpr bool kWantsPlaces = true;
  static constexpr bool kWantsContents = true;

  explicit RecordQueue(ReferencePass& pass, std::uint32_t identifier_size)
      : pass_(pass), identifier_size_(identifier_size) {}

  void on_place(std::uint64_t position, std::uint64_t left) {
    flush();
    pass_.on_place(position, left);
  }

  void on_record(std::uint8_t record, std::uint64_t body_bytes) {
    flush();
    pass_.on_record(record, body_bytes);
  }

  void on_heap_info(std::uint32_t heap_id, std::uint64_t name_id) {
    flush();
    pass_.on_heap_info(heap_id, name_id);
  }

  void on_class(const ClassDumpRecord& record) { pass_.on_class(record); }

  void on_instance(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                   std::uint32_t data_bytes, const std::uint8_t* data) {
    if (data_bytes > kMostBytes) {
      flush();
      pass_.on_instance(id, class_id, trace_serial, data_bytes, data);
      return;
    }
    pass_.expect_instance(id, class_id);
    add({.kind = Kind::instance, .id = id, .class_id = class_id, .size = data_bytes});
    append({data, data_bytes});
    end();
  }

  void on_object_array(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                       std::uint32_t elements) {
    passes_on_ = std::uint64_t{elements} * identifier_size_ > kMostBytes;
    if (passes_on_) {
      flush();
      pass_.on_object_array(id, class_id, trace_serial, elements);
      return;
    }
    pass_.expect_array(id);
    add({.kind = Kind::object_array, .id = id, .class_id = class_id, .size = elements});
  }

  void on_elements(std::span<const std::uint8_t> ids) {
    passes_on_ ? pass_.on_elements(ids) : append(ids);
  }

  void on_object_array_end() { passes_on_ ? pass_.on_object_array_end() : end(); }

  void on_primitive_array(std::uint64_t id, std::uint8_t type, std::uint32_t /*trace_serial*/,
                          std::uint32_t elements) {
    if (pass_.hashes_contents()) {
      flush();
      pass_.on_primitive_array(id, type, 0, elements);
      return;
    }
    pass_.expect_array(id);
    add({.kind = Kind::primitive_array, .id = id, .class_id = type, .size = elements});
    end();
  }

  bool wants_contents() const { return pass_.wants_contents(); }
  void on_contents(std::span<const std::uint8_t> elements) { pass_.on_contents(elements); }
  void on_contents_end() { pass_.on_contents_end(); }

  /// Hands on all that wait; to be called after the last record.
  void flush();

 private:
  static constexpr std::size_t kMostRecords = 16;
  static constexpr std::size_t kMostBytes = 256;  ///< of data, in a record that waits

  enum class Kind : std::uint8_t { instance, object_array, primitive_array };

  struct Record {
    Kind kind = Kind::instance;
    std::uint64_t id = 0;
    std::uint64_t class_id = 0;  ///< or the type of a primitive array
    std::uint32_t size = 0;      ///< bytes or elements
    std::uint32_t data_end = 0;  ///< in data_
  };

  void add(const Record& record) { records_[count_] = record; }
  void append(std::span<const std::uint8_t> bytes);
  void end() {
    records_[count_++].data_end = data_bytes_;
    if (count_ == kMostRecords) {
      flush();
    }
  }
  void expect(const Record& record, std::span<const std::uint8_t> data) const;
  void hand_on(const Record& record, std::span<const std::uint8_t> data);

  ReferencePass& pass_;
  std::uint32_t identifier_size_;
  bool passes_on_ = false;  ///< the array at hand does not wait
  std::array<Record, kMostRecords> records_;
  std::size_t count_ = 0;
  std::array<std::uint8_t, kMostRecords * kMostBytes> data_;
  std::uint32_t data_bytes_ = 0;
};

}  // namespace hprof
