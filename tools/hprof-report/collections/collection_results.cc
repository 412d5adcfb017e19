#include "tools/hprof-report/collections/collection_results.h"

#include "formats/report/units.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

namespace hprof {
namespace {

constexpr auto kUnknown = CollectionRecord::kUnknown;
constexpr std::uint64_t kWhole = 10'000;
/// Wrappers around wrappers; more than these are a cycle.
constexpr unsigned kMostWrappers = 16;
/// Most elements of each row of sizes.
constexpr std::array<std::uint64_t, 9> kMostElements{
    0, 1, 4, 10, 100, 1000, 10'000, 100'000, std::numeric_limits<std::uint32_t>::max()};

std::uint64_t record_number(std::uint64_t user) {
  return user & 0xffffffffU;
}

std::uint32_t array_of(std::uint64_t user) {
  return static_cast<std::uint32_t>(user >> 32U);
}

}  // namespace

CollectionResults::CollectionResults(const Heap& heap, const CollectionPlans& plans,
                                     CollectionLog& log)
    : heap_(heap), plans_(plans), log_(log), rows_(plans.plans().size()) {
  for (auto& row : rows_) {
    for (std::size_t i = 1; i < kFillRows; ++i) {
      row.fill[i].least_bp = (i - 1) * kWhole / 5 + 1;
      row.fill[i].most_bp = i * kWhole / 5;
    }
  }
}

bool CollectionResults::stands_alone(const CollectionRecord& record) const {
  return record.row == record.plan && !plan(record).is_view() && !plan(record).is_part();
}

void CollectionResults::adopt_inner() {
  for (const auto& record : log_.collections) {
    if (!plan(record).other || plan(record).is_view() || record.target == kUnknown) {
      continue;
    }
    std::uint32_t target = record.target;
    for (unsigned steps = 0; steps < kMostWrappers; ++steps) {
      auto* const inner = log_.find(target);
      if (inner == nullptr || inner == &record || inner->row != inner->plan) {
        break;
      }
      inner->row = record.row;
      if (!plan(*inner).other || plan(*inner).is_view()) {
        break;
      }
      target = inner->target;
    }
  }
}

/// A node belongs to one chain, so all chains together are no longer than there are nodes; beyond
/// that a damaged or changing chain would be walked again and again.
void CollectionResults::count_chains() {
  std::uint64_t steps_left = log_.links.size() + log_.collections.size();
  for (auto& record : log_.collections) {
    if (!plan(record).chain) {
      continue;
    }
    std::uint32_t size = 0;
    std::uint32_t at = record.target;
    for (; at != kUnknown && steps_left != 0; --steps_left) {
      const auto link =
          std::lower_bound(log_.links.begin(), log_.links.end(), at,
                           [](const ChainLink& a, std::uint32_t node) { return a.node < node; });
      if (link == log_.links.end() || link->node != at) {
        break;
      }
      size += link->counts ? 1 : 0;
      at = link->next == at ? kUnknown : link->next;
    }
    record.size = steps_left == 0 ? kUnknown : size;
    record.target = kUnknown;
  }
}

CollectionResults::Users CollectionResults::main_users() const {
  Users users;
  for (std::size_t i = 0; i < log_.collections.size(); ++i) {
    const auto& record = log_.collections[i];
    if (plan(record).array && record.target != kUnknown) {
      users.push_back(std::uint64_t{record.target} << 32U | i);
    }
  }
  std::sort(users.begin(), users.end());
  return users;
}

CollectionResults::Users CollectionResults::more_users() {
  Users users;
  for (const auto& storage : log_.more_storage) {
    users.push_back(std::uint64_t{storage.array} << 32U | log_.number_of(storage.object));
  }
  log_.more_storage.clear();
  std::sort(users.begin(), users.end());
  return users;
}

void CollectionResults::measure_storage() {
  waste_.assign(log_.collections.size(), 0);
  join(main_users(), true);
  join(more_users(), false);
}

void CollectionResults::join(const Users& users, bool is_main) {
  if (users.empty()) {
    return;
  }
  BitVector used(heap_.objects());
  for (const auto user : users) {
    used.set(array_of(user));
  }
  log_.arrays.for_each([&](const ArrayLog::Row& array) {
    if (used.test(array.object)) {
      const auto first = std::uint64_t{array.object} << 32U;
      const auto begin = std::lower_bound(users.begin(), users.end(), first) - users.begin();
      auto end = static_cast<std::size_t>(begin);
      while (end < users.size() && array_of(users[end]) == array.object) {
        ++end;
      }
      measure(array, users, static_cast<std::size_t>(begin), end, is_main);
    }
  });
}

/// An array with several users is needed as far as the one that needs most of it does, and counted
/// with the first.
void CollectionResults::measure(const ArrayLog::Row& array, const Users& users, std::size_t begin,
                                std::size_t end, bool is_main) {
  std::uint64_t needed = 0;
  bool empty = array.length != 0;
  for (std::size_t i = begin; i < end; ++i) {
    auto& record = log_.collections[record_number(users[i])];
    if (is_main) {
      size_by_array(record, array);
    }
    const auto& rule = *plan(record).rule;
    const bool may_shrink = rule.fit.kind == FitRule::Kind::exact && record.size != kUnknown;
    needed = std::max(
        needed, may_shrink ? rule.fit.needed(record.size, rule.slots_per_entry) : array.length);
    empty = empty && record.size == 0 && rule.fit.kind != FitRule::Kind::bounded;
  }
  if (array.length == 0) {
    return;
  }
  const auto first = record_number(users[begin]);
  auto& row = rows_[log_.collections[first].row];
  ++row.arrays;
  row.array_shallow += heap_.type(array.type).shallow(array.length);
  if (is_main) {
    note_fill(log_.collections[first], array);
  }
  note_waste(log_.collections[first], array, std::min(needed, array.length), empty);
}

void CollectionResults::size_by_array(CollectionRecord& record, const ArrayLog::Row& array) const {
  const auto& rule = *plan(record).rule;
  std::uint64_t size = record.size;
  switch (rule.size.form) {
    case SizeForm::slots:
      size = array.length / rule.slots_per_entry;
      break;
    case SizeForm::used:
      size = array.used / rule.slots_per_entry;
      break;
    case SizeForm::ring: {
      const auto distance = static_cast<std::int32_t>(record.size);
      size = distance < 0 ? array.length + static_cast<std::uint64_t>(distance)
                          : static_cast<std::uint64_t>(distance);
      break;
    }
    default:
      return;
  }
  record.size = size > array.length ? kUnknown : static_cast<std::uint32_t>(size);
  if (rule.size.form == SizeForm::ring) {
    record.target = kUnknown;  // done; else the size is still a distance
  }
}

void CollectionResults::note_fill(const CollectionRecord& record, const ArrayLog::Row& array) {
  auto& row = rows_[record.row];
  const auto& rule = *plan(record).rule;
  row.slots += array.length;
  if (record.size == kUnknown) {
    return;
  }
  const std::uint64_t filled =
      std::min(checked_mul(record.size, rule.slots_per_entry), array.length);
  const auto slot =
      filled == 0 ? 0 : 1 + static_cast<std::size_t>((checked_mul(filled, 5) - 1) / array.length);
  ++row.fill[slot].collections;
  row.fill[slot].slots += array.length;
  if (rule.buckets) {
    row.bucket_entries += record.size;
    row.used_buckets += std::min<std::uint64_t>(array.used, record.size);
  }
}

void CollectionResults::note_waste(CollectionRecord& record, const ArrayLog::Row& array,
                                   std::uint64_t needed, bool empty) {
  auto& row = rows_[record.row];
  const auto& type = heap_.type(array.type);
  const std::uint64_t whole = type.shallow(array.length);
  const std::uint64_t wasted = empty ? whole : whole - type.shallow(needed);
  if (wasted == 0) {
    return;
  }
  if (empty) {
    ++row.empty_arrays;
    row.wasted_empty += wasted;
  } else {
    ++row.over_capacity;
    row.wasted_capacity += wasted;
  }
  auto& sum = waste_[log_.number_of(record.object)];
  const std::uint64_t units = sum + wasted / heap_.graph().summary().size_unit;
  sum = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(units, std::numeric_limits<std::uint32_t>::max()));
}

