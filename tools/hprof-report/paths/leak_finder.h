#pragma once

#include "formats/report/leaks.h"
#include "tools/hprof-report/merged_paths.h"
#include "tools/hprof-report/paths/path_book.h"
#include "tools/hprof-report/roots.h"
#include "tools/hprof-report/top_level.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// A suspect while it is worked on: a single object, or the remaining top-level objects of a class.
struct Suspicion {
  SuspectKind kind = SuspectKind::single;
  HeapObject object;  ///< single
  ClassIndex class_index;
  GroupSum sum;
  /// Objects whose paths are wanted, ascending; dropped once the paths are known.
  std::vector<Instance> instances;
  Instance largest;                           ///< group: the instance that retains most
  std::optional<std::uint32_t> accumulation;  ///< object where the memory gathers
  CommonPath path;                            ///< group: from a GC root, as far as most share it
  std::vector<std::string> root_types;
};

/// Finds who holds more than `percent` % of the used heap, and where. The steps come in the order
/// in which columns of the heap can be released: descend() needs both, trace() none, since it loads
/// the references.
class LeakFinder {
 public:
  /// Someone else who needs the references while they are in memory, without excluded ones.
  using LookAtGraph = std::function<void(const ReferenceGraph& graph)>;

  LeakFinder(const Heap& heap, const RootKinds& roots, const TopLevel& top_level,
             std::uint64_t percent);

  /// Whether collect() is to be called.
  bool has_groups() const {
    return std::any_of(suspicions_.begin(), suspicions_.end(), [](const Suspicion& suspicion) {
      return suspicion.kind == SuspectKind::group;
    });
  }
  /// To be shown every object; notes those to which paths are wanted: all of each group, and
  /// singles that are no GC root themselves.
  void collect(const HeapObject& object) {
    if (object.top_level() && groups_[heap_.class_of(object).value()] != kNoGroup) {
      collect_top_level(object);
    }
  }
  /// Follows each single suspect down the dominator tree to its accumulation point; takes three
  /// bits per object.
  void descend();
  /// Searches the paths: common path and accumulation point of groups, kinds of GC roots; and, in
  /// the same searches, the paths that `book` wants beside those to the accumulation points.
  void trace(PathBook& book, const LookAtGraph& look);

  std::uint64_t percent() const { return percent_; }
  std::uint64_t threshold() const { return threshold_; }
  const std::vector<Suspicion>& suspicions() const { return suspicions_; }
  /// Distinct accumulation points, ascending: those of groups only after trace().
  std::vector<std::uint32_t> points() const;

 private:
  static constexpr std::uint32_t kNoGroup = 0xffffffffU;

  void start_collecting(Suspicion& suspicion, std::uint32_t number);
  void collect_top_level(const HeapObject& object);
  void trace_with(ReferenceGraph::Excluded excluded, PathBook& book, const LookAtGraph& look);

  const Heap& heap_;
  const RootKinds& roots_;
  std::uint64_t percent_;
  std::uint64_t threshold_;
  std::vector<Suspicion> suspicions_;
  std::vector<std::uint32_t> groups_;   ///< by class: the suspicion of the group
  std::vector<std::uint32_t> singles_;  ///< ascending
};

/// The object whose path explains a suspect: its accumulation point, without one the object itself,
/// of a group the largest instance.
std::uint32_t explained_object(const Suspicion& suspicion);

}  // namespace hprof
