#include "tools/hprof-report/dump/object_record.h"

namespace hprof {
namespace {

std::int64_t extended(std::uint64_t bits, std::uint8_t type) {
  switch (type) {
    case kTypeByte:
      return static_cast<std::int8_t>(bits);
    case kTypeShort:
      return static_cast<std::int16_t>(bits);
    case kTypeInt:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

}  // namespace

std::optional<std::uint64_t> ObjectRecord::bits(std::uint64_t offset, unsigned width) const {
  if (offset > bytes_.size() || width > bytes_.size() - offset) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  for (const auto byte : bytes_.subspan(offset, width)) {
    value = value << 8U | byte;
  }
  return value;
}

ObjectIndex ObjectRecord::reference(const FieldPlace& field) const {
  const auto id =
      field.type == kTypeObject ? bits(field.offset, index_.summary.identifier_size) : std::nullopt;
  return id.value_or(0) == 0 ? ObjectIndex::none() : index_.addresses.index_of(*id);
}

ObjectIndex ObjectRecord::reference(std::string_view name, std::string_view declared_by) const {
  const auto* field = fields_.find(class_index(), name, declared_by);
  return field == nullptr ? ObjectIndex::none() : reference(*field);
}

std::optional<std::int64_t> ObjectRecord::number(const FieldPlace& field) const {
  const auto value = bits(field.offset, primitive_width(field.type));
  return field.type == kTypeObject || !value ? std::nullopt
                                             : std::optional(extended(*value, field.type));
}

std::optional<std::int64_t> ObjectRecord::number(std::string_view name,
                                                 std::string_view declared_by) const {
  const auto* field = fields_.find(class_index(), name, declared_by);
  return field == nullptr ? std::nullopt : number(*field);
}

ObjectIndex ObjectRecord::element(std::uint64_t position) const {
  const unsigned width = index_.summary.identifier_size;
  const auto id = bits(position * width, width);
  return id.value_or(0) == 0 ? ObjectIndex::none() : index_.addresses.index_of(*id);
}

}  // namespace hprof
