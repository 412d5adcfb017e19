#include "tools/hprof-report/layout_filler.h"

namespace hprof {
namespace {

std::string word_of(Confidence confidence) {
  switch (confidence) {
    case Confidence::high:
      return "high";
    case Confidence::medium:
      return "medium";
    default:
      return "low";
  }
}

}  // namespace

std::optional<HeapLayout> fill_layout(const GraphSummary& summary) {
  if (!summary.layout) {
    return std::nullopt;
  }
  const auto& [layout, support] = *summary.layout;
  const auto confidence = confidence_of(support);
  if (confidence == Confidence::low && summary.size_model != "hotspot") {
    return std::nullopt;
  }
  HeapLayout out{.compact_headers = layout.is_compact(),
                 .header = layout.header,
                 .class_pointer = {},
                 .reference = layout.reference,
                 .alignment = layout.alignment,
                 .array_base = layout.array_base,
                 .field_packing = layout.packing == FieldPacking::filled ? "filled" : "stacked",
                 .confidence = word_of(confidence),
                 .given = support.given,
                 .classes_equal = support.equal,
                 .classes_larger = support.larger,
                 .classes_smaller = support.smaller};
  if (!layout.is_compact()) {
    out.class_pointer = layout.header - layout.word;
  }
  return out;
}

std::uint64_t OtherShallow::bytes_of_class(const HeapObject& object) const {
  const auto of = heap_.represented(object);
  return of.is_none() ? 0 : sizes_->class_bytes[of.value()];
}

std::optional<std::uint64_t> OtherShallow::used_heap(const std::string& model) const {
  if (!sizes_) {
    return std::nullopt;
  }
  if (sizes_->model == model) {
    return sum_;
  }
  return heap_.graph().summary().size_model == model ? std::optional(heap_.used_heap())
                                                     : std::nullopt;
}

}  // namespace hprof
