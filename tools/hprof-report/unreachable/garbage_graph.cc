#include "tools/hprof-report/unreachable/garbage_graph.h"

#include "formats/graph_stream.h"

#include <algorithm>

namespace hprof {

/// Takes what belongs to members from the stream of all objects.
class GarbageGraph::Reading {
 public:
  explicit Reading(GarbageGraph& graph) : graph_(graph) {}

  static bool wants_objects() { return true; }
  void on_object(const ObjectRow& row) {
    if (graph_.members_.contains(row.index)) {
      graph_.set_object(next_object_++, row);
    }
  }

  bool wants_row(std::uint32_t object) {
    if (!graph_.members_.contains(object)) {
      return false;
    }
    source_ = graph_.members_.rank(object);
    start_rows_to(source_);
    return true;
  }

  void on_reference(std::uint32_t target) {
    if (graph_.members_.contains(target)) {
      const auto step = std::int64_t{graph_.members_.rank(target)} - std::int64_t{source_};
      append_varint(graph_.coded_, zigzag(step));
    }
  }

  void on_row_end() {}

  /// Rows without references are not announced.
  void start_rows_to(std::uint32_t rank) {
    while (next_row_ <= rank && next_row_ < graph_.size()) {
      const std::uint64_t start = graph_.coded_.size();
      graph_.starts_[next_row_++] = {.low = static_cast<std::uint32_t>(start),
                                     .high = static_cast<std::uint8_t>(start >> 32U)};
    }
  }

 private:
  GarbageGraph& graph_;
  std::uint32_t next_object_ = 0;
  std::uint32_t next_row_ = 0;
  std::uint32_t source_ = 0;
};

GarbageGraph::GarbageGraph(const GraphFile& file, const RankedSet& members)
    : members_(members),
      unit_(file.summary().size_unit),
      sizes_(members.size()),
      starts_(members.size()) {
  if (file.types().size() <= 0x10000) {
    narrow_types_ = BigArray<std::uint16_t>(members.size());
  } else {
    wide_types_ = BigArray<std::uint32_t>(members.size());
  }
  for (const auto& type : file.types()) {
    const auto object = type.class_object.value();
    class_ranks_.push_back(members.contains(object) ? members.rank(object) : kNoRank);
  }
  Reading reading(*this);
  stream_graph(file, reading);
  reading.start_rows_to(members.size());
}

void GarbageGraph::set_object(std::uint32_t rank, const ObjectRow& row) {
  if (wide_types_.empty()) {
    narrow_types_[rank] = static_cast<std::uint16_t>(row.type);
  } else {
    wide_types_[rank] = row.type;
  }
  const std::uint64_t units = row.shallow / unit_;
  sizes_[rank] = static_cast<std::uint32_t>(std::min<std::uint64_t>(units, kLarge));
  if (sizes_[rank] == kLarge) {
    large_.emplace(rank, row.shallow);
  }
}

}  // namespace hprof
