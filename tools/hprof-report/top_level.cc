#include "tools/hprof-report/top_level.h"

#include <algorithm>
#include <bit>

namespace hprof {
namespace {

bool larger(const HeapObject& a, const HeapObject& b) {
  return a.retained != b.retained ? a.retained > b.retained : a.index < b.index;
}

}  // namespace

void LargestObjects::add(const HeapObject& object) {
  if (heap_.size() == most_) {
    if (most_ == 0 || !larger(object, heap_.front())) {
      return;
    }
    std::pop_heap(heap_.begin(), heap_.end(), larger);
    heap_.pop_back();
  }
  heap_.push_back(object);
  std::push_heap(heap_.begin(), heap_.end(), larger);
}

std::vector<HeapObject> LargestObjects::sorted() const {
  auto objects = heap_;
  std::sort(objects.begin(), objects.end(), larger);
  return objects;
}

TopLevel::TopLevel(const Heap& heap, std::size_t most)
    : heap_(heap),
      largest_(most),
      by_class_(heap.index().classes.size()),
      by_name_class_(heap.index().classes.size()) {}

void TopLevel::add(const HeapObject& object) {
  if (!object.top_level()) {
    return;
  }
  ++count_;
  largest_.add(object);
  const auto own_class = heap_.class_of(object);
  const auto stands_for = heap_.represented(object);
  by_class_[own_class.value()].add(object);
  by_name_class_[stands_for.is_none() ? own_class.value() : stands_for.value()].add(object);
  by_size_bits_.at(static_cast<std::size_t>(std::bit_width(object.retained))).add(object);
  by_loader_[heap_.loader_of(object).value()].add(object);
}

}  // namespace hprof
