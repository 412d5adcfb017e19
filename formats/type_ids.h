#pragma once

#include "common/u64_map.h"
#include "formats/heap_index.h"

#include <cstdint>

namespace hprof {

/// Rows of the type table by the ids that records carry; U64Map::kNone for ids the index does not
/// know.
class TypeIds {
 public:
  explicit TypeIds(const HeapIndex& index);

  std::uint32_t instance_type(std::uint64_t class_id) const { return instances_.find(class_id); }
  std::uint32_t array_type(std::uint64_t class_id) const { return arrays_.find(class_id); }
  std::uint32_t primitive_type(std::uint8_t basic_type) const { return primitives_[basic_type]; }
  std::uint32_t class_object_type() const { return class_object_; }
  /// Type of the pseudo object at address 0.
  std::uint32_t class_loader_type() const { return class_loader_; }

 private:
  U64Map instances_;
  U64Map arrays_;
  std::uint32_t primitives_[12] = {};
  std::uint32_t class_object_ = 0;
  std::uint32_t class_loader_ = 0;
};

}  // namespace hprof
