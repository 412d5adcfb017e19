// A registry's size is that of one allocation, the same for all objects registered with it. Since
// Android 10 its lowest bit tells who counts the allocation and belongs to no size.
#include "tools/hprof-report/android/native_survey.h"

#include <algorithm>
#include <limits>

namespace hprof {
namespace {

/// Sizes of a hostile dump may be any, and their sum beyond 64 bits.
std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) {
  return a + std::min(b, std::numeric_limits<std::uint64_t>::max() - a);
}

}  // namespace

NativeSurvey::Role NativeSurvey::role_of(std::string_view class_name) {
  if (class_name == "sun.misc.Cleaner" || class_name == "jdk.internal.ref.Cleaner") {
    return Role::cleaner;
  }
  if (class_name == "libcore.util.NativeAllocationRegistry$CleanerThunk") {
    return Role::thunk;
  }
  return class_name == "libcore.util.NativeAllocationRegistry" ? Role::registry : Role::none;
}

NativeSurvey::NativeSurvey(const Heap& heap) : heap_(heap) {
  const auto& index = heap.index();
  for (const auto& type : index.types) {
    const bool instance = type.kind == RecordKind::instance;
    roles_.push_back(instance ? role_of(index.class_name(type.class_index)) : Role::none);
    any_ = any_ || roles_.back() == Role::registry;
  }
}

void NativeSurvey::on_instance(const ObjectRecord& record) {
  if (roles_[record.type()] == Role::cleaner) {
    const auto referent = record.reference("referent");
    const auto thunk = record.reference("thunk");
    if (!referent.is_none() && !thunk.is_none()) {
      cleaners_.push_back({.referent = referent.value(), .thunk = thunk.value()});
    }
  } else if (roles_[record.type()] == Role::thunk) {
    const auto registry = record.reference("this$0");
    if (!registry.is_none()) {
      registry_of_thunk_.emplace(record.object(), registry.value());
    }
  } else if (const auto size = record.number("size"); size && *size > 0) {
    size_of_registry_.emplace(record.object(),
                              static_cast<std::uint64_t>(*size) & ~std::uint64_t{1});
  }
}

std::vector<std::pair<std::uint32_t, std::uint64_t>> NativeSurvey::sizes() const {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> out;
  for (const auto& cleaner : cleaners_) {
    const auto registry = registry_of_thunk_.find(cleaner.thunk);
    const auto size = registry == registry_of_thunk_.end()
                          ? size_of_registry_.end()
                          : size_of_registry_.find(registry->second);
    if (size != size_of_registry_.end()) {
      out.emplace_back(cleaner.referent, size->second);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

void NativeSurvey::fill(Overview& overview) const {
  const auto native = sizes();
  if (native.empty()) {
    return;
  }
  std::vector<std::uint32_t> referents;
  for (const auto& [referent, bytes] : native) {
    if (referents.empty() || referents.back() != referent) {
      referents.push_back(referent);
    }
  }
  std::unordered_map<std::uint64_t, std::uint64_t> by_class;  // address of the class
  std::uint64_t total = 0;
  std::size_t next = 0;
  for (const auto& object : heap_.describe(referents)) {
    for (; next < native.size() && native[next].first == object.index; ++next) {
      auto& sum = by_class[heap_.class_address(heap_.class_of(object)).value];
      sum = capped_sum(sum, native[next].second);
      total = capped_sum(total, native[next].second);
    }
  }
  for (auto& row : overview.histogram) {
    const auto found = by_class.find(row.class_address.value);
    if (found != by_class.end()) {
      row.native = found->second;
    }
  }
  overview.native_bytes = total;
}

}  // namespace hprof
