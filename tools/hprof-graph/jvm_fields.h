#pragma once

#include "formats/heap_index.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hprof {

/// Fields of a class, counted by width.
struct FieldCounts {
  std::array<std::uint64_t, 4> primitives{};  ///< of 1, 2, 4 and 8 bytes
  std::uint64_t references = 0;

  bool empty() const { return *this == FieldCounts(); }
  void add(std::uint8_t basic_type);
  bool operator==(const FieldCounts&) const = default;
};

/// The own instance fields of a class as a JVM sees them: those of the dump, those that the JVM
/// adds to a few classes of the JDK, and those that it keeps apart (@Contended).
struct JvmFields {
  FieldCounts plain;
  std::vector<FieldCounts> apart;  ///< groups with padding around each
  bool padded = false;             ///< padding before the first field as well
  bool laid_by_hand = false;       ///< with FieldPacking::stacked references go first, gaps stay

  bool contended() const { return padded || !apart.empty(); }
};

/// The JDK that a dump comes from, as its classes tell: 7, 8, 9, 15 or 19 for it and those after
/// it; 0: before 7.
unsigned jdk_release(const HeapIndex& index);
JvmFields jvm_fields(const HeapIndex& index, const ClassInfo& info, unsigned release);
/// Own static fields, without the dump's pseudo fields such as "<resolved_references>".
FieldCounts static_fields(const HeapIndex& index, const ClassInfo& info);

}  // namespace hprof
