#include "tools/hprof-report/strings/boxes.h"

#include "common/bring_near.h"

#include <algorithm>
#include <array>
#include <span>
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

std::size_t NumberSet::place_of(std::uint64_t number) const {
  std::uint64_t hash = number * 0x9e3779b97f4a7c15ULL;
  hash ^= hash >> 32U;
  return hash & (slots_.size() - 1);
}

std::uint64_t& NumberSet::slot_of(std::uint64_t number) {
  std::size_t at = place_of(number);
  while (slots_[at] != 0 && slots_[at] != number) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return slots_[at];
}

/// Makes room for that many new numbers.
void NumberSet::reserve(std::size_t more) {
  if (4 * (size_ + more) <= 3 * slots_.size()) {
    return;
  }
  std::vector<std::uint64_t> old(std::max<std::size_t>(2 * waiting_.size(), 2 * slots_.size()));
  old.swap(slots_);
  for (const std::uint64_t number : old) {
    if (number != 0) {
      slot_of(number) = number;
    }
  }
}

bool NumberSet::insert(std::uint64_t number) {
  if (number == 0) {
    return std::exchange(has_zero_, true);
  }
  reserve(1);
  auto& slot = slot_of(number);
  const bool before = slot != 0;
  slot = number;
  size_ += before ? 0 : 1;
  return before;
}

void NumberSet::flush() {
  const auto numbers = std::span(waiting_).first(std::exchange(waits_, 0));
  reserve(numbers.size());
  for (const auto number : numbers) {
    bring_near(slots_.data() + place_of(number));
  }
  for (const auto number : numbers) {
    insert(number);
  }
}

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
                        .values = {}});
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
  if (value < -128 || value > box.most_cached) {
    box.values.add(static_cast<std::uint64_t>(value));
    return;
  }
  const bool is_cached = std::binary_search(cached_.begin(), cached_.end(), record.object());
  ++(is_cached ? box.row.cached : box.row.bypassing_cache);
  box.repeated += box.values.insert(static_cast<std::uint64_t>(value)) ? 1 : 0;
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
    row.values = box.values.size();
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
