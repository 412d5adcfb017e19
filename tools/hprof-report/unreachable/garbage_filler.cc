// Garbage roots are what no other unreachable object references; each takes what is reached from it
// and has not been taken yet, by address. What is left then are cycles and what hangs on them. A
// first round of searches through that, begun at the lowest object not yet visited each time, has a
// property that is used here: taken from the last to the first, every start that is still left is
// in a cycle into which nothing else that is left leads. For what leads to a start was not visited
// before it (or it would have been too), so it is reached from this start or from a later one.
#include "tools/hprof-report/unreachable/garbage_filler.h"

#include "common/bit_vector.h"
#include "common/text.h"
#include "tools/hprof-report/unreachable/garbage_graph.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace hprof {
namespace {

struct Root {
  std::uint32_t rank = 0;
  bool in_cycle = false;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
};

struct ClassSum {
  std::uint64_t roots = 0;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
};

/// What objects of a class may be to the garbage collector. Since JDK 19 it fills gaps with classes
/// of their own, of which dumps show the arrays as int[]; before, and in ART, with int[] and, where
/// the empty one is larger than an object without fields, with java.lang.Object.
enum class FillerKind : std::uint8_t { none, certain, likely };

/// Where references are compressed, an empty int[] takes no more than an object without fields.
bool objects_are_least(const Heap& heap) {
  const auto& summary = heap.index().summary;
  return summary.reference_size == summary.identifier_size;
}

std::vector<FillerKind> filler_kinds(const Heap& heap) {
  const auto& index = heap.index();
  std::vector<FillerKind> kinds(index.classes.size(), FillerKind::none);
  bool own_classes = false;
  for (std::uint32_t row = 0; row < kinds.size(); ++row) {
    const auto name = index.class_name(ClassIndex(row));
    if (name.starts_with("jdk.internal.vm.Filler")) {
      kinds[row] = FillerKind::certain;
      own_classes = true;
    } else if (name == "java.lang.Object" && objects_are_least(heap)) {
      kinds[row] = FillerKind::likely;
    }
  }
  if (own_classes) {
    std::replace(kinds.begin(), kinds.end(), FillerKind::likely, FillerKind::none);
  }
  return kinds;
}

/// Finds the roots one by one and sums them up.
class RootFinder {
 public:
  RootFinder(const Heap& heap, const GarbageGraph& graph, std::size_t most)
      : heap_(heap),
        graph_(graph),
        most_(most),
        fillers_(filler_kinds(heap)),
        by_class_(heap.index().classes.size()),
        referenced_(graph.size()),
        taken_(graph.size()) {}

  void find() {
    note_references();
    for (std::uint32_t rank = 0; rank < graph_.size(); ++rank) {
      if (!referenced_.test(rank)) {
        add_root(rank, false);
      }
    }
    const auto starts = starts_in_what_is_left();
    std::for_each(starts.rbegin(), starts.rend(), [&](std::uint32_t start) {
      if (!taken_.test(start)) {
        add_root(start, true);
      }
    });
    if (sums_.lone_int_arrays == 0) {  // gaps are of all sizes
      sums_.lone_objects = 0;
      sums_.lone_objects_shallow = 0;
    }
  }

  const Garbage& sums() const { return sums_; }
  const std::vector<ClassSum>& by_class() const { return by_class_; }
  std::vector<Root> largest() const {
    auto roots = largest_;
    std::sort(roots.begin(), roots.end(), larger);
    return roots;
  }

 private:
  static bool larger(const Root& a, const Root& b) {
    return std::tuple(b.shallow, a.rank) < std::tuple(a.shallow, b.rank);
  }

  ClassIndex class_of(std::uint32_t rank) const {
    return heap_.type(graph_.type_of(rank)).class_index;
  }

  FillerKind filler_kind(std::uint32_t rank) const { return fillers_[class_of(rank).value()]; }

  void note_references() {
    for (std::uint32_t rank = 0; rank < graph_.size(); ++rank) {
      graph_.for_each_successor(rank, [&](std::uint32_t target) {
        if (target != rank) {
          referenced_.set(target);
        }
      });
      if (filler_kind(rank) == FillerKind::certain) {
        ++sums_.filler_objects;
        sums_.filler_shallow += graph_.shallow_of(rank);
      }
    }
  }

  /// Visits what is reached from `start` and not marked yet.
  template <typename Visit>
  void search(std::uint32_t start, BitVector& marks, Visit&& visit) {
    marks.set(start);
    stack_.push_back(start);
    while (!stack_.empty()) {
      const auto rank = stack_.back();
      stack_.pop_back();
      visit(rank);
      graph_.for_each_successor(rank, [&](std::uint32_t target) {
        if (!marks.test_and_set(target)) {
          stack_.push_back(target);
        }
      });
    }
  }

  std::vector<std::uint32_t> starts_in_what_is_left() {
    std::vector<std::uint32_t> starts;
    BitVector visited(graph_.size());
    for (std::uint32_t rank = 0; rank < graph_.size(); ++rank) {
      if (!taken_.test(rank) && !visited.test(rank)) {
        starts.push_back(rank);
        search(rank, visited, [](std::uint32_t) {});
      }
    }
    return starts;
  }

