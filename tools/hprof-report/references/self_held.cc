// A referent whose immediate dominator is its reference, and which is strongly reachable all the
// same: so a strong path to it leads through the reference.
#include "tools/hprof-report/references/self_held.h"

#include "common/bit_vector.h"
#include "tools/hprof-report/references/referent_tally.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

template <typename Visit>
void for_each_self_held(const Heap& heap, const ReachColumn& column, Visit&& visit) {
  for (std::uint32_t object = 0; object < heap.objects(); ++object) {
    if (column.is_under_its_reference(object) && column.strength(object) == Strength::strong) {
      visit(object);
    }
  }
}

/// What each of the references of these objects retains, added up, nothing counted twice.
std::uint64_t retained_together(const Heap& heap, const ReachColumn& column) {
  BitVector references(heap.objects());
  for_each_self_held(heap, column,
                     [&](std::uint32_t object) { references.set(heap.dominators()[object]); });
  const auto for_each_reference = [&](auto&& take) {
    for (std::uint32_t object = 0; object < heap.objects(); ++object) {
      if (references.test(object)) {
        take(object);
      }
    }
  };
  NestedObjects nested(
      heap, [&](std::uint32_t object) { return references.test(object); }, for_each_reference);
  std::uint64_t sum = 0;
  for_each_reference(
      [&](std::uint32_t object) { sum += nested.contains(object) ? 0 : heap.retained()[object]; });
  return sum;
}

}  // namespace

SelfHeldFinder::SelfHeldFinder(const Heap& heap, const ReachColumn& column, std::size_t most)
    : heap_(heap) {
  const auto larger = [&](std::uint32_t a, std::uint32_t b) {
    const auto& dominators = heap.dominators();
    return std::tuple(heap.retained()[dominators[b]], a) <
           std::tuple(heap.retained()[dominators[a]], b);
  };
  for_each_self_held(heap, column, [&](std::uint32_t object) {
    ++result_.objects;
    referents_.push_back(object);
    std::push_heap(referents_.begin(), referents_.end(), larger);
    if (referents_.size() > most) {
      std::pop_heap(referents_.begin(), referents_.end(), larger);
      referents_.pop_back();
    }
  });
  std::sort(referents_.begin(), referents_.end(), larger);
  result_.references_retained = result_.objects == 0 ? 0 : retained_together(heap, column);
}

void SelfHeldFinder::name(ObjectTeller& teller) {
  result_.largest.resize(referents_.size());
  for (std::size_t i = 0; i < referents_.size(); ++i) {
    auto& row = result_.largest[i];
    const auto reference = heap_.dominators()[referents_[i]];
    row.address = heap_.address(referents_[i]);
    row.reference_address = heap_.address(reference);
    row.retained = heap_.retained()[referents_[i]];
    teller.tell(ObjectIndex(referents_[i]),
                [this, &row](const HeapObject& object) { row.label = heap_.label(object); });
    teller.tell(ObjectIndex(reference), [this, &row](const HeapObject& object) {
      row.reference_class = heap_.class_name(heap_.class_of(object));
    });
  }
}

SelfHeldReferents SelfHeldFinder::result() const {
  return result_;
}

}  // namespace hprof
