#pragma once

#include "formats/report/leaks.h"
#include "tools/hprof-report/merged_paths.h"
#include "tools/hprof-report/roots.h"
#include "tools/hprof-report/top_level.h"

#include <cstdint>
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
  std::optional<std::uint32_t> accumulation;  ///< object where the memory gathers
  std::vector<std::uint32_t> path;            ///< group: from a GC root, as far as most share it
  std::vector<std::string> root_types;
};

/// Finds who holds more than `percent` % of the used heap, and where. The steps come in the order
/// in which columns of the heap can be released: collect_instances() needs both, descend() the
/// retained sizes, trace() none, since it loads the references; then result().
class LeakFinder {
 public:
  LeakFinder(const Heap& heap, const RootKinds& roots, const TopLevel& top_level,
             std::uint64_t percent);

  /// Whether collect_instances() and trace() have anything to do.
  bool needs_paths() const;
  /// Notes the objects to which paths are wanted: all of each group, and singles that are no GC
  /// root themselves.
  void collect_instances();
  /// Follows each single suspect down the dominator tree to its accumulation point; takes four
  /// bytes per object.
  void descend();
  /// Searches the paths: common path and accumulation point of groups, kinds of GC roots.
  void trace();
  Leaks result() const;

 private:
  void trace_with(ReferenceGraph::Excluded excluded);
  std::vector<HeapObject> describe_points() const;
  Suspect suspect(const Suspicion& suspicion, const std::vector<HeapObject>& described) const;

  const Heap& heap_;
  const RootKinds& roots_;
  std::uint64_t percent_;
  std::uint64_t threshold_;
  std::vector<Suspicion> suspicions_;
};

}  // namespace hprof
