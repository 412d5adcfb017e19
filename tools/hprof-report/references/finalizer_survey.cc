// HotSpot puts ReferenceQueue.ENQUEUED in place of the queue of a reference that has been enqueued;
// Android links it by queueNext.
#include "tools/hprof-report/references/finalizer_survey.h"

#include <algorithm>

namespace hprof {
namespace {

ObjectIndex static_object(const HeapIndex& index, std::string_view class_name,
                          std::string_view field) {
  const auto class_index = find_class(index, class_name);
  const auto* value = class_index.is_none() ? nullptr : find_static(index, class_index, field);
  return value == nullptr || value->type != kTypeObject || value->value == 0
             ? ObjectIndex::none()
             : index.addresses.index_of(value->value);
}

}  // namespace

FinalizerSurvey::FinalizerSurvey(const HeapIndex& index, const ReferenceTypes& types)
    : index_(index),
      types_(types),
      enqueued_mark_(static_object(index, "java.lang.ref.ReferenceQueue", "ENQUEUED")) {}

void FinalizerSurvey::on_instance(const ObjectRecord& record) {
  const auto referent = record.reference("referent");
  if (referent.is_none()) {
    return;
  }
  ++result_.registered;
  const auto queue = record.reference("queue");
  const bool marked = !enqueued_mark_.is_none() && queue == enqueued_mark_;
  if (marked || !record.reference("queueNext").is_none()) {
    ++result_.enqueued;
    waiting_.push_back(referent.value());
  }
}

void FinalizerSurvey::want_queue(RecordFetcher& fetcher) {
  fetcher.want(static_object(index_, "java.lang.ref.Finalizer", "queue"),
               [this](const ObjectRecord& queue) {
                 if (const auto length = queue.number("queueLength"); length && *length >= 0) {
                   result_.queue_length = static_cast<std::uint64_t>(*length);
                 }
               });
}

std::vector<std::uint32_t> FinalizerSurvey::waiting() const {
  auto objects = waiting_;
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  return objects;
}

}  // namespace hprof
