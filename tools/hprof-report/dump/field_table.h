#pragma once

#include "formats/heap_index.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Where a field lies in the instance records of a class.
struct FieldPlace {
  std::uint32_t offset = 0;  ///< bytes into the field data
  std::uint8_t type = 0;     ///< HPROF basic type
  NameIndex name;
  ClassIndex declared_by;
};

/// Fields of classes in the order of their records (a class's own before its super class's), worked
/// out when first asked for.
class FieldTable {
 public:
  explicit FieldTable(const HeapIndex& index) : index_(index) {}

  const std::vector<FieldPlace>& of(ClassIndex class_index);
  /// The first field of that name, or of that name declared by the class called `declared_by`;
  /// nullptr if there is none.
  const FieldPlace* find(ClassIndex class_index, std::string_view name,
                         std::string_view declared_by = {});
  /// Whether the class or one of its super classes has that name.
  bool is_a(ClassIndex class_index, std::string_view class_name) const;

 private:
  const HeapIndex& index_;
  std::unordered_map<std::uint32_t, std::vector<FieldPlace>> compiled_;
};

/// Value of a static field; nullptr if the class itself declares none of that name.
const StaticField* find_static(const HeapIndex& index, ClassIndex class_index,
                               std::string_view name);

/// The first class of that name by address; none if there is none.
ClassIndex find_class(const HeapIndex& index, std::string_view name);

}  // namespace hprof
