#include "tools/hprof-report/dump/object_teller.h"

namespace hprof {

HeapObject ObjectTeller::with_columns(HeapObject object) const {
  object.dominator = heap_.dominators()[object.index];
  object.retained = heap_.retained()[object.index];
  return object;
}

void ObjectTeller::tell(ObjectIndex object, Take take) {
  if (object.is_none()) {
    return;
  }
  const HeapObject as_class{.index = object.value(), .type = dump_.type_ids().class_object_type()};
  if (!heap_.represented(as_class).is_none()) {
    take(with_columns(as_class));
    return;
  }
  fetcher_.want(
      object,
      [this, take = std::move(take)](const ObjectRecord& record) {
        take(with_columns({.index = record.object(),
                           .type = record.type(),
                           .length = record.elements(),
                           .shallow = heap_.type(record.type()).shallow(record.elements())}));
      },
      0);
}

void ObjectTeller::tell_text(ObjectIndex object, std::function<void(std::string)> take) {
  constexpr std::uint64_t kMostBytes = 4096;
  fetcher_.want_text(object, [take](const JavaText& text) { take(text.utf8); });
  fetcher_.want(
      object,
      [take](const ObjectRecord& record) {
        if (record.kind() == RecordKind::char_array) {
          take(decode_text(record.bytes(), record.kind(), record.elements(), {}).utf8);
        }
      },
      kMostBytes);
}

}  // namespace hprof
