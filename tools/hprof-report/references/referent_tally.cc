#include "tools/hprof-report/references/referent_tally.h"

#include "formats/report/units.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hprof {
namespace {

NestedObjects nested_referents(const Heap& heap, const ReachColumn& column, Strength kind) {
  return {heap, [&](std::uint32_t object) { return column.is_referent(object, kind); },
          [&](auto&& take) {
            for (std::uint32_t object = 0; object < heap.objects(); ++object) {
              if (column.is_referent(object, kind)) {
                take(object);
              }
            }
          }};
}

NestedObjects nested_objects(const Heap& heap, const std::vector<std::uint32_t>& objects) {
  if (objects.empty()) {
    return {};
  }
  BitVector members(heap.objects());
  for (const auto object : objects) {
    members.set(object);
  }
  return {heap, [&](std::uint32_t object) { return members.test(object); },
          [&](auto&& take) { std::for_each(objects.begin(), objects.end(), take); }};
}

}  // namespace

void ClassSums::add(const HeapObject& object, bool counts_retained) {
  auto& sum = sums_[heap_.class_of(object).value()];
  ++sum.objects;
  ++objects_;
  sum.shallow += object.shallow;
  shallow_ += object.shallow;
  if (counts_retained) {
    sum.retained += object.retained;
    retained_ += object.retained;
  }
}

std::uint64_t ClassSums::classes() const {
  return static_cast<std::uint64_t>(
      std::count_if(sums_.begin(), sums_.end(), [](const Sum& sum) { return sum.objects != 0; }));
}

std::vector<HeldClass> ClassSums::largest(std::size_t most, bool with_retained) const {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < sums_.size(); ++row) {
    if (sums_[row].objects != 0) {
      rows.push_back(row);
    }
  }
  const auto key = [&](std::uint32_t row) {
    return std::tuple(with_retained ? sums_[row].retained : 0, sums_[row].shallow);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) > key(b); });
  rows.resize(std::min(rows.size(), most));
  std::vector<HeldClass> out;
  out.reserve(rows.size());
  for (const auto row : rows) {
    out.push_back({.class_name = heap_.class_name(ClassIndex(row)),
                   .class_address = heap_.class_address(ClassIndex(row)),
                   .objects = sums_[row].objects,
                   .shallow = sums_[row].shallow,
                   .retained = with_retained ? std::optional(sums_[row].retained) : std::nullopt});
  }
  return out;
}

ReferentTally::ReferentTally(const Heap& heap, ReachColumn column,
                             std::vector<std::uint32_t> waiting)
    : heap_(heap),
      column_(std::move(column)),
      waiting_(std::move(waiting)),
      waiting_sums_{ClassSums(heap), nested_objects(heap, waiting_)} {
  for (std::size_t i = 0; i < kStrengths; ++i) {
    const auto kind = static_cast<Strength>(i);
    const bool any = kind != Strength::strong && column_.has_referents(kind);
    held_.emplace_back(heap);
    kinds_.push_back(
        {ClassSums(heap), any ? nested_referents(heap, column_, kind) : NestedObjects()});
  }
}

void ReferentTally::add_special(const HeapObject& object) {
  const auto strength = column_.strength(object.index);
  if (strength == Strength::strong) {
    ++strong_.objects;
    strong_.shallow += object.shallow;
  } else {
    held_[static_cast<std::size_t>(strength)].add(object, false);
  }
  if (column_.is_any_referent(object.index)) {
    for (std::size_t i = 1; i < kStrengths; ++i) {
      if (column_.is_referent(object.index, static_cast<Strength>(i))) {
        kinds_[i].sums.add(object, !kinds_[i].nested.contains(object.index));
      }
    }
  }
  add_waiting(object);
}

void ReferentTally::add_waiting(const HeapObject& object) {
  while (next_waiting() < object.index) {
    ++next_waiting_;
  }
  if (next_waiting() == object.index) {
    ++next_waiting_;
    waiting_sums_.sums.add(object, !waiting_sums_.nested.contains(object.index));
  }
}

std::vector<ReachRow> ReferentTally::reachability(std::size_t rows) const {
  std::vector<ReachRow> out;
  for (std::size_t i = 0; i < kStrengths; ++i) {
    const bool strong = static_cast<Strength>(i) == Strength::strong;
    const auto shallow = strong ? strong_.shallow : held_[i].shallow();
    out.push_back({.strength = static_cast<Strength>(i),
                   .objects = strong ? strong_.objects : held_[i].objects(),
                   .shallow = shallow,
                   .shallow_bp = share_bp(shallow, heap_.used_heap()),
                   .classes = held_[i].largest(rows, false)});
  }
  return out;
}

void ReferentTally::fill_kind(ReferenceKind& kind, std::size_t rows) const {
  const auto& sums = kinds_[static_cast<std::size_t>(kind.strength)].sums;
  kind.referents = sums.objects();
  kind.referents_shallow = sums.shallow();
  kind.referents_retained = sums.retained();
  kind.referent_class_count = sums.classes();
  kind.referent_classes = sums.largest(rows, true);
}

void ReferentTally::fill_waiting(Finalizers& out, std::size_t rows) const {
  const auto& sums = waiting_sums_.sums;
  out.waiting = sums.objects();
  out.waiting_shallow = sums.shallow();
  out.waiting_retained = sums.retained();
  out.waiting_classes = sums.largest(rows, true);
}

}  // namespace hprof
