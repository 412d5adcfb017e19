#include "tools/hprof-report/strings/string_reader.h"

#include <algorithm>

namespace hprof {
namespace {

std::uint32_t not_negative(std::optional<std::int64_t> value) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value.value_or(0), 0, 0x7fffffff));
}

}  // namespace

StringReader::StringReader(DumpSource& dump)
    : string_class_(dump.index().summary.string_class), is_utf16_(dump.index().addresses.size()) {
  if (string_class_.is_none()) {
    return;
  }
  const auto& types = dump.index().types;
  for (std::uint32_t type = 0; type < types.size(); ++type) {
    if (types[type].kind == RecordKind::instance && types[type].class_index == string_class_) {
      string_type_ = type;
    }
  }
  coder_ = field(dump, "coder");
  value_ = field(dump, "value");
  offset_ = field(dump, "offset");
  count_ = field(dump, "count");
}

const FieldPlace* StringReader::field(DumpSource& dump, std::string_view name) const {
  return dump.fields().find(string_class_, name);
}

void StringReader::on_instance(const ObjectRecord& record) {
  if (coder_ != nullptr && record.number(*coder_).value_or(0) != 0) {
    is_utf16_.set(record.object());
  }
  if (has_slices() && value_ != nullptr) {
    const ObjectIndex array = record.reference(*value_);
    if (!array.is_none()) {
      slices_.push_back({.array = array.value(),
                         .offset = not_negative(record.number(*offset_)),
                         .count = not_negative(record.number(*count_)),
                         .string = record.object()});
    }
  }
}

}  // namespace hprof
