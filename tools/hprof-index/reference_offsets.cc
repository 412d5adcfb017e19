#include "tools/hprof-index/reference_offsets.h"

#include "formats/class_chain.h"
#include "formats/record_kind.h"

namespace hprof {

void ReferenceOffsets::add_class(std::uint64_t id, std::uint64_t super_id) {
  numbers_.insert(id, static_cast<std::uint32_t>(classes_.size()));
  classes_.push_back({.super_id = super_id});
}

void ReferenceOffsets::add_field(std::uint8_t type) {
  ClassInfo& info = classes_.back();
  if (type == kTypeObject) {
    info.own.push_back(info.bytes);
    info.bytes += static_cast<std::uint32_t>(id_size_);
  } else {
    info.bytes += primitive_width(type);
  }
}

const std::vector<std::uint32_t>* ReferenceOffsets::of(std::uint64_t class_id) {
  const std::uint32_t number = numbers_.find(class_id);
  if (number == U64Map::kNone) {
    return nullptr;
  }
  auto& offsets = classes_[number].with_supers;
  if (!offsets) {
    offsets = chain(number);
  }
  return &*offsets;
}

std::vector<std::uint32_t> ReferenceOffsets::chain(std::uint32_t number) const {
  std::vector<std::uint32_t> offsets;
  std::uint32_t start = 0;
  // Damaged chains may go round, or be longer than any record.
  constexpr std::size_t kMostFields = 1U << 20U;
  for (std::size_t steps = 0;
       number != U64Map::kNone && steps < kDeepestClass && offsets.size() < kMostFields; ++steps) {
    const ClassInfo& info = classes_[number];
    for (const std::uint32_t offset : info.own) {
      offsets.push_back(start + offset);
    }
    start += info.bytes;
    number = numbers_.find(info.super_id);
  }
  return offsets;
}

}  // namespace hprof