std::uint64_t CollectionResults::wasted(const CollectionRecord& record) const {
  return std::uint64_t{waste_[log_.number_of(record.object)]} * heap_.graph().summary().size_unit;
}

void CollectionResults::count() {
  for (auto& record : log_.collections) {
    resolve_size(record);
    count(record);
  }
}

void CollectionResults::resolve_size(CollectionRecord& record) {
  const CollectionRecord* inner = &record;
  for (unsigned steps = 0; inner != nullptr && steps < kMostWrappers; ++steps) {
    if (!plan(*inner).other || plan(*inner).rule->size.form != SizeForm::none) {
      const bool is_distance =
          plan(*inner).rule->size.form == SizeForm::ring && inner->target != kUnknown;
      record.size = is_distance ? kUnknown : inner->size;
      return;
    }
    inner = inner->target == kUnknown ? nullptr : log_.find(inner->target);
  }
  record.size = kUnknown;
}

void CollectionResults::count(const CollectionRecord& record) {
  auto& row = rows_[record.row];
  row.shallow += heap_.type(plan(record).type).base;
  if (record.row != record.plan) {
    return;
  }
  ++row.collections;
  if (record.size == kUnknown) {
    ++row.unknown;
    return;
  }
  row.empty += record.size == 0 ? 1 : 0;
  row.elements += record.size;
  row.largest = std::max<std::uint64_t>(row.largest, record.size);
  const auto slot = std::lower_bound(kMostElements.begin(), kMostElements.end(), record.size) -
                    kMostElements.begin();
  ++row.sizes[static_cast<std::size_t>(slot)];
}

