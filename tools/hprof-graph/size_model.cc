// MAT computes instance sizes from the declared fields: a class without super class takes an id and
// a reference (the header), each further class adds its own fields and rounds up to the reference
// width; objects round up to the heap's alignment. The record's own instance_size only counts for
// dumps of the Android kind.
#include "tools/hprof-graph/size_model.h"

#include "common/checked.h"
#include "formats/class_chain.h"
#include "formats/record_kind.h"

namespace hprof {

std::string to_string(SizeModel model) {
  return model == SizeModel::mat ? "mat" : "dumped";
}

ShallowSizes::ShallowSizes(const HeapIndex& index, SizeModel model)
    : index_(index),
      model_(model),
      pointer_(index.summary.identifier_size),
      reference_(model == SizeModel::mat ? index.summary.reference_size
                                         : index.summary.identifier_size) {
  if (model == SizeModel::mat) {
    measure_instances();
  }
}

std::uint64_t ShallowSizes::field_bytes(std::uint8_t basic_type) const {
  return basic_type == kTypeObject ? reference_ : primitive_width(basic_type);
}

std::uint64_t ShallowSizes::own_field_bytes(const ClassInfo& info) const {
  std::uint64_t bytes = 0;
  for (const auto& field : info.fields) {
    bytes += field_bytes(field.type);
  }
  return bytes;
}

void ShallowSizes::measure_instances() {
  instance_bytes_.assign(index_.classes.size(), 0);
  for (std::uint32_t row = 0; row < index_.classes.size(); ++row) {
    const auto chain = class_chain(index_, ClassIndex(row));
    std::uint64_t bytes = 0;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
      const std::uint32_t link = at->value();
      if (instance_bytes_[link] == 0) {
        const bool topmost = at == chain.rbegin();
        instance_bytes_[link] =
            topmost ? pointer_ + reference_
                    : align_up(own_field_bytes(index_.classes[link]) + bytes, reference_);
      }
      bytes = instance_bytes_[link];
    }
  }
}

std::uint64_t ShallowSizes::static_bytes(const ClassInfo& info) const {
  std::uint64_t bytes = 0;
  for (const auto& field : info.statics) {
    bytes += field_bytes(field.type);
  }
  return bytes;
}

GraphType ShallowSizes::describe(const TypeInfo& type) const {
  const ClassInfo& info = index_.classes[type.class_index.value()];
  GraphType out{.class_index = type.class_index, .class_object = info.object, .kind = type.kind};
  const bool mat = model_ == SizeModel::mat;
  const std::uint64_t array_header = mat ? pointer_ + reference_ + 4 : 0;
  if (mat) {
    out.align = index_.summary.object_alignment;
  }
  switch (type.kind) {
    case RecordKind::instance:
      out.base =
          mat ? align_up(instance_bytes_[type.class_index.value()], out.align) : info.instance_size;
      break;
    case RecordKind::object_array:
      out.base = array_header;
      out.scale = static_cast<std::uint32_t>(reference_);
      break;
    case RecordKind::class_object:
      out.scale = 1;
      break;
    default:
      out.base = mat ? align_up(array_header, reference_) : 0;
      out.scale = primitive_width(static_cast<std::uint8_t>(type.kind));
      break;
  }
  return out;
}

}  // namespace hprof
