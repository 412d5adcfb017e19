#include "tools/hprof-report/jvm/property_reader.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace hprof {
namespace {

/// Static fields of java.lang.System: HotSpot and newer Androids, OpenJ9 and older Androids.
constexpr std::array<std::string_view, 2> kStatics{"props", "systemProperties"};
constexpr unsigned kMostLevels = 16;
constexpr std::size_t kMostVisits = 100'000;
constexpr std::uint64_t kMostTableBytes = 1U << 20U;
constexpr std::uint64_t kMostCharacters = 1U << 16U;

/// The object in the first of these fields that has one.
ObjectIndex first_reference(const ObjectRecord& record,
                            std::initializer_list<std::string_view> fields) {
  for (const auto field : fields) {
    const auto object = record.reference(field);
    if (!object.is_none()) {
      return object;
    }
  }
  return ObjectIndex::none();
}

/// Nodes of a ConcurrentHashMap that stand for others. Any other without a key has one that the
/// dump lacks: some JVMs write null for strings of their class data archive.
bool has_no_key(const ObjectRecord& node) {
  return node.has_field("first") || node.has_field("nextTable") ||
         node.is_a("java.util.concurrent.ConcurrentHashMap$ReservationNode");
}

}  // namespace

void PropertyReader::want() {
  const auto system = find_class(index_, "java.lang.System");
  if (system.is_none()) {
    return;
  }
  for (const auto name : kStatics) {
    const auto* field = find_static(index_, system, name);
    if (field != nullptr && field->type == kTypeObject && field->value != 0) {
      want_properties(index_.addresses.index_of(field->value), 0);
      return;
    }
  }
}

bool PropertyReader::visit(ObjectIndex object) {
  return !object.is_none() && visited_.size() < kMostVisits &&
         visited_.insert(object.value()).second;
}

void PropertyReader::want_properties(ObjectIndex properties, unsigned level) {
  if (level >= kMostLevels || !visit(properties)) {
    return;
  }
  fetcher_.want(properties, [this, level](const ObjectRecord& record) {
    found_ = true;
    want_properties(record.reference("defaults", "java.util.Properties"), level + 1);
    const auto map = record.reference("map", "java.util.Properties");
    if (map.is_none()) {
      take_map(record, level);
    } else {
      want_map(map, level);
    }
  });
}

void PropertyReader::want_map(ObjectIndex map, unsigned level) {
  if (visit(map)) {
    fetcher_.want(map, [this, level](const ObjectRecord& record) { take_map(record, level); });
  }
}

void PropertyReader::take_map(const ObjectRecord& map, unsigned level) {
  want_table(first_reference(map, {"table", "elementData"}), level);
}

void PropertyReader::want_table(ObjectIndex table, unsigned level) {
  if (visit(table)) {
    fetcher_.want(
        table,
        [this, level](const ObjectRecord& record) {
          for (std::uint64_t at = 0; at < record.elements_here(); ++at) {
            want_entry(record.element(at), level);
          }
        },
        kMostTableBytes);
  }
}

void PropertyReader::want_entry(ObjectIndex entry, unsigned level) {
  if (visit(entry)) {
    fetcher_.want(entry, [this, level](const ObjectRecord& record) { take_entry(record, level); });
  }
}

/// A node of a chain; a ConcurrentHashMap also has heads of trees, which list their nodes from
/// `first`, and forwarding nodes while it grows.
void PropertyReader::take_entry(const ObjectRecord& entry, unsigned level) {
  want_entry(entry.reference("first"), level);
  want_entry(entry.reference("next"), level);
  want_table(entry.reference("nextTable"), level);
  if (has_no_key(entry)) {
    return;
  }
  auto& row = rows_.emplace_back();
  row.level = level;
  fetcher_.want_text(
      entry.reference("key"), [&row](const JavaText& text) { row.key = text.utf8; },
      kMostCharacters);
  fetcher_.want_text(
      first_reference(entry, {"val", "value"}),
      [&row](const JavaText& text) { row.value = text.utf8; }, kMostCharacters);
}

std::uint64_t PropertyReader::unnamed() const {
  return static_cast<std::uint64_t>(
      std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return !row.key; }));
}

std::vector<RawProperty> PropertyReader::properties() const {
  std::vector<const Row*> rows;
  for (const auto& row : rows_) {
    if (row.key) {
      rows.push_back(&row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) {
    return std::tie(*a->key, a->level, b->value) < std::tie(*b->key, b->level, a->value);
  });
  std::vector<RawProperty> out;
  for (const auto* row : rows) {
    if (out.empty() || out.back().key != *row->key) {
      out.push_back({.key = *row->key, .value = row->value, .is_default = row->level != 0});
    }
  }
  return out;
}

}  // namespace hprof
