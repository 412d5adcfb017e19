#pragma once

#include "common/u64_map.h"
#include "formats/address_set.h"
#include "formats/heap_index.h"
#include "formats/hprof_tags.h"
#include "formats/hprof_visitor.h"
#include "formats/record_kind.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

namespace hprof {

/// A CLASS_DUMP as it stands in the file, before ids are resolved.
struct RawClass {
  struct Member {
    std::uint64_t name_id;
    std::uint8_t type;
    std::uint64_t bits;  ///< 0 for instance fields
  };
  ClassDumpRecord record{};
  HeapPlace place;
  bool owns_object = true;
  std::vector<Member> statics;
  std::vector<Member> fields;
};

/// A root record, or a local whose thread was known when it was read.
struct RawRoot {
  std::uint64_t id = 0;
  std::uint8_t tag = 0;
  std::uint64_t thread_address = 0;  ///< 0: a root of its own
  std::uint32_t frame = 0xffffffffU;

  bool operator==(const RawRoot&) const = default;
};

struct RawRootHash {
  std::size_t operator()(const RawRoot& root) const noexcept;
};

/// The least distance from an object to the one that follows it in the dump and in the heap, its
/// elements taken off: an upper bound of what the object takes beside them.
struct Room {
  static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();

  std::int64_t least = kUnknown;
  std::uint64_t seen = 0;  ///< objects with just that distance

  void note(std::int64_t bytes) {
    if (bytes <= least) {
      seen = bytes == least ? seen + 1 : 1;
      least = bytes;
    }
  }
};

/// Objects of one class id and record kind.
struct RawType {
  std::uint64_t class_id = 0;
  std::uint64_t records = 0;
  std::uint32_t data_bytes = 0;  ///< of the first record, unless the next two agree against it
  std::uint64_t others = 0;      ///< records that have another number of them
  Room room;                     ///< of instances
  HeapPlace first;               ///< a record that has as many
};

/// An instance that has not as many bytes of fields as another of its class.
struct OddInstance {
  std::uint32_t type = 0;  ///< row of instances
  std::uint32_t data_bytes = 0;
  HeapPlace place;
};

struct RawTrace {
  std::uint32_t serial = 0;
  std::uint32_t thread_serial = 0;
  std::vector<std::uint64_t> frame_ids;
};

/// A heap of an Android dump.
struct RawHeap {
  std::uint32_t id = 0;
  std::uint64_t name_id = 0;
};

struct RawThread {
  std::uint64_t id = 0;
  std::uint32_t serial = 0;
  std::uint32_t trace_serial = 0;
};

/// Gathers what one reading of a dump tells, in tables that are bounded by classes, roots and heap
/// granules.
class Collector : public HprofVisitor {
 public:
  /// The pseudo object at address 0 is in the set from the start.
  explicit Collector(unsigned identifier_size) : wide_ids_(identifier_size == 8) {
    addresses.insert(0);
  }

  void on_record(std::uint8_t tag, std::uint64_t body_bytes) {
    ++record_counts[tag];
    record_bytes[tag] += body_bytes;
  }
  void on_string(std::uint64_t id, std::span<const std::uint8_t> text);
  void on_load_class(const LoadClassRecord& record);
  void on_frame(const FrameRecord& record) { frames.push_back(record); }
  void on_trace(std::uint32_t serial, std::uint32_t thread_serial) {
    traces.push_back({.serial = serial, .thread_serial = thread_serial, .frame_ids = {}});
  }
  void on_trace_frame(std::uint64_t frame_id) { traces.back().frame_ids.push_back(frame_id); }
  void on_sub_record(std::uint8_t tag) { ++sub_record_counts[tag]; }
  void on_lost_sub_record(std::uint8_t tag) { --sub_record_counts[tag]; }
  /// From now on VM-internal and interned-string roots are counted and not kept.
  void leave_out_weak_roots() { strict_roots = true; }
  void on_root(const RootRecord& record);
  void on_heap_info(std::uint32_t heap_id, std::uint64_t name_id);
  void on_class(const ClassDumpRecord& record);
  void on_class_place(const HeapPlace& place) { class_in_work_.place = place; }
  void on_static(std::uint64_t name_id, std::uint8_t type, std::uint64_t bits) {
    class_in_work_.statics.push_back({name_id, type, bits});
  }
  void on_field(std::uint64_t name_id, std::uint8_t type) {
    class_in_work_.fields.push_back({name_id, type, 0});
  }
  void on_class_end();

