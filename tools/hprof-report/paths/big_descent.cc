// Most ways are short: a few steps down for all of them at once, each one look at all objects for
// the big children of where the ways are. The others are found from below. Whether an object is the
// big child of its dominator takes a look at both; which of these lie below one of the tops without
// a gap is found by walks up, each of which ends where an earlier one came by. A bit per object
// each, and the ways themselves are not long.
#include "tools/hprof-report/paths/big_descent.h"

#include "common/bit_vector.h"
#include "tools/hprof-report/thresholds.h"

#include <algorithm>
#include <utility>

namespace hprof {
namespace {

constexpr unsigned kStepsDown = 6;
constexpr unsigned kMostSteps = 1000;
constexpr std::uint64_t kBigTenths = 7;
constexpr std::uint32_t kAhead = 16;  ///< objects whose dominators are brought near

/// Objects that are the big child of their dominator.
BitVector big_children(const Heap& heap) {
  const auto& dominators = heap.dominators();
  const auto& retained = heap.retained();
  const auto objects = static_cast<std::uint32_t>(dominators.size());
  BitVector out(objects);
  RetainedColumn::Reader own_sizes(retained);
  for (std::uint32_t object = 0; object < objects; ++object) {
    if (object + kAhead < objects && dominators[object + kAhead] < kVirtualRoot) {
      retained.prefetch(dominators[object + kAhead]);
    }
    const std::uint64_t own = own_sizes.next();
    const auto dominator = dominators[object];
    if (dominator < kVirtualRoot && reaches_share(own, retained[dominator], kBigTenths, 10)) {
      out.set(object);
    }
  }
  return out;
}

}  // namespace

BigDescent::BigDescent(const Heap& heap, const std::vector<std::uint32_t>& tops) {
  Ways ways;
  for (const auto top : tops) {
    ways.emplace(top, top);
  }
  for (unsigned steps = 0; steps < kStepsDown && !ways.empty(); ++steps) {
    ways = step(heap, std::move(ways));
  }
  if (!ways.empty()) {
    std::vector<std::uint32_t> left;
    for (const auto& [at, top] : ways) {
      left.push_back(top);
    }
    climb(heap, left);
  }
}

/// Goes one step down on all ways, notes the ends of those that end, and gives the others.
BigDescent::Ways BigDescent::step(const Heap& heap, Ways ways) {
  const auto& dominators = heap.dominators();
  const auto& retained = heap.retained();
  BitVector reached(heap.objects());
  std::uint64_t least = heap.used_heap();
  for (const auto& [at, top] : ways) {
    reached.set(at);
    least = std::min(least, share_of(retained[at], kBigTenths, 10));
  }
  Ways next;
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    const auto dominator = dominators[object];
    if (retained[object] >= least && dominator < kVirtualRoot && reached.test(dominator) &&
        reaches_share(retained[object], retained[dominator], kBigTenths, 10)) {
      if (const auto way = ways.extract(dominator)) {
        next.emplace(object, way.mapped());
      }
    }
  }
  for (const auto& [end, top] : ways) {
    ends_.emplace(top, end);
  }
  return next;
}

void BigDescent::climb(const Heap& heap, const std::vector<std::uint32_t>& tops) {
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
