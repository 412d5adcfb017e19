#pragma once

#include "formats/heap_index.h"
#include "formats/jvm_layout.h"

#include <optional>
#include <string>

namespace hprof {

/// What --layout says of the JVM's layout; the rest is inferred.
struct LayoutWishes {
  std::optional<std::uint32_t> header;
  std::optional<std::uint32_t> reference;
  std::optional<std::uint32_t> alignment;
  std::optional<std::uint32_t> array_base;
  std::optional<FieldPacking> packing;

  bool any() const { return header || reference || alignment || array_base || packing; }
};

/// Reads "header=8,ref=4,align=8,array=12,fields=filled". Error(usage) naming the key or value that
/// is wrong.
LayoutWishes parse_layout(const std::string& text);

/// Whether a dump's objects are those of a HotSpot JVM or one like it; Android's are not.
bool has_jvm_layout(const HeapIndex& index);

/// The layout that the distances between the dump's objects bear out best.
InferredLayout guess_layout(const HeapIndex& index, const LayoutWishes& wishes);

}  // namespace hprof
