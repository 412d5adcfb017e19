#pragma once

#include "common/bit_vector.h"
#include "common/steps.h"
#include "formats/report/path_answer.h"
#include "tools/hprof-report/heap_caveats.h"
#include "tools/hprof-report/merged_paths.h"
#include "tools/hprof-report/paths/path_describer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// Answers why an object, or the instances of a class, are alive.
class PathQuery {
 public:
  /// `to`: "0x7f00" or the Java name of a class; Error(usage) when the dump has no such object or
  /// class. `dump` may be nullptr; `most_steps` of a path are shown.
  PathQuery(Heap& heap, const std::string& to, DumpSource* dump, std::size_t most_steps);

  std::vector<PathTarget> answer(Steps& steps);

 private:
  struct Target {
    PathTarget out;
    std::vector<Instance> instances;  ///< reachable ones, ascending
    std::uint32_t largest = kUnreachable;
    std::vector<std::uint32_t> garbage;  ///< an unreachable object behind those that hold it
    CommonPath common;
    ObjectPath common_shown;
    std::vector<Start> starts;
  };

  void find_object(std::uint64_t address, const std::string& to);
  void find_classes(const std::string& name);
  void collect();
  void collect(Target& target, const HeapObject& object) const;
  void look_for_holders(Target& target);
  void search();
  void search_with(ReferenceGraph::Excluded excluded);
  void search_garbage(const ReferenceGraph& graph, Target& target) const;
  static void shorten_starts(Target& target);
  void read_objects();
  PathTarget result(const Target& target) const;

  Heap& heap_;
  Caveats caveats_;
  RootKinds roots_;
  std::size_t most_steps_;
  PathBook book_;
  PathDescriber describer_;
  std::vector<Target> targets_;
  BitVector unreachable_;  ///< only where an unreachable object is asked for
};

}  // namespace hprof
