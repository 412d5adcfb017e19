#pragma once

#include <cstdint>
#include <span>

namespace hprof {

struct LoadClassRecord {
  std::uint32_t serial;
  std::uint64_t class_id;
  std::uint32_t trace_serial;
  std::uint64_t name_id;
};

struct FrameRecord {
  std::uint64_t id;
  std::uint64_t method_id;
  std::uint64_t signature_id;
  std::uint64_t source_id;
  std::uint32_t class_serial;
  std::int32_t line;
};

struct RootRecord {
  std::uint8_t tag;
  std::uint64_t id;
  std::uint32_t thread_serial;  ///< 0 where the kind has none
  std::uint32_t frame;          ///< frame number, for THREAD_OBJ the stack trace serial
};

struct ClassDumpRecord {
  std::uint64_t id;
  std::uint32_t trace_serial;
  std::uint64_t super_id;
  std::uint64_t loader_id;
  std::uint64_t signers_id;
  std::uint64_t domain_id;
  std::uint32_t instance_size;
};

/// Where a heap record begins, a byte of the (inflated) dump, and where the segment that it is in
/// ends.
struct HeapPlace {
  std::uint64_t position = 0;
  std::uint64_t heap_end = 0;
};

/// Where a dump stands in its file; what a stage passes on so that the same one is read again.
struct DumpSelection {
  std::uint32_t number = 1;  ///< 1-based
};

/// What a reader of dumps can ask to be told; a visitor derives from this and hides the members it
/// wants. Calls are resolved at compile time. Ids are as in the file.
struct HprofVisitor {
  /// Deliver field data of instances and elements of object arrays, or only pass over them.
  static constexpr bool kWantsReferences = false;
  /// Ask wants_contents() after each primitive array and deliver what it wants.
  static constexpr bool kWantsContents = false;
  /// Tell the place of a heap record about once in kPlaceBytes.
  static constexpr bool kWantsPlaces = false;

  /// True: pass over what is left of this heap record. Asked before each object.
  bool enough() const { return false; }
  /// True: read no further in the file.
  bool finished() const { return false; }

  /// A heap record was announced by on_sub_record() and is lost; a class or trace that was begun is
  /// not to be used.
  void on_lost_sub_record(std::uint8_t /*tag*/) {}
  /// Before a heap record: its byte in the dump, and how many bytes its segment has from there.
  void on_place(std::uint64_t /*position*/, std::uint64_t /*left*/) {}
  void on_record(std::uint8_t /*tag*/, std::uint64_t /*body_bytes*/) {}
  void on_string(std::uint64_t /*id*/, std::span<const std::uint8_t> /*text*/) {}
  void on_load_class(const LoadClassRecord& /*record*/) {}
  void on_frame(const FrameRecord& /*record*/) {}
  void on_trace(std::uint32_t /*serial*/, std::uint32_t /*thread_serial*/) {}
  void on_trace_frame(std::uint64_t /*frame_id*/) {}
  void on_sub_record(std::uint8_t /*tag*/) {}
  void on_root(const RootRecord& /*record*/) {}
  void on_heap_info(std::uint32_t /*heap_id*/, std::uint64_t /*name_id*/) {}
  void on_class(const ClassDumpRecord& /*record*/) {}
  void on_static(std::uint64_t /*name_id*/, std::uint8_t /*type*/, std::uint64_t /*bits*/) {}
  void on_field(std::uint64_t /*name_id*/, std::uint8_t /*type*/) {}
  void on_class_end() {}
  /// After on_class().
  void on_class_place(const HeapPlace& /*place*/) {}
  /// Whether on_instance_place() is to follow on_instance().
  bool wants_instance_place() const { return false; }
  void on_instance_place(const HeapPlace& /*place*/) {}
  void on_instance(std::uint64_t /*id*/, std::uint64_t /*class_id*/, std::uint32_t /*trace_serial*/,
                   std::uint32_t /*data_bytes*/, const std::uint8_t* /*data*/) {}
  void on_object_array(std::uint64_t /*id*/, std::uint64_t /*class_id*/,
                       std::uint32_t /*trace_serial*/, std::uint32_t /*elements*/) {}
  void on_elements(std::span<const std::uint8_t> /*ids*/) {}
  void on_object_array_end() {}
  void on_primitive_array(std::uint64_t /*id*/, std::uint8_t /*type*/,
                          std::uint32_t /*trace_serial*/, std::uint32_t /*elements*/) {}
  /// Whether the elements of the primitive array that was just announced are to be delivered.
  bool wants_contents() const { return false; }
  /// Some of them, big-endian as in the file, whole elements.
  void on_contents(std::span<const std::uint8_t> /*elements*/) {}
  void on_contents_end() {}
};

}  // namespace hprof
