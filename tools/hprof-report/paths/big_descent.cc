// Whether an object is the big child of its dominator takes a look at both; which of these lie
// below one of the tops without a gap is found by walks up, each of which ends where an earlier one
// came by. A bit per object each, and the ways themselves are short.
#include "tools/hprof-report/paths/big_descent.h"

#include "common/bit_vector.h"
#include "tools/hprof-report/thresholds.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr unsigned kMostSteps = 1000;
constexpr std::uint64_t kBigTenths = 7;
constexpr std::uint32_t kAhead = 16;  ///< objects whose dominators are brought near

/// Objects that are the big child of their dominator.
BitVector big_children(const Heap& heap) {
  const auto& dominators = heap.dominators();
  const auto& retained = heap.retained();
  const auto objects = static_cast<std::uint32_t>(dominators.size());
  BitVector out(objects);
  for (std::uint32_t object = 0; object < objects; ++object) {
    if (object + kAhead < objects && dominators[object + kAhead] < kVirtualRoot) {
      retained.prefetch(dominators[object + kAhead]);
    }
    const auto dominator = dominators[object];
    if (dominator < kVirtualRoot &&
        reaches_share(retained[object], retained[dominator], kBigTenths, 10)) {
      out.set(object);
    }
  }
  return out;
}

}  // namespace

BigDescent::BigDescent(const Heap& heap, const std::vector<std::uint32_t>& tops) {
  const auto is_big = big_children(heap);
  BitVector on_way(heap.objects());
  BitVector beside(heap.objects());  // of those that an earlier walk came by, and on no way
  BitVector passed(heap.objects());  // objects on a way that goes on
  for (const auto top : tops) {
    on_way.set(top);
  }
  const auto& dominators = heap.dominators();
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (!is_big.test(object)) {
      continue;
    }
    auto at = object;
    while (is_big.test(at) && !on_way.test(at) && !beside.test_and_set(at)) {
      at = dominators[at];
    }
    for (auto below = object; on_way.test(at) && below != at; below = dominators[below]) {
      on_way.set(below);
      passed.set(dominators[below]);
    }
  }
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (on_way.test(object) && !passed.test(object)) {
      add_end(heap, tops, object);
    }
  }
}

void BigDescent::add_end(const Heap& heap, const std::vector<std::uint32_t>& tops,
                         std::uint32_t end) {
  auto at = end;
  for (unsigned steps = 0; steps < kMostSteps; ++steps) {
    if (std::find(tops.begin(), tops.end(), at) != tops.end()) {
      ends_.emplace(at, end);
      return;
    }
    at = heap.dominators()[at];
  }
}

std::optional<std::uint32_t> BigDescent::end_of(std::uint32_t top) const {
  const auto end = ends_.find(top);
  return end == ends_.end() ? std::nullopt : std::optional(end->second);
}

}  // namespace hprof