  void on_instance(std::uint64_t id, std::uint64_t class_id, std::uint32_t /*trace_serial*/,
                   std::uint32_t data_bytes, const std::uint8_t* /*data*/) {
    if (add_object(id)) {
      count_type(instances, class_id, data_bytes);
      RawType& type = instances.rows[instances.last_row];
      is_odd_ = type.data_bytes != data_bytes;
      wants_place_ = is_odd_ || type.records == 1;
      measure_next(type.room, 0);
      data_bytes_ = data_bytes;
    }
  }
  /// False behind an instance that is not used, too.
  bool wants_instance_place() const { return wants_place_; }
  void on_instance_place(const HeapPlace& place);
  void on_object_array(std::uint64_t id, std::uint64_t class_id, std::uint32_t /*trace_serial*/,
                       std::uint32_t elements) {
    watch_array_spacing(id, elements);
    if (add_object(id)) {
      count_type(object_arrays, class_id, 0);
      measure_next(object_array_room, std::uint64_t{8} * elements);
      narrow_bytes_ = std::uint64_t{4} * elements;
    }
  }
  void on_primitive_array(std::uint64_t id, std::uint8_t type, std::uint32_t /*trace_serial*/,
                          std::uint32_t elements) {
    if (add_object(id)) {
      ++primitive_arrays[type];
      measure_next(primitive_array_rooms[type], std::uint64_t{elements} * primitive_width(type));
    }
  }

  /// Greatest common divisor of all distances between object addresses; 0 below two objects.
  std::uint64_t address_step() const { return step_; }
  /// The id of the object that was read first.
  std::uint64_t first_id() const { return first_id_; }
  bool addresses_ascend() const { return ascend_; }
  /// Whether some object array lies inside the room the one before it would take with full-width
  /// references.
  bool saw_compressed_references() const { return compressed_; }

  const std::vector<LoadClassRecord>& loads() const { return loads_; }
  /// Row of a class id in `classes`, kNone if no CLASS_DUMP has it.
  std::uint32_t class_row(std::uint64_t class_id) const { return class_rows_.find(class_id); }
  NameIndex string_row(std::uint64_t string_id) const;
  /// Name id of a loaded class, false if no LOAD_CLASS record has it.
  bool loaded_name(std::uint64_t class_id, std::uint64_t& name_id) const;
  /// Class id of a class serial, 0 if unknown.
  std::uint64_t class_of_serial(std::uint32_t serial) const;

  struct TypeTable {
    std::vector<RawType> rows;
    U64Map by_class;
    std::uint64_t last_class = 0;
    std::uint32_t last_row = U64Map::kNone;
  };

  AddressSet addresses;
  NameTable strings;
  std::vector<RawClass> classes;
  TypeTable instances;
  TypeTable object_arrays;
  std::array<std::uint64_t, 12> primitive_arrays{};  ///< records by basic type
  std::array<Room, 12> primitive_array_rooms;        ///< by basic type
  Room object_array_room;                            ///< with references of 8 bytes
  Room narrow_array_room;                            ///< with references of 4 bytes
  std::unordered_set<RawRoot, RawRootHash> roots;
  std::vector<RawThread> threads;
  std::vector<FrameRecord> frames;
  std::vector<RawTrace> traces;
  std::array<std::uint64_t, 256> record_counts{};
  std::array<std::uint64_t, 256> record_bytes{};
  std::array<std::uint64_t, 256> sub_record_counts{};
  std::vector<OddInstance> odd_instances;  ///< in file order, at most kMostOdd
  std::vector<RawHeap> heaps;              ///< distinct, in file order, at most kMostHeaps − 1
  bool strict_roots = false;
  std::uint64_t roots_left_out = 0;
  std::uint64_t duplicate_ids = 0;
  std::uint64_t shadowed_class_dumps = 0;

