#pragma once

#include "formats/heap_index.h"
#include "formats/jvm_layout.h"
#include "tools/hprof-graph/field_space.h"
#include "tools/hprof-graph/jvm_fields.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// What of a dump's classes does not depend on the layout: their fields, and an order in which
/// every class follows its super class.
struct ClassFields {
  explicit ClassFields(const HeapIndex& index);

  std::vector<JvmFields> own;       ///< by class
  std::vector<ClassIndex> order;    ///< all classes, super classes first
  std::vector<ClassIndex> parents;  ///< by class; none where super classes go in a circle
};

/// Sizes of the instances of all classes under one layout.
class JvmSizes {
 public:
  JvmSizes(const ClassFields& fields, const JvmLayout& layout);

  /// Bytes of an instance, padding included.
  std::uint64_t instance(ClassIndex row) const { return instance_bytes_[row.value()]; }
  /// Bytes before the elements of an array whose elements are `width` bytes wide.
  std::uint64_t array_base(std::uint32_t width) const;
  /// Bytes that static fields add to a class object, whose own ones end at `begin`.
  std::uint64_t static_bytes(const FieldCounts& statics, std::uint64_t begin) const;

 private:
  void put(FieldSpace& space, const FieldCounts& fields) const;
  void append(FieldSpace& space, const FieldCounts& fields) const;
  void put_references_first(FieldSpace& space, const FieldCounts& fields) const;
  FieldSpace with_own(FieldSpace space, const JvmFields& own, bool parent_contended) const;

  JvmLayout layout_;
  std::vector<std::uint64_t> instance_bytes_;
};

}  // namespace hprof
