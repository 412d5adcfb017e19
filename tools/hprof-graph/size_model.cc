// MAT computes instance sizes from the declared fields: a class without super class takes an id and
// a reference (the header), each further class adds its own fields and rounds up to the reference
// width; objects round up to the heap's alignment. The record's own instance_size only counts for
// dumps of the Android kind. The JVM's own sizes follow from its layout (jvm_sizes.cc).
#include "tools/hprof-graph/size_model.h"

#include "common/checked.h"
#include "formats/class_chain.h"
#include "formats/record_kind.h"
#include "tools/hprof-graph/jvm_sizes.h"

namespace hprof {
namespace {

std::uint64_t field_bytes(std::uint8_t basic_type, std::uint64_t reference) {
  return basic_type == kTypeObject ? reference : primitive_width(basic_type);
}

template <typename Fields>
std::uint64_t bytes_of(const Fields& fields, std::uint64_t reference) {
  std::uint64_t bytes = 0;
  for (const auto& field : fields) {
    bytes += field_bytes(field.type, reference);
  }
  return bytes;
}

std::uint32_t element_width(RecordKind kind, std::uint64_t reference) {
  return kind == RecordKind::object_array ? static_cast<std::uint32_t>(reference)
                                          : primitive_width(static_cast<std::uint8_t>(kind));
}

class MatSizes : public ShallowSizes {
 public:
  explicit MatSizes(const HeapIndex& index)
      : ShallowSizes(index),
        pointer_(index.summary.identifier_size),
        reference_(index.summary.reference_size) {
    measure_instances();
  }

  std::uint64_t static_bytes(const ClassInfo& info) const override {
    return bytes_of(info.statics, reference_);
  }
  std::uint32_t unit() const override { return index().summary.object_alignment; }

 private:
  ShallowRule rule(const TypeInfo& type) const override {
    const std::uint64_t array_header = pointer_ + reference_ + 4;
    switch (type.kind) {
      case RecordKind::instance:
        return {.base = align_up(instance_bytes_[type.class_index.value()], unit()),
                .align = unit()};
      case RecordKind::class_object:
        return {.scale = 1, .align = unit()};
      case RecordKind::object_array:
        return {
            .base = array_header, .scale = element_width(type.kind, reference_), .align = unit()};
      default:
        return {.base = align_up(array_header, reference_),
                .scale = element_width(type.kind, reference_),
                .align = unit()};
    }
  }

  void measure_instances();

  std::uint64_t pointer_;                      ///< bytes of an id
  std::uint64_t reference_;                    ///< bytes of a reference under this model
  std::vector<std::uint64_t> instance_bytes_;  ///< by class, before the final alignment
};

void MatSizes::measure_instances() {
  const auto& classes = index().classes;
  instance_bytes_.assign(classes.size(), 0);
  for (std::uint32_t row = 0; row < classes.size(); ++row) {
    const auto chain = class_chain(index(), ClassIndex(row), [&](ClassIndex link) {
      return instance_bytes_[link.value()] != 0;
    });
    std::uint64_t bytes = 0;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
      const std::uint32_t link = at->value();
      if (instance_bytes_[link] == 0) {
        const bool topmost = at == chain.rbegin();
        instance_bytes_[link] =
            topmost ? pointer_ + reference_
                    : align_up(bytes_of(classes[link].fields, reference_) + bytes, reference_);
      }
      bytes = instance_bytes_[link];
    }
  }
}

class DumpedSizes : public ShallowSizes {
 public:
  explicit DumpedSizes(const HeapIndex& index) : ShallowSizes(index) {}

  std::uint64_t static_bytes(const ClassInfo& info) const override {
    return bytes_of(info.statics, index().summary.identifier_size);
  }
  std::uint32_t unit() const override { return 1; }

 private:
  ShallowRule rule(const TypeInfo& type) const override {
    switch (type.kind) {
      case RecordKind::instance:
        return {.base = index().classes[type.class_index.value()].instance_size};
      case RecordKind::class_object:
        return {.scale = 1};
      default:
        return {.scale = element_width(type.kind, index().summary.identifier_size)};
    }
  }
};

class HotspotSizes : public ShallowSizes {
 public:
  HotspotSizes(const HeapIndex& index, const JvmLayout& layout)
      : ShallowSizes(index), layout_(layout), sizes_(ClassFields(index), layout) {}

  std::uint64_t static_bytes(const ClassInfo& info) const override {
    return sizes_.static_bytes(static_fields(index(), info), class_object_bytes());
  }
  std::uint32_t unit() const override { return layout_.alignment; }

 private:
  std::uint64_t class_object_bytes() const {
    return sizes_.instance(index().summary.java_lang_class);
  }
  ShallowRule rule(const TypeInfo& type) const override {
    const std::uint32_t width = element_width(type.kind, layout_.reference);
    switch (type.kind) {
      case RecordKind::instance:
        return {.base = sizes_.instance(type.class_index), .align = unit()};
      case RecordKind::class_object:
        return {.base = class_object_bytes(), .scale = 1, .align = unit()};
      default:
        return {.base = sizes_.array_base(width), .scale = width, .align = unit()};
    }
  }

  JvmLayout layout_;
  JvmSizes sizes_;
};

}  // namespace

std::string to_string(SizeModel model) {
  switch (model) {
    case SizeModel::mat:
      return "mat";
    case SizeModel::dumped:
      return "dumped";
    default:
      return "hotspot";
  }
}

GraphType ShallowSizes::describe(const TypeInfo& type) const {
  const ShallowRule sizes = rule(type);
  return {.class_index = type.class_index,
          .class_object = index_.classes[type.class_index.value()].object,
          .kind = type.kind,
          .base = sizes.base,
          .scale = sizes.scale,
          .align = sizes.align};
}

std::unique_ptr<ShallowSizes> make_sizes(const HeapIndex& index, SizeModel model,
                                         const JvmLayout& layout) {
  switch (model) {
    case SizeModel::mat:
      return std::make_unique<MatSizes>(index);
    case SizeModel::dumped:
      return std::make_unique<DumpedSizes>(index);
    default:
      return std::make_unique<HotspotSizes>(index, layout);
  }
}

}  // namespace hprof
