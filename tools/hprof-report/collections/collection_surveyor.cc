#include "tools/hprof-report/collections/collection_surveyor.h"

#include <algorithm>
#include <bit>

namespace hprof {
namespace {

constexpr auto kUnknown = CollectionRecord::kUnknown;

/// A count that fits; unknown where it does not, as in damaged objects.
std::uint32_t as_size(std::int64_t count) {
  return count < 0 || count >= kUnknown ? kUnknown : static_cast<std::uint32_t>(count);
}

std::uint32_t sum(const ObjectRecord& record, const CollectionPlan& plan) {
  std::int64_t total = 0;
  for (const auto& term : plan.terms) {
    const auto value = term.path ? record.number(term.path->first)
                                 : std::optional(static_cast<std::int64_t>(term.number));
    if (!value || (term.negative ? __builtin_sub_overflow(total, *value, &total)
                                 : __builtin_add_overflow(total, *value, &total))) {
      return kUnknown;
    }
  }
  return as_size(total);
}

std::uint32_t fields_set(const ObjectRecord& record, const CollectionPlan& plan) {
  return static_cast<std::uint32_t>(
      std::count_if(plan.fields.begin(), plan.fields.end(), [&](const FieldPlace& field) {
        const auto object = record.reference(field);
        return !object.is_none() && object != plan.except;
      }));
}

/// Last minus first index, as two's complement; the array's length makes it a size.
std::uint32_t distance(const ObjectRecord& record, const CollectionPlan& plan) {
  if (record.reference(plan.array->first).is_none()) {
    return kUnknown;
  }
  const auto first = record.number(plan.fields[0]);
  const auto last = record.number(plan.fields[1]);
  return !first || !last ? kUnknown : static_cast<std::uint32_t>(*last - *first);
}

std::uint32_t size_in(const ObjectRecord& record, const CollectionPlan& plan) {
  switch (plan.rule->size.form) {
    case SizeForm::sum:
      return plan.size_leads_on() ? kUnknown : sum(record, plan);
    case SizeForm::ring:
      return distance(record, plan);
    case SizeForm::bits:
      return static_cast<std::uint32_t>(
          std::popcount(static_cast<std::uint64_t>(record.number(plan.fields[0]).value_or(0))));
    case SizeForm::fields_set:
      return fields_set(record, plan);
    default:
      return kUnknown;
  }
}

std::uint32_t target_in(const ObjectRecord& record, const CollectionPlan& plan) {
  if (plan.other) {
    return record.reference(*plan.other).value();
  }
  const auto* const target = plan.target();
  return target != nullptr && !target->leads_on() ? record.reference(target->first).value()
                                                  : kUnknown;
}

}  // namespace

void CollectionSurveyor::on_instance(const ObjectRecord& record) {
  if (const auto* const plan = plans_.of(record.type())) {
    note(record, *plan);
  }
  if (const auto* const node = plans_.node(record.type())) {
    const auto value = record.reference(node->value);
    log_.links.push_back({.node = record.object(),
                          .next = record.reference(node->next).value(),
                          .counts = !value.is_none() && value.value() != record.object()});
  }
}

void CollectionSurveyor::note(const ObjectRecord& record, const CollectionPlan& plan) {
  const auto slot = static_cast<std::uint16_t>(&plan - plans_.plans().data());
  log_.collections.push_back({.object = record.object(),
                              .size = size_in(record, plan),
                              .target = target_in(record, plan),
                              .plan = slot,
                              .row = slot});
  for (const auto& field : plan.more_arrays) {
    const auto array = record.reference(field);
    if (!array.is_none()) {
      log_.more_storage.push_back({.object = record.object(), .array = array.value()});
    }
  }
}

}  // namespace hprof
