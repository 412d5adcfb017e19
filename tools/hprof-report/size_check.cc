// Android's classes say how large their instances are, and nothing but the distances between
// objects bears that out.
#include "tools/hprof-report/size_check.h"

#include "common/checked.h"

#include <cstddef>

namespace hprof {
namespace {

/// Ids need not be addresses to the byte, so only what is far off counts.
constexpr std::uint64_t kFactor = 2;
constexpr std::uint64_t kSlack = 1024;

std::uint64_t bytes_of(const ImpossibleSize& row) {
  return checked_mul(row.instances, row.shallow);
}

}  // namespace

std::optional<ImpossibleSize> impossible_size(const Heap& heap) {
  std::optional<ImpossibleSize> out;
  const auto& index = heap.index();
  if (heap.graph().summary().size_model != "dumped") {
    return out;
  }
  std::vector<std::uint64_t> instances(index.classes.size());
  for (const auto& type : index.types) {
    if (type.kind == RecordKind::instance) {
      instances[type.class_index.value()] = type.records;
    }
  }
  for (const auto& spacing : index.spacings) {
    if (spacing.kind != RecordKind::instance || spacing.least <= 0) {
      continue;
    }
    const auto row = spacing.class_index.value();
    ImpossibleSize found{.class_name = std::string(index.class_name(spacing.class_index)),
                         .instances = instances[row],
                         .shallow = index.classes[row].instance_size,
                         .room = static_cast<std::uint64_t>(spacing.least)};
    const bool is_odd = found.shallow > kFactor * found.room + kSlack;
    if (is_odd && (!out || bytes_of(found) > bytes_of(*out))) {
      out = std::move(found);
    }
  }
  return out;
}

}  // namespace hprof
