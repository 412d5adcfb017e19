#include "tools/hprof-index/known_heap.h"

#include "formats/record_kind.h"

namespace hprof {
namespace {

std::uint64_t own_bytes(const RawClass& raw, unsigned identifier_size) {
  std::uint64_t sum = 0;
  for (const auto& field : raw.fields) {
    sum += field.type == kTypeObject ? identifier_size : primitive_width(field.type);
  }
  return sum;
}

}  // namespace

HeapKnowledge known_heap(const Collector& collected, unsigned identifier_size) {
  HeapKnowledge known(collected.addresses, collected.first_id(), collected.address_step());
  for (const auto& load : collected.loads()) {
    known.add_loaded(load.class_id);
  }
  // What nothing else in the dump bears out, damage may have made.
  for (const auto& raw : collected.classes) {
    std::uint64_t name_id = 0;
    if (collected.loads().empty() || collected.loaded_name(raw.record.id, name_id)) {
      known.add_class(raw.record.id, raw.record.super_id, own_bytes(raw, identifier_size));
    }
  }
  for (const auto& type : collected.instances.rows) {
    if (type.records > 1) {
      known.add_instances(type.class_id, type.data_bytes);
    }
  }
  for (const auto& type : collected.object_arrays.rows) {
    if (type.records > 1) {
      known.add_loaded(type.class_id);
    }
  }
  for (const auto& trace : collected.traces) {
    known.add_trace(trace.serial);
  }
  for (const auto& heap : collected.heaps) {
    known.add_heap(heap.id, heap.name_id);
  }
  return known;
}

}  // namespace hprof
