#include "tools/hprof-report/leak_finder.h"

#include "tools/hprof-report/thresholds.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

constexpr unsigned kMaxDescent = 1000;
constexpr std::uint64_t kBigDropTenths = 7;
constexpr std::uint32_t kNoChild = 0xffffffffU;

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

/// Per object its child that retains at least seven tenths of what it retains itself; there is one
/// at most.
BigArray<std::uint32_t> big_children(const Heap& heap) {
  BigArray<std::uint32_t> children(heap.objects(), kNoChild);
  const auto& retained = heap.retained();
  heap.domtree().for_each_node([&](const DomtreeNode& node) {
    if (node.dominator < kVirtualRoot &&
        reaches_share(node.retained, retained[node.dominator], kBigDropTenths, 10)) {
      children[node.dominator] = node.index;
    }
  });
  return children;
}

std::optional<std::uint32_t> accumulation_point(const BigArray<std::uint32_t>& children,
                                                std::uint32_t object) {
  for (unsigned depth = 0; depth < kMaxDescent; ++depth) {
    if (children[object] == kNoChild) {
      return object;
    }
    object = children[object];
  }
  return std::nullopt;
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
}

void LeakFinder::descend() {
  const bool any_single =
      std::any_of(suspicions_.begin(), suspicions_.end(),
                  [](const Suspicion& s) { return s.kind == SuspectKind::single; });
  if (!any_single) {
    return;
  }
  const auto children = big_children(heap_);
  for (auto& suspicion : suspicions_) {
    if (suspicion.kind == SuspectKind::single) {
      suspicion.accumulation = accumulation_point(children, suspicion.object.index);
    }
  }
}

void LeakFinder::collect_instances() {
  std::vector<Suspicion*> groups(heap_.index().classes.size());
  std::vector<std::uint32_t> singles;
  bool any_group = false;
  for (auto& suspicion : suspicions_) {
    if (suspicion.kind == SuspectKind::group) {
      any_group = true;
      groups[suspicion.class_index.value()] = &suspicion;
      suspicion.instances.reserve(suspicion.sum.instances);
    } else {
      singles.push_back(suspicion.object.index);
      if (wants_paths(suspicion)) {
        suspicion.instances.push_back({suspicion.object.index, suspicion.object.retained});
      }
    }
  }
  if (!any_group) {
    return;
  }
  heap_.for_each_object([&](const HeapObject& object) {
    auto* const group = groups[heap_.class_of(object).value()];
    if (group != nullptr && object.top_level() &&
        std::find(singles.begin(), singles.end(), object.index) == singles.end()) {
      group->instances.push_back({object.index, object.retained});
      if (object.retained > group->largest.retained) {
        group->largest = group->instances.back();
      }
    }
  });
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
