#pragma once

#include "formats/address_set.h"
#include "formats/dump_damage.h"
#include "formats/indices.h"
#include "formats/record_kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// Texts of a dump, as bytes (modified UTF-8, possibly broken); equal texts may have several rows.
class NameTable {
 public:
  NameIndex add(std::string_view text) {
    bytes_.append(text);
    ends_.push_back(bytes_.size());
    return NameIndex(static_cast<std::uint32_t>(ends_.size() - 1));
  }
  std::size_t size() const { return ends_.size(); }
  /// Text of a row; "" for NameIndex::none().
  std::string_view operator[](NameIndex index) const {
    if (index.is_none()) {
      return {};
    }
    const std::uint64_t start = index.value() == 0 ? 0 : ends_[index.value() - 1];
    return std::string_view(bytes_).substr(start, ends_[index.value()] - start);
  }

 private:
  std::string bytes_;
  std::vector<std::uint64_t> ends_;
};

/// A declared field: its name and HPROF basic type.
struct Field {
  NameIndex name;
  std::uint8_t type = 0;
};

/// A static field with the raw bits of its value.
struct StaticField {
  NameIndex name;
  std::uint8_t type = 0;
  std::uint64_t value = 0;
};

/// A class: a CLASS_DUMP record with its load record's name, or a faked one (semantics of §1).
struct ClassInfo {
  std::uint64_t address = 0;
  NameIndex name;  ///< Java form, e.g. "java.util.HashMap$Node[]"
  ClassIndex super_class;
  std::uint64_t loader_address = 0;  ///< as the record says
  ObjectIndex
      loader;  ///< the object at address 0 for the boot loader and for addresses that are no object
  ObjectIndex object;               ///< the class object
  std::uint32_t instance_size = 0;  ///< bytes, as the record says
  std::uint32_t stack_trace = 0;    ///< serial
  bool faked = false;
  bool owns_object = true;  ///< false: an earlier record of another kind has the id
  std::uint64_t signers = 0;
  std::uint64_t protection_domain = 0;
  std::vector<Field> fields;  ///< own instance fields in record order
  std::vector<StaticField> statics;
};

/// A class together with a record kind, and how many objects of the dump are of it.
struct TypeInfo {
  ClassIndex class_index;
  RecordKind kind = RecordKind::instance;
  std::uint64_t records = 0;
};

/// How near behind objects of a kind the next object of the dump was seen.
struct Spacing {
  RecordKind kind = RecordKind::instance;
  ClassIndex class_index;   ///< of instances; none for arrays
  std::uint32_t width = 0;  ///< bytes of an array's element
  std::int64_t least = 0;   ///< bytes to the next object, without the elements
  std::uint64_t seen = 0;   ///< objects with just that distance
};

/// One of the heaps of an Android dump (HEAP_DUMP_INFO); app, zygote, image.
struct HeapInfo {
  std::uint32_t id = 0;
  NameIndex name;
};

/// Objects beyond so many heaps count as the first one's.
inline constexpr std::size_t kMostHeaps = 255;

/// A GC root, or a local of a thread.
struct RootInfo {
  ObjectIndex object;
  std::uint8_t kind = 0;  ///< HPROF sub-record tag
  ObjectIndex thread;     ///< the thread that holds the local; none for a root of its own
  std::uint32_t frame = 0xffffffffU;  ///< frame number in the thread's stack, 0xffffffff: none

  bool is_local() const { return !thread.is_none(); }
  auto operator<=>(const RootInfo&) const = default;
};

/// A THREAD_OBJ root, in file order.
struct ThreadInfo {
  std::uint32_t serial = 0;
  ObjectIndex object;  ///< none: not in the dump
  std::uint32_t trace_serial = 0;
};

struct StackFrame {
  std::uint64_t id = 0;
  NameIndex method;
  NameIndex signature;
  NameIndex source_file;
  NameIndex class_name;
  std::int32_t line = 0;  ///< > 0 a line; 0 and −1 unknown, −2 compiled, −3 native
};

struct StackTrace {
  std::uint32_t serial = 0;
  std::uint32_t thread_serial = 0;
  std::vector<std::uint64_t> frame_ids;
};

/// Records of one tag.
struct TagCount {
  std::uint8_t tag = 0;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< bodies of top-level records; 0 for heap sub-records
};

/// See IndexSummary in schema/index.capnp.
struct IndexSummary {
  std::string format;  ///< e.g. "JAVA PROFILE 1.0.2"
  std::uint8_t identifier_size = 0;
  std::uint8_t reference_size = 0;
  std::uint32_t object_alignment = 8;
  std::uint64_t duplicate_ids = 0;
  std::uint64_t shadowed_class_dumps = 0;
  std::uint64_t dangling_roots = 0;
  std::uint64_t lost_locals = 0;
  std::uint64_t fake_classes = 0;
  std::uint32_t dumps_in_file = 1;
  std::uint32_t dump_micros = 0;  ///< when this heap was dumped, after the header's timestamp
  bool addresses_ascend = false;
  bool root_fallback = false;
  bool strict_roots = false;         ///< VM-internal and interned-string roots were left out
  std::uint64_t roots_left_out = 0;  ///< records of these
  ClassIndex java_lang_class;        ///< the class of class objects
  ClassIndex
      class_loader_class;   ///< java.lang.ClassLoader, the class of the pseudo object at address 0
  ClassIndex string_class;  ///< java.lang.String; none if the dump has none
  std::uint32_t string_value_offset =
      0xffffffffU;  ///< byte offset of the content array's id in the record
};

/// Everything that X.index holds, in memory.
struct HeapIndex {
  IndexSummary summary;
  NameTable names;
  std::vector<ClassInfo> classes;  ///< ascending by address
  std::vector<TypeInfo> types;     ///< most frequent first
  AddressSet addresses;            ///< frozen
  std::vector<RootInfo> roots;     ///< distinct, ascending
  std::vector<ThreadInfo> threads;
  std::vector<StackFrame> frames;
  std::vector<StackTrace> traces;
  std::vector<TagCount> records;      ///< top-level records by tag
  std::vector<TagCount> sub_records;  ///< heap sub-records by tag
  std::vector<Spacing> spacings;      ///< instances by class, then arrays
  std::vector<HeapInfo> heaps;        ///< first that of objects of which no record tells one
  DumpDamage damage;                  ///< what of the dump is not in here

  std::string_view class_name(ClassIndex index) const { return names[classes[index.value()].name]; }
};

}  // namespace hprof
