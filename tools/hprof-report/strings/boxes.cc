#include "tools/hprof-report/strings/boxes.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace hprof {
namespace {

struct BoxClass {
  std::string_view name;
  std::int64_t most_cached;
};

constexpr std::int64_t kNoneCached = -129;
constexpr std::array kBoxClasses{
    BoxClass{"java.lang.Boolean", 1},         BoxClass{"java.lang.Byte", 127},
    BoxClass{"java.lang.Character", 127},     BoxClass{"java.lang.Short", 127},
    BoxClass{"java.lang.Integer", 127},       BoxClass{"java.lang.Long", 127},
    BoxClass{"java.lang.Float", kNoneCached}, BoxClass{"java.lang.Double", kNoneCached},
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kCacheFields{{
    {"java.lang.Byte$ByteCache", "cache"},
    {"java.lang.Character$CharacterCache", "cache"},
    {"java.lang.Short$ShortCache", "cache"},
    {"java.lang.Integer$IntegerCache", "cache"},
    {"java.lang.Long$LongCache", "cache"},
}};

constexpr std::uint8_t kNoBox = 255;
constexpr std::int64_t kLeastCached = -128;

DistinctNumbers room_for(const Heap& heap, ClassIndex box_class, const FieldPlace& value) {
  return {heap.domtree().classes()[box_class.value()].reachable_instances,
          primitive_width(value.type) == 8};
}

void add_static(const HeapIndex& index, std::string_view class_name, std::string_view field_name,
                std::vector<std::uint32_t>& out) {
  const ClassIndex found = find_class(index, class_name);
  const auto* field = found.is_none() ? nullptr : find_static(index, found, field_name);
  if (field != nullptr && field->type == kTypeObject) {
    const ObjectIndex object =
        field->value == 0 ? ObjectIndex::none() : index.addresses.index_of(field->value);
    if (!object.is_none()) {
      out.push_back(object.value());
    }
  }
}

}  // namespace

BoxTally::BoxTally(const Heap& heap, DumpSource& dump, std::vector<std::uint32_t> cached)
    : heap_(heap),
      dump_(dump),
      cached_(std::move(cached)),
      box_of_(dump.index().types.size(), kNoBox) {
  const auto& types = dump.index().types;
  for (std::uint32_t type = 0; type < types.size(); ++type) {
    const auto name = dump.index().class_name(types[type].class_index);
    const auto* const found =
        std::find_if(kBoxClasses.begin(), kBoxClasses.end(),
                     [&](const BoxClass& box_class) { return box_class.name == name; });
    const auto* value = dump.fields().find(types[type].class_index, "value");
    if (types[type].kind == RecordKind::instance && found != kBoxClasses.end() &&
        value != nullptr && boxes_.size() < kNoBox) {
      box_of_[type] = static_cast<std::uint8_t>(boxes_.size());
      boxes_.push_back({.type = type,
                        .value = value,
                        .most_cached = found->most_cached,
                        .row = {.class_name = std::string(found->name)},
                        .low_values = {},
                        .values = room_for(heap, types[type].class_index, *value)});
    }
  }
}

bool BoxTally::wants(std::uint32_t type) {
  return box_of_[type] != kNoBox;
}

void BoxTally::on_instance(const ObjectRecord& record) {
  Box& box = boxes_[box_of_[record.type()]];
  const std::int64_t value = record.number(*box.value).value_or(0);
  ++box.row.instances;
  if (value < kLeastCached || value > box.most_cached) {
    box.values.add(static_cast<std::uint64_t>(value));
    return;
  }
  const bool is_cached = std::binary_search(cached_.begin(), cached_.end(), record.object());
  ++(is_cached ? box.row.cached : box.row.bypassing_cache);
  const auto place = static_cast<std::size_t>(value - kLeastCached);
  box.repeated += box.low_values.test(place) ? 1 : 0;
  box.low_values.set(place);
}

std::vector<BoxRow> BoxTally::rows() {
  std::vector<BoxRow> out;
  for (auto& box : boxes_) {
    if (box.row.instances == 0) {
      continue;
    }
    const std::uint64_t shallow = heap_.type(box.type).base;
    out.push_back(box.row);
    BoxRow& row = out.back();
    row.shallow = row.instances * shallow;
    row.values = box.low_values.count() + box.values.count();
    row.surplus_instances = row.instances - row.values;
    row.surplus_shallow = row.surplus_instances * shallow;
    row.bypassing_cache = row.cached != 0 ? row.bypassing_cache : box.repeated;
    row.bypassing_cache_shallow = row.bypassing_cache * shallow;
  }
  std::stable_sort(out.begin(), out.end(), [](const BoxRow& a, const BoxRow& b) {
    return a.shallow != b.shallow ? a.shallow > b.shallow : a.class_name < b.class_name;
  });
  return out;
}

BoxCaches find_box_caches(const HeapIndex& index) {
  BoxCaches out;
  for (const auto& [class_name, field] : kCacheFields) {
    add_static(index, class_name, field, out.arrays);
  }
  add_static(index, "java.lang.Boolean", "TRUE", out.boxes);
  add_static(index, "java.lang.Boolean", "FALSE", out.boxes);
  std::sort(out.arrays.begin(), out.arrays.end());
  return out;
}

}  // namespace hprof
