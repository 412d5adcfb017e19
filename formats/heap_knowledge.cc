// A record alone proves little, but nearly all that it says can be held against the rest of the
// dump: bytes that are none name no loaded class, have another length than the class' fields, or a
// stack trace that the dump does not have.
#include "formats/heap_knowledge.h"

#include "formats/class_chain.h"
#include "formats/hprof_tags.h"

#include <numeric>

namespace hprof {
namespace {

/// Below so many objects it may be chance that their distances have a common divisor.
constexpr std::uint64_t kFewObjects = 100;
constexpr std::uint64_t kCommonAlignment = 8;

}  // namespace

HeapKnowledge::HeapKnowledge(const AddressSet& objects, std::uint64_t first_id, std::uint64_t step)
    : objects_(objects) {
  if (objects_.size() >= kFewObjects) {
    step_ = std::gcd(step, kCommonAlignment);
    offset_ = first_id % step_;
  }
  // 0 stands for no trace, and HotSpot gives 1 to objects of which it knows none.
  add_trace(0);
  add_trace(1);
}

std::uint32_t HeapKnowledge::row_of(std::uint64_t class_id) {
  const auto next = static_cast<std::uint32_t>(classes_.size());
  const std::uint32_t row = rows_.insert(class_id, next);
  if (row == next) {
    classes_.emplace_back();
  }
  return row;
}

void HeapKnowledge::add_class(std::uint64_t class_id, std::uint64_t super_id,
                              std::uint64_t own_bytes) {
  Class& of = classes_[row_of(class_id)];
  if (!of.described) {
    of.super_id = super_id;
    of.own_bytes = own_bytes;
    of.described = true;
  }
}

void HeapKnowledge::add_instances(std::uint64_t class_id, std::uint32_t bytes) {
  classes_[row_of(class_id)].seen_bytes = bytes;
}

std::optional<std::uint64_t> HeapKnowledge::field_bytes(std::uint64_t class_id) const {
  std::uint64_t sum = 0;
  for (std::size_t depth = 0; class_id != 0; ++depth) {
    const std::uint32_t row = rows_.find(class_id);
    if (row == U64Map::kNone || !classes_[row].described || depth == kDeepestClass) {
      return std::nullopt;
    }
    sum += classes_[row].own_bytes;
    class_id = classes_[row].super_id;
  }
  return sum;
}

Fit HeapKnowledge::fit_of_instance(const SubRecordHead& record) const {
  const std::uint32_t row = rows_.find(record.class_id);
  if (row == U64Map::kNone) {
    return Fit::odd;
  }
  if (classes_[row].seen_bytes == record.elements) {
    return Fit::sure;
  }
  // Of a class whose fields are lost any length will do; what follows the record must bear it out.
  const auto bytes = field_bytes(record.class_id);
  return bytes.value_or(record.elements) == record.elements ? Fit::sure : Fit::odd;
}

bool HeapKnowledge::has_free_length(const SubRecordHead& record) const {
  if (record.tag == sub::kInstanceDump) {
    const std::uint32_t row = rows_.find(record.class_id);
    const bool was_seen = row != U64Map::kNone && classes_[row].seen_bytes == record.elements;
    return !was_seen && !field_bytes(record.class_id);
  }
  return record.tag == sub::kObjectArrayDump || record.tag == sub::kPrimitiveArrayDump;
}

Fit HeapKnowledge::fit_of_class(const SubRecordHead& record) const {
  const bool is_known = is_class(record.id) && (record.class_id == 0 || is_class(record.class_id));
  return is_known ? Fit::sure : Fit::odd;
}

Fit HeapKnowledge::fit_of_object(const SubRecordHead& record) const {
  switch (record.tag) {
    case sub::kInstanceDump:
      return record.class_id == 0 ? Fit::none : fit_of_instance(record);
    case sub::kObjectArrayDump:
      return record.class_id == 0 ? Fit::none : is_class(record.class_id) ? Fit::sure : Fit::odd;
    default:
      return Fit::sure;
  }
}

Fit HeapKnowledge::fit_of_root(const SubRecordHead& record) const {
  if (is_class(record.id) || (record.id != 0 && objects_.contains(record.id))) {
    return Fit::sure;
  }
  return is_id(record.id) ? Fit::likely : Fit::odd;
}

Fit HeapKnowledge::fit(const SubRecordHead& record, bool is_new) const {
  if (record.tag == sub::kHeapDumpInfo) {
    return heaps_.find(record.id) == record.trace ? Fit::likely : Fit::odd;
  }
  const bool is_class_dump = record.tag == sub::kClassDump;
  const bool is_object =
      is_class_dump || record.tag == sub::kInstanceDump || record.tag == sub::kObjectArrayDump ||
      record.tag == sub::kPrimitiveArrayDump || record.tag == sub::kPrimitiveArrayNoData;
  if (!is_object) {
    return fit_of_root(record);
  }
  const Fit content = is_class_dump ? fit_of_class(record) : fit_of_object(record);
  const bool fits = is_id(record.id) && is_trace(record.trace) &&
                    (is_class_dump || !is_new || !objects_.contains(record.id));
  return fits || content == Fit::none ? content : Fit::odd;
}

}  // namespace hprof
