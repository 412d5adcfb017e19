#include "tools/hprof-report/strings/object_headers.h"

#include "formats/report/units.h"

#include <cstdint>
#include <string_view>

namespace hprof {
namespace {

bool is_array_kind(std::string_view kind) {
  return kind.ends_with("arrays");
}

/// What the size model counts as the header of each object of a kind.
std::uint64_t header_bytes(const Heap& heap, std::string_view kind) {
  const auto& summary = heap.graph().summary();
  if (summary.size_model == "hotspot" && summary.layout) {
    const auto& layout = summary.layout->layout;
    return is_array_kind(kind) ? layout.array_base : layout.header;
  }
  if (summary.size_model != "mat" || kind == "class objects") {
    return 0;
  }
  const auto& index = heap.index().summary;
  const std::uint64_t header = std::uint64_t{index.identifier_size} + index.reference_size;
  return is_array_kind(kind) ? header + 4 : header;
}

}  // namespace

std::vector<HeaderRow> object_headers(const Heap& heap, const Overview& overview) {
  std::vector<HeaderRow> out;
  for (const auto& kind : overview.heap_composition) {
    const std::uint64_t header = header_bytes(heap, kind.kind);
    out.push_back({.kind = kind.kind,
                   .objects = kind.objects,
                   .header = header,
                   .bytes = kind.objects * header,
                   .share_bp = share_bp(kind.objects * header, overview.total_shallow)});
  }
  return out;
}

}  // namespace hprof
