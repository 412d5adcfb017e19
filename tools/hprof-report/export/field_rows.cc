#include "tools/hprof-report/export/field_rows.h"

#include "formats/record_kind.h"
#include "formats/report/readable_text.h"

#include <array>
#include <string_view>

namespace hprof {
namespace {

constexpr std::array kSpecialNames{"<super class>", "<class loader>", "<local>"};

/// The word for a field's type; which class it refers to is not known.
std::string_view type_name(std::uint8_t type) {
  const auto name = primitive_name(type);
  return name.empty() ? "object" : name;
}

}  // namespace

FieldRows::FieldRows(const Heap& heap) : heap_(heap) {
  auto next = static_cast<std::uint32_t>(kSpecialNames.size());
  for (const auto& info : heap.index().classes) {
    first_.push_back(next);
    next += static_cast<std::uint32_t>(info.fields.size() + info.statics.size());
  }
}

void FieldRows::write(SqliteFile& file) const {
  SqliteInsert rows(file, "fields", 5);
  std::uint64_t id = 0;
  for (const auto* name : kSpecialNames) {
    rows.bind(id++).bind_null().bind(name).bind("object").bind(0).insert();
  }
  const auto& index = heap_.index();
  for (std::uint32_t row = 0; row < index.classes.size(); ++row) {
    const auto add = [&](const auto& field, bool is_static) {
      const auto name = readable_text(index.names[field.name]);
      rows.bind(id++).bind(row).bind(name).bind(type_name(field.type)).bind(is_static ? 1 : 0);
      rows.insert();
    };
    for (const auto& field : index.classes[row].fields) {
      add(field, false);
    }
    for (const auto& field : index.classes[row].statics) {
      add(field, true);
    }
  }
}

}  // namespace hprof
