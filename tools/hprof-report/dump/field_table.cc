#include "tools/hprof-report/dump/field_table.h"

#include "formats/class_chain.h"

#include <algorithm>

namespace hprof {

const std::vector<FieldPlace>& FieldTable::of(ClassIndex class_index) {
  const auto [entry, is_new] = compiled_.try_emplace(class_index.value());
  if (!is_new) {
    return entry->second;
  }
  std::uint32_t offset = 0;
  for (const ClassIndex link : class_chain(index_, class_index)) {
    for (const auto& field : index_.classes[link.value()].fields) {
      entry->second.push_back(
          {.offset = offset, .type = field.type, .name = field.name, .declared_by = link});
      offset +=
          field.type == kTypeObject ? index_.summary.identifier_size : primitive_width(field.type);
    }
  }
  return entry->second;
}

const FieldPlace* FieldTable::find(ClassIndex class_index, std::string_view name,
                                   std::string_view declared_by) {
  const auto& fields = of(class_index);
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const FieldPlace& field) {
    return index_.names[field.name] == name &&
           (declared_by.empty() || index_.class_name(field.declared_by) == declared_by);
  });
  return found == fields.end() ? nullptr : &*found;
}

bool FieldTable::is_a(ClassIndex class_index, std::string_view class_name) const {
  const auto chain = class_chain(index_, class_index);
  return std::any_of(chain.begin(), chain.end(),
                     [&](ClassIndex link) { return index_.class_name(link) == class_name; });
}

const StaticField* find_static(const HeapIndex& index, ClassIndex class_index,
                               std::string_view name) {
  const auto& statics = index.classes[class_index.value()].statics;
  const auto found = std::find_if(statics.begin(), statics.end(), [&](const StaticField& field) {
    return index.names[field.name] == name;
  });
  return found == statics.end() ? nullptr : &*found;
}

ClassIndex find_class(const HeapIndex& index, std::string_view name) {
  for (std::uint32_t row = 0; row < index.classes.size(); ++row) {
    if (index.class_name(ClassIndex(row)) == name) {
      return ClassIndex(row);
    }
  }
  return ClassIndex::none();
}

}  // namespace hprof
