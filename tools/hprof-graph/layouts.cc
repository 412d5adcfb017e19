#include "tools/hprof-graph/layouts.h"

#include "formats/class_chain.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hprof {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kExcludedPairs{{
    {"java.lang.ref.Reference", "referent"},
    {"java.lang.ref.Finalizer", "unfinalized"},
    {"java.lang.Runtime", "<Unfinalized>"},
}};

}  // namespace

bool is_excluded_field(std::string_view class_name, std::string_view field_name) {
  return std::find(kExcludedPairs.begin(), kExcludedPairs.end(),
                   std::pair(class_name, field_name)) != kExcludedPairs.end();
}

Layouts::Layouts(const HeapIndex& index) : TypeIds(index), layouts_(index.types.size()) {
  for (std::uint32_t type = 0; type < index.types.size(); ++type) {
    const TypeInfo& info = index.types[type];
    if (info.kind == RecordKind::instance) {
      layouts_[type] = compile(index, info.class_index);
    }
  }
}

InstanceLayout Layouts::compile(const HeapIndex& index, ClassIndex class_index) const {
  InstanceLayout layout;
  for (const ClassIndex link : class_chain(index, class_index)) {
    const ClassInfo& info = index.classes[link.value()];
    for (const auto& field : info.fields) {
      if (field.type == kTypeObject) {
        if (is_excluded_field(index.class_name(link), index.names[field.name])) {
          layout.excluded.push_back(static_cast<std::uint32_t>(layout.offsets.size()));
        }
        layout.offsets.push_back(static_cast<std::uint32_t>(layout.data_bytes));
      }
      layout.data_bytes +=
          field.type == kTypeObject ? index.summary.identifier_size : primitive_width(field.type);
    }
  }
  return layout;
}

}  // namespace hprof
