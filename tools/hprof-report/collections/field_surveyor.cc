// Who holds a collection follows from the dominators alone; only what the field is called stands in
// the holders' records, which one more reading of the dump shows.
#include "tools/hprof-report/collections/field_surveyor.h"

#include "formats/report/units.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace hprof {
namespace {

constexpr std::uint32_t kUnknownName = 0;  ///< until the holder's record is read

}  // namespace

FieldSurveyor::FieldSurveyor(const Heap& heap, const CollectionPlans& plans,
                             const CollectionLog& log, const RootKinds& roots,
                             const BitVector& structure)
    : heap_(heap),
      plans_(plans),
      log_(log),
      structure_(structure),
      finder_(heap, structure),
      names_(heap, roots),
      fields_(heap.index()) {
  intern("(unknown)");
  for (const auto& record : log.collections) {
    if (!plans.plans()[record.plan].is_view()) {
      held_.push_back({.holding = finder_.find(record.object)});
    }
  }
  const auto less = [](const Held& a, const Held& b) { return a.holding < b.holding; };
  std::sort(held_.begin(), held_.end(), less);
  held_.erase(std::unique(held_.begin(), held_.end(),
                          [](const Held& a, const Held& b) { return a.holding == b.holding; }),
              held_.end());
  held_.shrink_to_fit();
  for (auto& held : held_) {
    const auto name = names_.without_record(held.holding);
    held.name = name.empty() ? kUnknownName : intern(name);
  }
}

std::uint32_t FieldSurveyor::intern(const std::string& name) {
  const auto [entry, is_new] =
      numbers_.try_emplace(name, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) {
    texts_.push_back(name);
  }
  return entry->second;
}

bool FieldSurveyor::needs_any(std::uint32_t lowest, std::uint32_t highest) const {
  auto held = std::lower_bound(
      held_.begin(), held_.end(), lowest,
      [](const Held& a, std::uint32_t holder) { return a.holding.holder < holder; });
  while (held != held_.end() && held->holding.holder <= highest && held->name != kUnknownName) {
    ++held;
  }
  return held != held_.end() && held->holding.holder <= highest;
}

bool FieldSurveyor::wants(std::uint32_t type) {
  return heap_.type(type).kind == RecordKind::instance && !plans_.is_structure(type);
}

void FieldSurveyor::on_instance(const ObjectRecord& record) {
  auto held = std::lower_bound(
      held_.begin(), held_.end(), record.object(),
      [](const Held& a, std::uint32_t holder) { return a.holding.holder < holder; });
  for (; held != held_.end() && held->holding.holder == record.object(); ++held) {
    held->name = intern(names_.from_record(record, held->holding.first, fields_));
  }
}

FieldSurveyor::Held* FieldSurveyor::find(const CollectionHolding& holding) {
  const auto found = std::lower_bound(
      held_.begin(), held_.end(), holding,
      [](const Held& a, const CollectionHolding& wanted) { return a.holding < wanted; });
  return found == held_.end() || found->holding != holding ? nullptr : &*found;
}

/// The nearest thing held that an object lies in; nullptr if there is none.
const FieldSurveyor::Held* FieldSurveyor::around(std::uint32_t object) {
  constexpr std::uint32_t kRemembered = 32;
  std::vector<std::uint32_t> passed;
  const Held* found = nullptr;
  while (object != kVirtualRoot) {
    if (object % kRemembered == 0) {
      const auto known = around_.find(object);
      if (known != around_.end()) {
        found = known->second;
        break;
      }
      passed.push_back(object);
    }
    const std::uint32_t above = heap_.dominators()[object];
    if (above == kVirtualRoot || !structure_.test(above)) {
      object = above;
      continue;
    }
    const auto holding = finder_.find(object);
    found = find(holding);
    if (found != nullptr) {
      break;
    }
    object = holding.holder;
  }
  for (const auto at : passed) {
    around_.emplace(at, found);
  }
  return found;
}

/// Whether something held under the same name already retains it (a tree of nodes with lists).
bool FieldSurveyor::repeats(const Held& held) {
  constexpr unsigned kMostSteps = 256;
  const Held* at = around(held.holding.holder);
  for (unsigned steps = 0; at != nullptr && steps < kMostSteps; ++steps) {
    if (at->name == held.name) {
      return true;
    }
    at = around(at->holding.holder);
  }
  return at != nullptr;
}

/// A row for each name.
std::vector<CollectionField> FieldSurveyor::sum_up(const CollectionResults& results) {
  std::vector<CollectionField> rows(texts_.size());
  for (const auto& held : held_) {
    rows[held.name].field = texts_[held.name];
    rows[held.name].retained += repeats(held) ? 0 : heap_.retained()[held.holding.first];
  }
  for (const auto& record : log_.collections) {
    const auto* const held = find(finder_.find(record.object));
    if (held == nullptr || plans_.plans()[record.plan].is_view()) {
      continue;
    }
    auto& row = rows[held->name];
    row.wasted += results.wasted(record);
    if (results.stands_alone(record)) {
      ++row.collections;
      row.empty += record.size == 0 ? 1 : 0;
      row.elements += record.size == CollectionRecord::kUnknown ? 0 : record.size;
    }
  }
  for (auto& row : rows) {
    row.retained_bp = share_bp(std::min(row.retained, heap_.used_heap()), heap_.used_heap());
  }
  return rows;
}

/// What is held directly in structures that belong to the wanted names.
std::vector<FieldSurveyor::Contents> FieldSurveyor::contents(const std::vector<bool>& wanted) {
  std::vector<Contents> out(texts_.size());
  heap_.for_each_object([&](const HeapObject& object) {
    if (!object.reachable() || structure_.test(object.index) || object.top_level() ||
        !structure_.test(object.dominator)) {
      return;
    }
    const auto* const held = find(finder_.find(object.index));
    if (held != nullptr && wanted[held->name]) {
      auto& content = out[held->name][heap_.class_of(object).value()];
      ++content.objects;
      content.shallow += object.shallow;
    }
  });
  return out;
}

std::vector<HeldContent> FieldSurveyor::rows_of(const Contents& contents, std::size_t most) const {
  std::vector<HeldContent> rows;
  for (const auto& [class_index, content] : contents) {
    const auto all = heap_.domtree().classes()[class_index].reachable_instances;
    rows.push_back({.class_name = heap_.class_name(ClassIndex(class_index)),
                    .objects = content.objects,
                    .shallow = content.shallow,
                    .share_bp = share_bp(std::min(content.objects, all), all)});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const HeldContent& a, const HeldContent& b) {
    return std::tie(b.objects, b.shallow, a.class_name) <
           std::tie(a.objects, a.shallow, b.class_name);
  });
  rows.resize(std::min(rows.size(), most));
  return rows;
}

std::vector<CollectionField> FieldSurveyor::result(const CollectionResults& results,
                                                   std::size_t most, std::size_t most_contents) {
  const auto rows = sum_up(results);
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::size_t i) { return rows[i].collections == 0; });
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(rows[b].retained, rows[a].field) < std::tie(rows[a].retained, rows[b].field);
  });
  order.resize(std::min(order.size(), most));
  std::vector<bool> wanted(rows.size());
  for (const auto i : order) {
    wanted[i] = true;
  }
  const auto held = contents(wanted);
  std::vector<CollectionField> out;
  for (const auto i : order) {
    out.push_back(rows[i]);
    out.back().contents = rows_of(held[i], most_contents);
  }
  return out;
}

}  // namespace hprof
