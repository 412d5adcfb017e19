// A path is followed one object at a time: each record that is fetched says which one to want next,
// so that all paths together take as many readings as the longest has steps.
#include "tools/hprof-report/collections/size_reader.h"

#include <algorithm>

namespace hprof {
namespace {

/// Counters and segments of one map are few; what is beyond this many elements is damage.
constexpr std::uint64_t kMostElementBytes = 1U << 20U;

bool leads_on(const CollectionPlan& plan) {
  return plan.size_leads_on() || (plan.target() != nullptr && plan.target()->leads_on());
}

}  // namespace

SizeReader::SizeReader(const CollectionPlans& plans, CollectionLog& log) : plans_(plans) {
  for (auto& record : log.collections) {
    if (leads_on(plans.plans()[record.plan])) {
      pending_.push_back(&record);
    }
  }
}

void SizeReader::want(RecordFetcher& fetcher) {
  fetcher_ = &fetcher;
  open_.clear();
  for (const auto end = std::min(pending_.size(), next_ + kBatch); next_ < end; ++next_) {
    auto* const record = pending_[next_];
    const auto& plan = plans_.plans()[record->plan];
    open_.push_back({.record = record, .is_sum = plan.size_leads_on()});
    fetcher.want(ObjectIndex(record->object), [this, slot = open_.size() - 1, &plan](
                                                  const ObjectRecord& r) { start(r, slot, plan); });
  }
}

void SizeReader::start(const ObjectRecord& record, std::size_t open, const CollectionPlan& plan) {
  for (const auto& term : plan.terms) {
    if (!open_[open].is_sum) {
      break;
    }
    if (!term.path) {
      add(open_[open], static_cast<std::int64_t>(term.number), term.negative);
    } else {
      take_step(record, {.open = open, .path = term.path->path, .negative = term.negative});
    }
  }
  if (plan.target() != nullptr && plan.target()->leads_on()) {
    take_step(record, {.open = open, .path = plan.target()->path});
  }
}

/// `record` has the field of the walk's step. The last step is a number, or the array itself.
void SizeReader::take_step(const ObjectRecord& record, const Walk& walk) {
  const auto& step = walk.path->steps[walk.at];
  const Walk next{
      .open = walk.open, .path = walk.path, .at = walk.at + 1, .negative = walk.negative};
  if (next.at < walk.path->steps.size()) {
    const auto object = record.reference(step.name);
    if (step.each) {
      follow_elements(object, next);
    } else {
      follow(object, next);
    }
  } else if (const auto number = record.number(step.name)) {
    add(open_[walk.open], *number, walk.negative);
  } else {
    open_[walk.open].target = record.reference(step.name).value();
  }
}

void SizeReader::follow(ObjectIndex object, const Walk& walk) {
  fetcher_->want(object, [this, walk](const ObjectRecord& record) { take_step(record, walk); });
}

void SizeReader::follow_elements(ObjectIndex array, const Walk& walk) {
  const auto take = [this, walk](const ObjectRecord& elements) {
    open_[walk.open].failed |= elements.elements_here() < elements.elements();
    for (std::uint64_t at = 0; at < elements.elements_here(); ++at) {
      follow(elements.element(at), walk);
    }
  };
  fetcher_->want(array, take, kMostElementBytes);
}

void SizeReader::add(Open& open, std::int64_t number, bool negative) const {
  open.failed |= negative ? __builtin_sub_overflow(open.sum, number, &open.sum)
                          : __builtin_add_overflow(open.sum, number, &open.sum);
}

void SizeReader::take() {
  for (const auto& open : open_) {
    if (open.is_sum && !open.failed) {
      const auto size = std::clamp<std::int64_t>(open.sum, 0, CollectionRecord::kUnknown - 1);
      open.record->size = static_cast<std::uint32_t>(size);
    }
    if (open.target != CollectionRecord::kUnknown) {
      open.record->target = open.target;
    }
  }
  open_.clear();
}

}  // namespace hprof
