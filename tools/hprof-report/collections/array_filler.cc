#include "tools/hprof-report/collections/array_filler.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <tuple>

namespace hprof {
namespace {

bool bigger(const HeapObject& a, const HeapObject& b) {
  return a.shallow != b.shallow ? a.shallow > b.shallow : a.index < b.index;
}

bool is_array(RecordKind kind) {
  return kind == RecordKind::object_array || is_primitive_array(kind);
}

}  // namespace

void BiggestArrays::add(const HeapObject& array) {
  if (heap_.size() == most_) {
    if (most_ == 0 || !bigger(array, heap_.front())) {
      return;
    }
    std::pop_heap(heap_.begin(), heap_.end(), bigger);
    heap_.pop_back();
  }
  heap_.push_back(array);
  std::push_heap(heap_.begin(), heap_.end(), bigger);
}

std::vector<HeapObject> BiggestArrays::sorted() const {
  auto arrays = heap_;
  std::sort(arrays.begin(), arrays.end(), bigger);
  return arrays;
}

ArrayFiller::ArrayFiller(const Heap& heap, std::size_t rows)
    : heap_(heap),
      rows_(rows),
      zero_length_(heap.index().types.size()),
      biggest_(rows),
      biggest_constant_(rows) {
  for (const auto& type : heap.graph().types()) {
    is_array_.push_back(is_array(type.kind));
  }
  for (std::size_t i = 1; i < lengths_.size(); ++i) {
    lengths_[i].least = std::uint64_t{1} << (i - 1);
    lengths_[i].most = 2 * lengths_[i].least - 1;
  }
}

void ArrayFiller::add_array(const HeapObject& object) {
  auto& row = lengths_[static_cast<std::size_t>(std::bit_width(object.length))];
  const bool primitive = is_primitive_array(heap_.type(object.type).kind);
  ++(primitive ? row.primitive_arrays : row.object_arrays);
  (primitive ? row.primitive_shallow : row.object_shallow) += object.shallow;
  if (object.length == 0) {
    ++zero_length_[object.type];
  }
  biggest_.add(object);
}

bool ArrayFiller::wants(std::uint32_t type) {
  return is_array_[type];
}

bool ArrayFiller::wants_contents(std::uint32_t type) {
  return is_primitive_array(heap_.type(type).kind);
}

void ArrayFiller::on_array(const ObjectRecord& record) {
  open_ = {
      .object = record.object(), .type = record.type(), .length = record.elements(), .used = 0};
  is_primitive_ = is_primitive_array(record.kind());
  width_ = is_primitive_ ? primitive_width(static_cast<std::uint8_t>(record.kind()))
                         : heap_.index().summary.identifier_size;
  has_first_ = false;
  is_constant_ = is_primitive_ && open_.length >= 2;
}

void ArrayFiller::on_elements(std::span<const std::uint8_t> elements) {
  if (!is_primitive_) {
    count_used(elements);
  } else if (is_constant_ && !elements.empty()) {
    compare(elements);
  }
}

void ArrayFiller::count_used(std::span<const std::uint8_t> ids) {
  std::uint64_t used = 0;
  if (width_ == 8) {
    for (std::size_t at = 0; at + 8 <= ids.size(); at += 8) {
      std::uint64_t id = 0;
      std::memcpy(&id, ids.data() + at, 8);
      used += id != 0 ? 1 : 0;
    }
  } else {
    for (std::size_t at = 0; at + 4 <= ids.size(); at += 4) {
      std::uint32_t id = 0;
      std::memcpy(&id, ids.data() + at, 4);
      used += id != 0 ? 1 : 0;
    }
  }
  open_.used += used;
}

/// Pieces hold whole elements; one that equals the first everywhere equals itself shifted by one.
void ArrayFiller::compare(std::span<const std::uint8_t> elements) {
  if (!has_first_) {
    has_first_ = true;
    std::memcpy(first_.data(), elements.data(), std::min<std::size_t>(width_, elements.size()));
  }
  is_constant_ =
      elements.size() >= width_ && std::memcmp(first_.data(), elements.data(), width_) == 0 &&
      std::memcmp(elements.data(), elements.data() + width_, elements.size() - width_) == 0;
}

void ArrayFiller::on_array_end() {
  const std::uint64_t shallow = heap_.type(open_.type).shallow(open_.length);
  if (is_primitive_) {
    end_primitive_array(shallow);
  } else {
    end_object_array(shallow);
  }
}

void ArrayFiller::end_object_array(std::uint64_t shallow) {
  open_.used = std::min(open_.used, open_.length);
  fill_.add(open_.used, open_.length, shallow, heap_.type(open_.type).scale);
  if (log_ != nullptr) {
    log_->add(open_);
  }
}

void ArrayFiller::end_primitive_array(std::uint64_t shallow) {
  if (log_ != nullptr && is_storage_(open_.object)) {
    open_.used = open_.length;
    log_->add(open_);
  }
  if (!is_constant_ || !has_first_) {
    return;
  }
  auto& sum = constant_[open_.type];
  ++sum.arrays;
  sum.shallow += shallow;
  if (std::all_of(first_.begin(), first_.begin() + width_, [](auto byte) { return byte == 0; })) {
    ++sum.zero_arrays;
    sum.zero_shallow += shallow;
  }
  biggest_constant_.add(
      {.index = open_.object, .type = open_.type, .length = open_.length, .shallow = shallow});
}

ArrayRow ArrayFiller::row(const HeapObject& array) const {
  return {.address = heap_.address(array.index),
          .class_name = heap_.class_name(heap_.class_of(array)),
          .label = heap_.label(array),
          .length = array.length,
          .shallow = array.shallow,
          .retained = array.retained};
}

std::vector<ArrayClassRow> ArrayFiller::zero_length_classes() const {
  std::vector<ArrayClassRow> rows;
  for (std::uint32_t type = 0; type < zero_length_.size(); ++type) {
    if (zero_length_[type] != 0) {
      const auto& info = heap_.type(type);
      rows.push_back({.class_name = heap_.class_name(info.class_index),
                      .class_address = heap_.class_address(info.class_index),
                      .arrays = zero_length_[type],
                      .shallow = zero_length_[type] * info.shallow(0)});
    }
  }
  std::sort(rows.begin(), rows.end(), [](const ArrayClassRow& a, const ArrayClassRow& b) {
    return std::tuple(b.shallow, b.arrays, a.class_address) <
           std::tuple(a.shallow, a.arrays, b.class_address);
  });
  return rows;
}

std::vector<ConstantArrays> ArrayFiller::constants() const {
  std::vector<ConstantArrays> rows;
  for (const auto& [type, sum] : constant_) {
    rows.push_back({.class_name = heap_.class_name(heap_.type(type).class_index),
                    .arrays = sum.arrays,
                    .shallow = sum.shallow,
                    .zero_arrays = sum.zero_arrays,
                    .zero_shallow = sum.zero_shallow});
  }
  std::sort(rows.begin(), rows.end(), [](const ConstantArrays& a, const ConstantArrays& b) {
    return std::tie(b.shallow, a.class_name) < std::tie(a.shallow, b.class_name);
  });
  return rows;
}

Arrays ArrayFiller::result(bool surveyed) const {
  Arrays out;
  for (const auto& row : lengths_) {
    out.object_arrays += row.object_arrays;
    out.object_shallow += row.object_shallow;
    out.primitive_arrays += row.primitive_arrays;
    out.primitive_shallow += row.primitive_shallow;
    if (row.object_arrays + row.primitive_arrays != 0) {
      out.lengths.push_back(row);
    }
  }
  out.zero_length_classes = zero_length_classes();
  for (const auto& row : out.zero_length_classes) {
    out.zero_length += row.arrays;
    out.zero_length_shallow += row.shallow;
  }
  out.zero_length_classes.resize(std::min(rows_, out.zero_length_classes.size()));
  for (const auto& array : biggest_.sorted()) {
    out.biggest.push_back(row(array));
  }
  if (surveyed) {
    out.fill = fill_.rows();
    out.constant = constants();
    out.biggest_constant.emplace();
    for (auto& array : biggest_constant_.sorted()) {
      array.retained = heap_.retained()[array.index];
      out.biggest_constant->push_back(row(array));
    }
  }
  return out;
}

}  // namespace hprof
