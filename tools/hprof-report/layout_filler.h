#pragma once

#include "formats/graph_file.h"
#include "formats/report/heap_layout.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <optional>

namespace hprof {

/// What the graph says of the JVM's layout; nothing where it is a mere guess that no size rests on.
std::optional<HeapLayout> fill_layout(const GraphSummary& summary);

/// Sums up the reachable objects by the model that the report does not use.
class OtherShallow {
 public:
  explicit OtherShallow(const Heap& heap) : heap_(heap), sizes_(heap.graph().other_sizes()) {}

  void add(const HeapObject& object) {
    if (sizes_ && object.reachable()) {
      sum_ += bytes_of(object);
    }
  }
  /// Bytes by the model named; nothing where the file has but one.
  std::optional<std::uint64_t> used_heap(const std::string& model) const;

 private:
  std::uint64_t bytes_of(const HeapObject& object) const {
    if (heap_.type(object.type).kind == RecordKind::class_object) {
      return bytes_of_class(object);
    }
    const ShallowRule& rule = sizes_->rules[object.type];
    return rule.scale == 0 ? rule.base : rule.shallow(object.length);
  }
  std::uint64_t bytes_of_class(const HeapObject& object) const;

  const Heap& heap_;
  const std::optional<OtherSizes>& sizes_;
  std::uint64_t sum_ = 0;
};

}  // namespace hprof
