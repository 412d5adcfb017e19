#pragma once

#include "formats/graph_file.h"
#include "formats/heap_index.h"
#include "tools/hprof-report/references/strength.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// Which rows of the type table are instances of java.lang.ref.Reference's subclasses, and what the
/// referent is held by.
class ReferenceTypes {
 public:
  explicit ReferenceTypes(const HeapIndex& index);

  /// Strong for types that are no references.
  Strength of(std::uint32_t type) const { return by_type_[type]; }
  bool is_reference(std::uint32_t type) const { return by_type_[type] != Strength::strong; }
  /// The same of a class.
  Strength of_class(ClassIndex index) const { return by_class_[index.value()]; }

 private:
  std::vector<Strength> by_class_;
  std::vector<Strength> by_type_;
};

}  // namespace hprof
