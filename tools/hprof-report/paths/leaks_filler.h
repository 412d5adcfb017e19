#pragma once

#include "formats/report/report.h"
#include "tools/hprof-report/paths/dominated_sums.h"
#include "tools/hprof-report/paths/leak_finder.h"
#include "tools/hprof-report/paths/path_describer.h"
#include "tools/hprof-report/paths/retained_classes.h"
#include "tools/hprof-report/paths/shared_holdings.h"
#include "tools/hprof-report/paths/subtrees.h"
#include "tools/hprof-report/report_options.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace hprof {

/// Fills Leak Suspects, and the paths of Top Consumers, from what was found: read_objects(), then
/// name_references(), then the results; needs no column.
class LeaksFiller {
 public:
  LeaksFiller(const Heap& heap, const RootKinds& roots, const LeakFinder& finder,
              const PathBook& book, const SharedHoldings& shared, const DetailCaps& caps,
              DumpSource* dump);

  /// `trees`: those under the accumulation points. `look` is shown every object, too.
  void read_objects(Subtrees trees, const std::function<void(const HeapObject&)>& look);
  void name_references() { describer_.look_up(); }
  Leaks leaks(const RetainedClasses& classes);
  void add_paths(TopConsumers& top) const;

 private:
  Suspect suspect(std::size_t number);
  std::size_t first_with_point_of(std::size_t number) const;
  void add_point(std::size_t number, Suspect& out);
  void add_held_together(std::uint32_t point, Suspect& out) const;
  static void add_shares(const Suspicion& suspicion, const ObjectPath& path, Suspect& out);
  void add_why_alive(const Suspicion& suspicion, Suspect& out);

  const Heap& heap_;
  const LeakFinder& finder_;
  const PathBook& book_;
  const SharedHoldings& shared_;
  DetailCaps caps_;
  PathDescriber describer_;
  std::vector<std::uint32_t> points_;     ///< distinct accumulation points
  std::vector<ObjectPath> common_paths_;  ///< by suspect; empty ones of singles
  std::map<std::uint32_t, std::vector<ObjectPath>> shared_paths_;  ///< by point
  std::unique_ptr<DominatedSums> sums_;
  std::optional<Subtrees> trees_;
};

}  // namespace hprof
