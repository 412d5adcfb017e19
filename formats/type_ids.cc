#include "formats/type_ids.h"

#include <algorithm>
#include <iterator>

namespace hprof {

TypeIds::TypeIds(const HeapIndex& index) {
  std::fill(std::begin(primitives_), std::end(primitives_), U64Map::kNone);
  for (std::uint32_t type = 0; type < index.types.size(); ++type) {
    const TypeInfo& info = index.types[type];
    const std::uint64_t class_id = index.classes[info.class_index.value()].address;
    switch (info.kind) {
      case RecordKind::instance:
        instances_.insert(class_id, type);
        if (info.class_index == index.summary.class_loader_class) {
          class_loader_ = type;
        }
        break;
      case RecordKind::object_array:
        arrays_.insert(class_id, type);
        break;
      case RecordKind::class_object:
        class_object_ = type;
        break;
      default:
        primitives_[static_cast<unsigned>(info.kind)] = type;
        break;
    }
  }
}

}  // namespace hprof
