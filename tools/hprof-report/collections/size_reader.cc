// A path is followed one object at a time: each record that is fetched says which one to want next,
// so that all paths together take as many readings as the longest has steps.
#include "tools/hprof-report/collections/size_reader.h"

#include <algorithm>

namespace hprof {
namespace {

/// Counters and segments of one map are few; what is beyond this many elements is damage.
constexpr std::uint64_t kMostElementBytes = 1U << 20U;
/// The same for all that are read together.
constexpr std::uint64_t kMostElements = 2'000'000;

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
  elements_left_ = kMostElements;
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
      take_step(record, {.open = open, .path = &*term.path, .negative = term.negative});
    }
  }
  if (plan.target() != nullptr && plan.target()->leads_on()) {
    take_step(record, {.open = open, .path = plan.target(), .to_target = true});
  }
}

/// `record` has the field of the walk's step; the collection's own field is known by its place, as
/// a subclass may have one of that name.
void SizeReader::take_step(const ObjectRecord& record, const Walk& walk) {
  const auto& steps = walk.path->path->steps;
  if (walk.at + 1 == steps.size()) {
    end_walk(record, walk);
    return;
  }
  const auto object =
      walk.at == 0 ? record.reference(walk.path->first) : record.reference(steps[walk.at].name);
  Walk next = walk;
  ++next.at;
  if (steps[walk.at].each) {
    follow_elements(object, next);
  } else {
    follow(object, next);
  }
}

void SizeReader::end_walk(const ObjectRecord& record, const Walk& walk) {
  const auto& name = walk.path->path->steps.back().name;
  if (walk.to_target) {
    open_[walk.open].target = record.reference(name).value();
    return;
  }
  const auto number = walk.at == 0 ? record.number(walk.path->first) : record.number(name);
  if (number) {
    add(open_[walk.open], *number, walk.negative);
  } else {
    open_[walk.open].failed = true;
  }
}

void SizeReader::follow(ObjectIndex object, const Walk& walk) {
  fetcher_->want(object, [this, walk](const ObjectRecord& record) { take_step(record, walk); });
}

void SizeReader::follow_elements(ObjectIndex array, const Walk& walk) {
  const auto take = [this, walk](const ObjectRecord& elements) {
    const auto here = std::min(elements.elements_here(), elements_left_);
    elements_left_ -= here;
    open_[walk.open].failed |= here < elements.elements();
    for (std::uint64_t at = 0; at < here; ++at) {
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
