#pragma once

#include "formats/graph_file.h"
#include "formats/heap_index.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// Where shallow sizes come from (semantics: §5).
enum class SizeModel {
  mat,     ///< Eclipse MAT's formulas
  dumped,  ///< what the dump's records say, the truth on Android
};

std::string to_string(SizeModel model);

/// Shallow sizes of a dump's objects under one model.
class ShallowSizes {
 public:
  ShallowSizes(const HeapIndex& index, SizeModel model);

  /// What gives the shallow size of the objects of a type.
  GraphType describe(const TypeInfo& type) const;
  /// Bytes of a class's static fields; the "length" of its class object.
  std::uint64_t static_bytes(const ClassInfo& info) const;
  /// Every shallow size is a multiple of this.
  std::uint32_t unit() const {
    return model_ == SizeModel::mat ? index_.summary.object_alignment : 1;
  }

 private:
  std::uint64_t field_bytes(std::uint8_t basic_type) const;
  std::uint64_t own_field_bytes(const ClassInfo& info) const;
  void measure_instances();

  const HeapIndex& index_;
  SizeModel model_;
  std::uint64_t pointer_;    ///< bytes of an id
  std::uint64_t reference_;  ///< bytes of a reference under this model
  std::vector<std::uint64_t>
      instance_bytes_;  ///< by class, before the final alignment; MAT's model only
};

}  // namespace hprof
