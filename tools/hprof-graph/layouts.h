#pragma once

#include "common/u64_map.h"
#include "formats/heap_index.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// Where the references of an instance record lie, compiled once per type.
struct InstanceLayout {
  std::vector<std::uint32_t>
      offsets;  ///< byte offsets of non-excluded and excluded references, record order
  std::vector<std::uint32_t>
      excluded;  ///< positions in `offsets` that are marked as excluded; mostly empty
  std::uint64_t data_bytes = 0;  ///< of all declared fields
};

/// Types and layouts by the ids that records carry.
class Layouts {
 public:
  explicit Layouts(const HeapIndex& index);

  std::uint32_t instance_type(std::uint64_t class_id) const {
    return instance_types_.find(class_id);
  }
  std::uint32_t array_type(std::uint64_t class_id) const { return array_types_.find(class_id); }
  std::uint32_t primitive_type(std::uint8_t basic_type) const {
    return primitive_types_[basic_type];
  }
  std::uint32_t class_object_type() const { return class_object_type_; }
  /// Type of the pseudo object at address 0.
  std::uint32_t class_loader_type() const { return class_loader_type_; }
  const InstanceLayout& layout(std::uint32_t type) const { return layouts_[type]; }

 private:
  InstanceLayout compile(const HeapIndex& index, ClassIndex class_index) const;

  U64Map instance_types_;
  U64Map array_types_;
  std::uint32_t primitive_types_[12] = {};
  std::uint32_t class_object_type_ = 0;
  std::uint32_t class_loader_type_ = 0;
  std::vector<InstanceLayout> layouts_;  ///< by type; empty for other kinds
};

/// Whether a field declared by this class is one of the excluded pairs:
/// java.lang.ref.Reference.referent, java.lang.ref.Finalizer.unfinalized,
/// java.lang.Runtime.<Unfinalized>.
bool is_excluded_field(std::string_view class_name, std::string_view field_name);

}  // namespace hprof
