// A String's row in X.graph is its array alone, so that no field needs to be read to know which
// array it has. Lengths are kept as powers of two, one byte per array.
#include "tools/hprof-report/strings/string_heap.h"

#include "formats/content_hash.h"

#include <algorithm>
#include <bit>

namespace hprof {
namespace {

std::uint8_t bucket_of_length(std::uint64_t length) {
  return static_cast<std::uint8_t>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(std::bit_width(length)), 32));
}

}  // namespace

StringHeap::StringHeap(const Heap& heap, bool by_content, std::size_t rows)
    : heap_(heap), by_content_(by_content), rows_(rows), buckets_() {
  const auto& types = heap.index().types;
  const ClassIndex string_class = heap.index().summary.string_class;
  for (std::uint32_t type = 0; type < types.size(); ++type) {
    const bool is_string = types[type].kind == RecordKind::instance && !string_class.is_none() &&
                           types[type].class_index == string_class;
    string_shallow_ = is_string ? heap.type(type).base : string_shallow_;
    uses_.push_back(is_string                              ? Use::string
                    : is_primitive_array(types[type].kind) ? Use::array
                                                           : Use::none);
  }
  array_sums_.resize(types.size());
  loose_sums_.resize(types.size());
  make_room();
}

void StringHeap::make_room() {
  const std::uint64_t objects = heap_.objects();
  const auto& types = heap_.index().types;
  strings_ = BitVector(objects);
  under_string_ = BitVector(objects);
  arrays_ = RankedBits(objects);
  std::uint64_t most = 0;
  for (const auto& type : types) {
    const bool counts = is_primitive_array(type.kind);
    most = std::min(objects, most + std::min(objects, counts ? type.records : 0));
  }
  bucket_of_.reserve(most);
  if (by_content_) {
    types_ = LabelColumn(objects, types.size());
    references_content_.resize(types.size());
    groups_.reserve(most);
  }
}

void StringHeap::note_used(const ObjectRow& row) {
  if (uses_[row.type] == Use::string) {
    strings_.set(row.index);
    return;
  }
  arrays_.set(row.index);
  bucket_of_.push_back(bucket_of_length(row.length));
  if (by_content_) {
    groups_.add(row.hash);
    auto& sum = array_sums_[row.type];
    sum.arrays += 1;
    sum.shallow += row.shallow;
    sum.without_content += row.hash == kNoContent ? 1 : 0;
  }
}

void StringHeap::find_arrays() {
  arrays_.finish();
  if (by_content_) {
    groups_.group();
  }
  find_arrays_of_strings();
}

/// Looks at Strings' references, and at all of a type until it is known to reference content.
class StringHeap::Reading {
 public:
  explicit Reading(StringHeap& strings) : heap_(strings) {}

  static bool wants_objects() { return true; }
  void on_object(const ObjectRow& row) {
    if (!heap_.arrays_.test(row.index)) {
      return;
    }
    if (const std::uint32_t group = heap_.groups_.of(next_array_++);
        group != ContentGroups::kNone) {
      heap_.groups_.rows()[group].type = row.type;
      heap_.groups_.rows()[group].length = static_cast<std::uint32_t>(row.length);
    }
  }
  bool wants_row(std::uint32_t object) {
    row_ = object;
    is_string_ = heap_.strings_.test(object);
    is_done_ = false;
    return is_string_ || !heap_.references_content_[heap_.types_[object]];
  }
  void on_reference(std::uint32_t target) {
    if (is_string_) {
      if (!is_done_ && heap_.arrays_.test(target)) {
        is_done_ = true;
        heap_.take_array(target);
      }
    } else if (heap_.strings_.test(target) || heap_.arrays_.test(target)) {
      heap_.references_content_[heap_.types_[row_]] = true;
    }
  }
  void on_row_end() {}

 private:
  StringHeap& heap_;
  std::uint64_t next_array_ = 0;
  std::uint32_t row_ = 0;
  bool is_string_ = false;
  bool is_done_ = false;  ///< the String's array is known
};

void StringHeap::find_arrays_of_strings() {
  if (!by_content_) {
    for_each_string([this](std::uint32_t /*string*/, std::uint32_t array) { take_array(array); });
    return;
  }
  Reading reading(*this);
  stream_graph(heap_.graph(), reading);
}

