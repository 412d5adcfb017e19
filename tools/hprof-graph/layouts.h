#pragma once

#include "common/bring_near.h"
#include "formats/heap_index.h"
#include "formats/type_ids.h"

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
class Layouts : public TypeIds {
 public:
  explicit Layouts(const HeapIndex& index);

  const InstanceLayout& layout(std::uint32_t type) const { return layouts_[type]; }
  /// Asks for layout(type) to be brought near.
  void prefetch(std::uint32_t type) const { bring_near(&layouts_[type]); }

 private:
  InstanceLayout compile(const HeapIndex& index, ClassIndex class_index) const;

  std::vector<InstanceLayout> layouts_;  ///< by type; empty for other kinds
};

/// Whether a field declared by this class is one of the excluded pairs:
/// java.lang.ref.Reference.referent, java.lang.ref.Finalizer.unfinalized,
/// java.lang.Runtime.<Unfinalized>.
bool is_excluded_field(std::string_view class_name, std::string_view field_name);

}  // namespace hprof