CollectionClass CollectionResults::class_of(const CollectionPlan& plan, const Row& row) const {
  const auto class_index = heap_.type(plan.type).class_index;
  const auto kind = kCollectionKindWords[static_cast<std::size_t>(plan.rule->kind)];
  CollectionClass out{.class_name = heap_.class_name(class_index),
                      .class_address = heap_.class_address(class_index),
                      .kind = plan.is_view() ? "view" : std::string(kind),
                      .collections = row.collections,
                      .empty = row.empty,
                      .unknown_size = row.unknown,
                      .elements = row.elements,
                      .largest = row.largest,
                      .shallow = row.shallow,
                      .sizes = {},
                      .arrays = row.arrays,
                      .array_shallow = row.array_shallow,
                      .slots = row.slots,
                      .fill = {},
                      .bucket_entries = {},
                      .used_buckets = {},
                      .collision_bp = {},
                      .empty_with_array = row.empty_arrays,
                      .wasted_empty = row.wasted_empty,
                      .over_capacity = row.over_capacity,
                      .wasted_capacity = row.wasted_capacity};
  for (std::size_t i = 0; i < kSizeRows; ++i) {
    if (row.sizes[i] != 0) {
      out.sizes.push_back({.least = i == 0 ? 0 : kMostElements[i - 1] + 1,
                           .most = kMostElements[i],
                           .collections = row.sizes[i]});
    }
  }
  std::copy_if(row.fill.begin(), row.fill.end(), std::back_inserter(out.fill),
               [](const CollectionFillRow& fill) { return fill.collections != 0; });
  if (row.bucket_entries != 0) {
    out.bucket_entries = row.bucket_entries;
    out.used_buckets = row.used_buckets;
    out.collision_bp = share_bp(row.bucket_entries - row.used_buckets, row.bucket_entries);
  }
  return out;
}

Collections CollectionResults::result() const {
  Collections out;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& row = rows_[i];
    const auto& plan = plans_.plans()[i];
    if (row.collections == 0 && row.arrays == 0) {
      continue;
    }
    out.classes.push_back(class_of(plan, row));
    out.shallow += plan.is_view() ? 0 : row.shallow + row.array_shallow;
    if (!plan.is_view() && !plan.is_part()) {
      out.collections += row.collections;
      out.empty += row.empty;
      out.elements += row.elements;
    }
    out.savings.empty_arrays += row.empty_arrays;
    out.savings.empty_bytes += row.wasted_empty;
    out.savings.over_capacity_arrays += row.over_capacity;
    out.savings.over_capacity_bytes += row.wasted_capacity;
  }
  out.savings.total = out.savings.empty_bytes + out.savings.over_capacity_bytes;
  out.savings.total_bp = share_bp(out.savings.total, heap_.used_heap());
  std::sort(out.classes.begin(), out.classes.end(),
            [](const CollectionClass& a, const CollectionClass& b) {
              return std::tuple(b.shallow + b.array_shallow, b.collections, a.class_address) <
                     std::tuple(a.shallow + a.array_shallow, a.collections, b.class_address);
            });
  return out;
}

}  // namespace hprof
