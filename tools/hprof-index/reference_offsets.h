#pragma once

#include "common/u64_map.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hprof {

/// Where references lie in an instance record, by class; for a look at records before the classes
/// are resolved.
class ReferenceOffsets {
 public:
  explicit ReferenceOffsets(std::uint64_t id_size) : id_size_(id_size) {}

  void add_class(std::uint64_t id, std::uint64_t super_id);
  /// A field of the class added last, in the order of the record.
  void add_field(std::uint8_t type);

  /// Offsets from the beginning of the field data; the super chain's fields follow the class's own.
  /// nullptr for a class that was not added.
  const std::vector<std::uint32_t>* of(std::uint64_t class_id);

 private:
  struct ClassInfo {
    std::uint64_t super_id = 0;
    std::uint32_t bytes = 0;
    std::vector<std::uint32_t> own = {};
    std::optional<std::vector<std::uint32_t>> with_supers = std::nullopt;
  };

  std::vector<std::uint32_t> chain(std::uint32_t number) const;

  std::uint64_t id_size_;
  U64Map numbers_;
  std::vector<ClassInfo> classes_;
};

}  // namespace hprof