void StringHeap::take_array(std::uint32_t array) {
  const std::uint64_t number = arrays_.rank(array);
  ++with_array_;
  ++buckets_[bucket_of_[number]].strings;
  const bool shared = under_string_.test_and_set(array);
  sharing_ += shared ? 1 : 0;
  if (!by_content_) {
    return;
  }
  std::uint32_t group = groups_.of(number);
  if (group == ContentGroups::kNone && shared) {
    group = groups_.make(number);
    groups_.rows()[group].strings = 1;
    groups_.rows()[group].first_array = array;
    groups_.rows()[group].under_strings = 1;
  }
  if (group != ContentGroups::kNone) {
    ++groups_.rows()[group].strings;
    groups_.rows()[group].under_strings += shared ? 0 : 1;
  }
}

bool StringHeap::is_text_array(std::uint32_t type) const {
  const auto kind = heap_.type(type).kind;
  return kind == RecordKind::byte_array || kind == RecordKind::char_array;
}

void StringHeap::add_used(const HeapObject& object) {
  if (uses_[object.type] == Use::string) {
    ++instances_;
  } else {
    add_array(object);
  }
}

void StringHeap::add_array(const HeapObject& object) {
  const std::uint64_t number = next_array_++;
  if (under_string_.test(object.index)) {
    auto& bucket = buckets_[bucket_of_[number]];
    ++bucket.arrays;
    bucket.shallow += object.shallow;
    note_long(object);
  } else if (is_text_array(object.type)) {
    loose_sums_[object.type].arrays += 1;
    loose_sums_[object.type].shallow += object.shallow;
  }
}

void StringHeap::note_long(const HeapObject& object) {
  const auto longer = [](const LongArray& a, const LongArray& b) {
    return a.length != b.length ? a.length > b.length : a.array < b.array;
  };
  const LongArray array{.length = object.length,
                        .array = object.index,
                        .dominator = object.dominator,
                        .shallow = object.shallow};
  if (longest_.size() == rows_ && !longer(array, longest_.front())) {
    return;
  }
  longest_.push_back(array);
  std::push_heap(longest_.begin(), longest_.end(), longer);
  if (longest_.size() > rows_) {
    std::pop_heap(longest_.begin(), longest_.end(), longer);
    longest_.pop_back();
  }
}

std::vector<LongString> StringHeap::longest() const {
  auto arrays = longest_;
  std::sort(arrays.begin(), arrays.end(),
            [](const LongArray& a, const LongArray& b) { return a.array < b.array; });
  const auto has_own_string = [this](const LongArray& array) {
    return array.dominator < heap_.objects() && is_string(array.dominator);
  };
  std::vector<std::uint32_t> strings;
  strings.reserve(arrays.size());
  for (const auto& array : arrays) {
    strings.push_back(has_own_string(array) ? array.dominator : ContentGroups::kNone);
  }
  if (!std::all_of(arrays.begin(), arrays.end(), has_own_string)) {
    for_each_string([&](std::uint32_t string, std::uint32_t target) {
      const auto found = std::lower_bound(
          arrays.begin(), arrays.end(), target,
          [](const LongArray& array, std::uint32_t wanted) { return array.array < wanted; });
      if (found != arrays.end() && found->array == target) {
        auto& first = strings[static_cast<std::size_t>(found - arrays.begin())];
        first = std::min(first, string);
      }
    });
  }
  std::vector<LongString> out;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    out.push_back({.address = heap_.address(strings[i]),
                   .array_address = heap_.address(arrays[i].array),
                   .length = arrays[i].length,
                   .array_shallow = arrays[i].shallow});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const LongString& a, const LongString& b) { return a.length > b.length; });
  return out;
}

void StringHeap::fill(Strings& out) const {
  out.instances = instances_;
  out.shallow = instances_ * string_shallow_;
  out.without_array = instances_ - with_array_;
  out.sharing_array = sharing_;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    const auto& bucket = buckets_[i];
    out.arrays += bucket.arrays;
    out.array_shallow += bucket.shallow;
    if (bucket.arrays != 0) {
      out.lengths.push_back({.at_least = i == 0 ? 0 : std::uint64_t{1} << (i - 1),
                             .at_most = (std::uint64_t{1} << i) - 1,
                             .strings = bucket.strings,
                             .arrays = bucket.arrays,
                             .array_shallow = bucket.shallow});
    }
  }
  out.longest = longest();
  for (std::uint32_t type = 0; type < loose_sums_.size(); ++type) {
    if (loose_sums_[type].arrays != 0) {
      out.loose_arrays.push_back({.class_name = heap_.class_name(heap_.type(type).class_index),
                                  .arrays = loose_sums_[type].arrays,
                                  .shallow = loose_sums_[type].shallow});
    }
  }
}

}  // namespace hprof
