#pragma once

#include "common/u64_map.h"
#include "formats/address_set.h"
#include "formats/sub_record.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hprof {

/// How well a heap record fits into a dump.
enum class Fit : std::uint8_t {
  none,    ///< no reader takes it for one
  odd,     ///< it can be read, but names what nothing else in the dump does
  likely,  ///< nothing speaks against it, and little for it
  sure,    ///< it names a class, a trace or an object of this dump, and has the right length
};

/// What the readable part of a dump tells of its heap, to tell heap records in its damaged part
/// from other bytes.
class HeapKnowledge {
 public:
  /// All ids of objects are `first_id` and multiples of `step` apart; `objects` must outlive this.
  HeapKnowledge(const AddressSet& objects, std::uint64_t first_id, std::uint64_t step);

  /// A LOAD_CLASS record.
  void add_loaded(std::uint64_t class_id) { row_of(class_id); }
  /// A CLASS_DUMP record; `own_bytes` are those of its own fields.
  void add_class(std::uint64_t class_id, std::uint64_t super_id, std::uint64_t own_bytes);
  /// Several instances of the class have so many bytes of fields.
  void add_instances(std::uint64_t class_id, std::uint32_t bytes);
  void add_trace(std::uint32_t serial) { traces_.insert(serial, 0); }
  void add_heap(std::uint32_t number, std::uint64_t name_id) { heaps_.insert(name_id, number); }

  /// `is_new`: no object that is known already can be meant.
  Fit fit(const SubRecordHead& record, bool is_new) const;
  bool is_trace(std::uint32_t serial) const { return traces_.find(serial) != U64Map::kNone; }
  /// Whether nothing but the record itself tells how long it is.
  bool has_free_length(const SubRecordHead& record) const;
  /// Whether an object can have the id.
  bool is_id(std::uint64_t id) const { return id != 0 && id % step_ == offset_; }
  /// Bytes of fields that every instance of the class has; nothing if not all of its super classes
  /// are known.
  std::optional<std::uint64_t> field_bytes(std::uint64_t class_id) const;

 private:
  static constexpr std::uint32_t kUnseen = 0xffffffffU;

  struct Class {
    std::uint64_t super_id = 0;
    std::uint64_t own_bytes = 0;
    std::uint32_t seen_bytes = kUnseen;
    bool described = false;
  };

  std::uint32_t row_of(std::uint64_t class_id);
  bool is_class(std::uint64_t class_id) const { return rows_.find(class_id) != U64Map::kNone; }
  Fit fit_of_object(const SubRecordHead& record) const;
  Fit fit_of_instance(const SubRecordHead& record) const;
  Fit fit_of_class(const SubRecordHead& record) const;
  Fit fit_of_root(const SubRecordHead& record) const;

  const AddressSet& objects_;
  std::uint64_t step_ = 1;
  std::uint64_t offset_ = 0;
  U64Map rows_;
  std::vector<Class> classes_;
  U64Map traces_;
  U64Map heaps_;
};

}  // namespace hprof