  void add_root(std::uint32_t rank, bool in_cycle) {
    Root root{.rank = rank, .in_cycle = in_cycle};
    search(rank, taken_, [&](std::uint32_t reached) {
      ++root.objects;
      root.shallow += graph_.shallow_of(reached);
    });
    ++sums_.roots;
    sums_.cycles += in_cycle ? 1 : 0;
    auto& sum = by_class_[class_of(rank).value()];
    ++sum.roots;
    sum.objects += root.objects;
    sum.shallow += root.shallow;
    note_likely_filler(rank);
    keep(root);
  }

  /// `rank` is referenced by nothing.
  void note_likely_filler(std::uint32_t rank) {
    const auto kind = heap_.type(graph_.type_of(rank)).kind;
    if (kind == RecordKind::int_array) {
      ++sums_.lone_int_arrays;
      sums_.lone_int_arrays_shallow += graph_.shallow_of(rank);
    } else if (kind == RecordKind::instance && filler_kind(rank) == FillerKind::likely) {
      ++sums_.lone_objects;
      sums_.lone_objects_shallow += graph_.shallow_of(rank);
    }
  }

  void keep(const Root& root) {
    largest_.push_back(root);
    std::push_heap(largest_.begin(), largest_.end(), larger);
    if (largest_.size() > most_) {
      std::pop_heap(largest_.begin(), largest_.end(), larger);
      largest_.pop_back();
    }
  }

  const Heap& heap_;
  const GarbageGraph& graph_;
  std::size_t most_;
  std::vector<FillerKind> fillers_;
  std::vector<ClassSum> by_class_;
  BitVector referenced_;
  BitVector taken_;
  std::vector<std::uint32_t> stack_;
  std::vector<Root> largest_;
  Garbage sums_;
};

std::vector<GarbageRootClass> class_rows(const Heap& heap, const std::vector<ClassSum>& sums) {
  std::vector<GarbageRootClass> rows;
  for (std::uint32_t row = 0; row < sums.size(); ++row) {
    if (sums[row].roots != 0) {
      rows.push_back({.class_name = heap.class_name(ClassIndex(row)),
                      .class_address = heap.class_address(ClassIndex(row)),
                      .roots = sums[row].roots,
                      .objects = sums[row].objects,
                      .reached_shallow = sums[row].shallow});
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const GarbageRootClass& a, const GarbageRootClass& b) {
                     return a.reached_shallow > b.reached_shallow;
                   });
  return rows;
}

/// Like Heap::label(), without the lengths of arrays.
std::string label_of(const Heap& heap, const HeapObject& object) {
  const auto stands_for = heap.represented(object);
  return (stands_for.is_none() ? heap.class_name(heap.class_of(object))
                               : "class " + heap.class_name(stands_for)) +
         " @ " + hex_address(heap.address(object.index).value);
}

/// The objects with these ranks; `ranks` ascend.
std::vector<std::uint32_t> objects_of(const RankedSet& members,
                                      const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint32_t> objects;
  std::uint32_t rank = 0;
  members.for_each([&](std::uint32_t object) {
    if (objects.size() < ranks.size() && ranks[objects.size()] == rank) {
      objects.push_back(object);
    }
    ++rank;
  });
  return objects;
}

std::vector<GarbageRoot> root_rows(const Heap& heap, const GarbageGraph& graph,
                                   const RankedSet& members, const std::vector<Root>& roots) {
  std::vector<std::uint32_t> ranks;
  ranks.reserve(roots.size());
  for (const auto& root : roots) {
    ranks.push_back(root.rank);
  }
  std::sort(ranks.begin(), ranks.end());
  const auto objects = objects_of(members, ranks);
  std::vector<GarbageRoot> rows;
  for (const auto& root : roots) {
    const auto place = std::lower_bound(ranks.begin(), ranks.end(), root.rank) - ranks.begin();
    const HeapObject object{.index = objects[static_cast<std::size_t>(place)],
                            .type = graph.type_of(root.rank),
                            .shallow = graph.shallow_of(root.rank)};
    rows.push_back({.address = heap.address(object.index),
                    .class_name = heap.class_name(heap.class_of(object)),
                    .label = label_of(heap, object),
                    .in_cycle = root.in_cycle,
                    .shallow = object.shallow,
                    .objects = root.objects,
                    .reached_shallow = root.shallow});
  }
  return rows;
}

}  // namespace

Garbage fill_garbage(const Heap& heap, const RankedSet& members, std::size_t rows) {
  const GarbageGraph graph(heap.graph(), members);
  RootFinder finder(heap, graph, rows);
  finder.find();
  Garbage out = finder.sums();
  out.largest = root_rows(heap, graph, members, finder.largest());
  out.root_classes = class_rows(heap, finder.by_class());
  out.root_class_count = out.root_classes.size();
  out.root_classes.resize(std::min(out.root_classes.size(), rows));
  return out;
}

}  // namespace hprof
