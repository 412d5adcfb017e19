#include "tools/hprof-report/paths/leak_finder.h"

#include "tools/hprof-report/paths/big_descent.h"
#include "tools/hprof-report/thresholds.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

Suspicion single_suspicion(const Heap& heap, const HeapObject& object) {
  Suspicion out;
  out.object = object;
  out.class_index = heap.class_of(object);
  out.sum.add(object);
  return out;
}

Suspicion group_suspicion(ClassIndex class_index, const GroupSum& sum) {
  Suspicion out;
  out.kind = SuspectKind::group;
  out.class_index = class_index;
  out.sum = sum;
  return out;
}

/// Kinds of the GC roots, the one from which most instances are reached first.
std::vector<std::string> kinds_of_starts(const RootKinds& roots, const std::vector<Start>& starts) {
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  for (const auto& start : starts) {
    for (const auto& kind : roots.kinds_of(start.root)) {
      const auto found = std::find_if(counts.begin(), counts.end(),
                                      [&](const auto& c) { return c.first == kind; });
      if (found == counts.end()) {
        counts.emplace_back(kind, start.instances);
      } else {
        found->second += start.instances;
      }
    }
  }
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  std::vector<std::string> kinds;
  kinds.reserve(counts.size());
  for (const auto& count : counts) {
    kinds.push_back(count.first);
  }
  return kinds;
}

bool wants_paths(const Suspicion& suspicion) {
  return suspicion.kind == SuspectKind::group || suspicion.root_types.empty();
}

}  // namespace

LeakFinder::LeakFinder(const Heap& heap, const RootKinds& roots, const TopLevel& top_level,
                       std::uint64_t percent)
    : heap_(heap),
      roots_(roots),
      percent_(percent),
      threshold_(share_of(heap.used_heap(), percent, 100)) {
  auto remaining = top_level.by_class();
  for (const auto& object : top_level.largest()) {
    if (object.retained > threshold_) {
      suspicions_.push_back(single_suspicion(heap, object));
      suspicions_.back().root_types = roots.kinds_of(object.index);
      remaining[suspicions_.back().class_index.value()].remove(object);
    }
  }
  for (std::uint32_t row = 0; row < remaining.size(); ++row) {
    if (remaining[row].retained > threshold_) {
      suspicions_.push_back(group_suspicion(ClassIndex(row), remaining[row]));
    }
  }
  std::stable_sort(suspicions_.begin(), suspicions_.end(),
                   [](const Suspicion& a, const Suspicion& b) {
                     return std::tie(b.sum.retained, a.kind) < std::tie(a.sum.retained, b.kind);
                   });
  groups_.assign(heap.index().classes.size(), kNoGroup);
  for (std::uint32_t i = 0; i < suspicions_.size(); ++i) {
    start_collecting(suspicions_[i], i);
  }
  std::sort(singles_.begin(), singles_.end());
}

void LeakFinder::start_collecting(Suspicion& suspicion, std::uint32_t number) {
  if (suspicion.kind == SuspectKind::group) {
    groups_[suspicion.class_index.value()] = number;
    suspicion.instances.reserve(suspicion.sum.instances);
    return;
  }
  singles_.push_back(suspicion.object.index);
  if (wants_paths(suspicion)) {
    suspicion.instances.push_back({suspicion.object.index, suspicion.object.retained});
  }
}

void LeakFinder::collect_top_level(const HeapObject& object) {
  auto& group = suspicions_[groups_[heap_.class_of(object).value()]];
  if (!std::binary_search(singles_.begin(), singles_.end(), object.index)) {
    group.instances.push_back({object.index, object.retained});
    if (object.retained > group.largest.retained) {
      group.largest = group.instances.back();
    }
  }
}

void LeakFinder::descend() {
  if (singles_.empty()) {
    return;
  }
  const BigDescent descent(heap_, singles_);
  for (auto& suspicion : suspicions_) {
    if (suspicion.kind == SuspectKind::single) {
      suspicion.accumulation = descent.end_of(suspicion.object.index);
    }
  }
}

std::vector<std::uint32_t> LeakFinder::points() const {
  std::vector<std::uint32_t> points;
  for (const auto& suspicion : suspicions_) {
    if (suspicion.accumulation) {
      points.push_back(*suspicion.accumulation);
    }
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

void LeakFinder::trace(PathBook& book, const LookAtGraph& look) {
  for (const auto& suspicion : suspicions_) {
    book.want(explained_object(suspicion));
  }
  const auto anything_left = [&] {
    return !book.missing().empty() ||
           std::any_of(suspicions_.begin(), suspicions_.end(),
                       [](const Suspicion& s) { return !s.instances.empty(); });
  };
  for (const auto excluded : {ReferenceGraph::Excluded::skip, ReferenceGraph::Excluded::follow}) {
    if (anything_left()) {
      trace_with(excluded, book, look);
    }
  }
}

/// Settles every suspect of which at least one object is reached. The path to a group's point is
/// part of its common path and needs no search of its own.
void LeakFinder::trace_with(ReferenceGraph::Excluded excluded, PathBook& book,
                            const LookAtGraph& look) {
  std::vector<std::uint32_t> targets = book.missing();
  for (const auto& suspicion : suspicions_) {
    for (const auto& instance : suspicion.instances) {
      targets.push_back(instance.object);
    }
  }
  const auto paths = [&] {
    const ReferenceGraph graph(heap_.graph(), excluded);
    if (excluded == ReferenceGraph::Excluded::skip) {
      look(graph);
    }
    return ShortestPaths(graph, targets);
  }();
  for (auto& suspicion : suspicions_) {
    const auto starts = suspicion.instances.empty()
                            ? std::vector<Start>()
                            : starts_of(paths, heap_.objects(), suspicion.instances);
    if (starts.empty()) {
      continue;
    }
    suspicion.root_types = kinds_of_starts(roots_, starts);
    if (suspicion.kind == SuspectKind::group) {
      suspicion.path = merge_paths(paths, heap_.objects(), suspicion.instances);
      if (suspicion.path.ends_at_point) {
        suspicion.accumulation = suspicion.path.objects.back();
        book.want(*suspicion.accumulation);
      }
    }
    suspicion.instances = {};
  }
  book.take(paths, excluded == ReferenceGraph::Excluded::follow);
}

std::uint32_t explained_object(const Suspicion& suspicion) {
  const bool single = suspicion.kind == SuspectKind::single;
  return suspicion.accumulation.value_or(single ? suspicion.object.index
                                                : suspicion.largest.object);
}

}  // namespace hprof