 private:
  /// Whether the second and the third instance agree against the first, which is the odd one then.
  bool outvote_first(RawType& type, const HeapPlace& third);

  static constexpr std::size_t kMostOdd = 10'000;

  /// Adds an instance or array; false if its id is taken.
  bool add_object(std::uint64_t id) {
    if (id <= last_id_) {
      ascend_ = false;
    } else {
      note_distance(id - last_id_);
    }
    last_id_ = id;
    last_room_ = nullptr;
    if (addresses.insert(id)) [[unlikely]] {
      ++duplicate_ids;
      wants_place_ = false;
      return false;
    }
    measure_step(id);
    return true;
  }

  /// The distance to the next object belongs to `room`, `bytes` of elements taken off. No row of
  /// a type may be added before that.
  void measure_next(Room& room, std::uint64_t bytes) {
    last_room_ = &room;
    last_bytes_ = bytes;
  }

  void note_distance(std::uint64_t bytes) {
    if (last_room_ == nullptr) {
      return;
    }
    last_room_->note(static_cast<std::int64_t>(bytes - last_bytes_));
    if (last_room_ == &object_array_room) {
      narrow_array_room.note(static_cast<std::int64_t>(bytes - narrow_bytes_));
    }
  }

  void measure_step(std::uint64_t id) {
    if (!any_object_) [[unlikely]] {
      any_object_ = true;
      first_id_ = id;
    }
    const std::uint64_t distance = id > first_id_ ? id - first_id_ : first_id_ - id;
    if ((distance & step_mask_) != 0 || step_mask_ == 0) [[unlikely]] {
      refine_step(distance);
    }
  }

  void refine_step(std::uint64_t distance);

  void watch_array_spacing(std::uint64_t id, std::uint32_t elements) {
    if (wide_ids_ && id > array_start_ && id < array_end_) {
      compressed_ = true;
    }
    array_start_ = id;
    array_end_ = id + 16 + std::uint64_t{8} * elements;
  }

  static void count_type(TypeTable& table, std::uint64_t class_id, std::uint32_t data_bytes) {
    if (class_id != table.last_class || table.last_row == U64Map::kNone) {
      find_type(table, class_id, data_bytes);
    }
    ++table.rows[table.last_row].records;
  }

  static void find_type(TypeTable& table, std::uint64_t class_id, std::uint32_t data_bytes);

  bool wide_ids_;
  bool any_object_ = false;
  bool ascend_ = true;
  bool compressed_ = false;
  std::uint64_t last_id_ = 0;
  std::uint64_t first_id_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t step_mask_ = 0;  ///< step_ − 1 while step_ is a power of two above 1, else 0
  std::uint64_t array_start_ = 0;
  std::uint64_t array_end_ = 0;
  Room* last_room_ = nullptr;  ///< of the last object; nullptr: there is none yet
  std::uint64_t last_bytes_ = 0;
  std::uint32_t data_bytes_ = 0;  ///< of the last instance
  bool is_odd_ = false;           ///< whose place is wanted because of them
  bool wants_place_ = false;
  std::uint64_t narrow_bytes_ = 0;
  RawClass class_in_work_;
  U64Map class_rows_;
  U64Map string_rows_;
  U64Map load_rows_;
  U64Map serial_rows_;
  std::vector<LoadClassRecord> loads_;
  U64Map thread_rows_;
  U64Map heap_rows_;
};

}  // namespace hprof
