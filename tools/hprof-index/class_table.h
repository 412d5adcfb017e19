#pragma once

#include "common/u64_map.h"
#include "formats/heap_index.h"
#include "tools/hprof-index/collector.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// What the names of classes begin with that records name and nothing describes.
inline constexpr std::string_view kUnknownClass = "unknown-class-";

/// What the names of classes and fields begin with whose text the dump does not have, and of
/// classes that nothing names.
inline constexpr std::string_view kUnresolvedName = "Unresolved Name ";
inline constexpr std::string_view kUnknownName = "unknown-name@";

/// Copies the names that are used from the dump's strings into the index, each string id once.
class NameCopier {
 public:
  NameCopier(const Collector& collected, NameTable& names) : collected_(collected), names_(names) {}

  /// Row of a field, method or file name as it stands in the dump; "Unresolved Name 0x…" if the
  /// string is missing, none for id 0.
  NameIndex copy(std::uint64_t string_id);
  /// Adds a text of our own.
  NameIndex add(const std::string& text) { return names_.add(text); }

 private:
  const Collector& collected_;
  NameTable& names_;
  U64Map copied_;
};

/// Completes the classes of a dump with faked ones and gives each its row (semantics: §1).
class ClassTable {
 public:
  /// Takes the CLASS_DUMPs, adds what is missing to index.classes and every class object to the
  /// collector's addresses.
  ClassTable(Collector& collected, NameCopier& names, HeapIndex& index);

  /// Fills in the object, loader and super class rows; the address set is frozen.
  void finish(HeapIndex& index);

  /// Row of a class id; none for ids that are no class.
  ClassIndex by_id(std::uint64_t class_id) const;
  ClassIndex java_lang_class() const { return by_id(java_lang_class_id_); }
  ClassIndex java_lang_class_loader() const { return by_id(class_loader_id_); }
  ClassIndex primitive_array(std::uint8_t basic_type) const {
    return by_id(primitive_array_ids_[basic_type]);
  }

 private:
  void take_dumped_classes(HeapIndex& index);
  void fake_unknown_classes(HeapIndex& index);
  void fake_required_classes(HeapIndex& index);
  void fake_unknown(HeapIndex& index, std::uint64_t id, bool is_array, std::uint32_t data_bytes);
  std::uint64_t require(HeapIndex& index, const std::string& name);
  void add_faked(HeapIndex& index, ClassInfo info, const std::string& name);
  std::uint64_t free_address();
  std::string class_name(std::uint64_t class_id) const;
  std::uint64_t find_by_name(const HeapIndex& index, std::string_view name) const;

  Collector& collected_;
  NameCopier& names_;
  U64Map rows_;
  std::vector<std::uint64_t> super_ids_;  ///< by position in index.classes before sorting
  std::uint64_t object_class_id_ = 0;
  std::uint64_t java_lang_class_id_ = 0;
  std::uint64_t class_loader_id_ = 0;
  std::array<std::uint64_t, 12> primitive_array_ids_{};
  std::uint64_t step_;
  std::uint64_t next_free_;
  std::uint32_t unknown_classes_ = 0;
};

}  // namespace hprof
