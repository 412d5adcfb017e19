#pragma once

#include "common/bit_vector.h"
#include "common/ranked_bits.h"
#include "common/steps.h"
#include "formats/report/report.h"
#include "tools/hprof-report/android/native_survey.h"
#include "tools/hprof-report/collections/collections_filler.h"
#include "tools/hprof-report/components/component_sets.h"
#include "tools/hprof-report/components/component_sums.h"
#include "tools/hprof-report/dominators/dominator_views.h"
#include "tools/hprof-report/dump/dump_source.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/dump/type_blocks.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/loaders/loaded_classes.h"
#include "tools/hprof-report/paths/leak_finder.h"
#include "tools/hprof-report/paths/retained_classes.h"
#include "tools/hprof-report/paths/subtrees.h"
#include "tools/hprof-report/references/references_section.h"
#include "tools/hprof-report/references/referent_log.h"
#include "tools/hprof-report/report_options.h"
#include "tools/hprof-report/roots.h"
#include "tools/hprof-report/strings/strings_filler.h"
#include "tools/hprof-report/threads/held_by_locals.h"
#include "tools/hprof-report/threads/thread_collector.h"
#include "tools/hprof-report/top_level.h"
#include "tools/hprof-report/unreachable/ranked_set.h"

#include <memory>
#include <optional>
#include <string>

namespace hprof {

class LeaksFiller;

/// Fills a report step by step, in the order in which columns of the heap can be released.
class ReportFiller {
 public:
  /// `dump_path`: the dump, already checked; empty where it is not there, and what needs it is then
  /// left out and said to be.
  ReportFiller(Heap& heap, Steps& steps, const ReportOptions& options, std::string dump_path);

  Report fill();

 private:
  /// Neighbours in the heap below the same top-level object.
  struct TopLevelRun {
    std::uint64_t number = 0;  ///< of that one among all
    std::uint64_t objects = 0;
  };

  bool wants(const std::string& section) const;
  void scan_objects();
  void start_scan();
  void note(const ObjectRow& row, std::uint32_t dominator);
  bool by_content() const;
  void start_strings();
  void load_tree();
  void start_sections();
  void count(const HeapObject& object);
  void count_top_level(const HeapObject& object);
  void sum_up();
  void sum_up_loaders(const LoadedClasses& loaded);
  void finish_views();
  void solve_references();
  bool is_reachable(std::uint32_t object) const { return reachable_.test(object); }
  void survey_dump(Progress& progress);
  void look_at_records(Progress& progress);
  void fetch_records();
  void finish_collections();
  void do_without_dump();
  void look_again();
  void split_by_top_level(RetainedClasses& classes);
  void end_run(const TopLevelRun& run);
  void finish_references();
  Subtrees trees_below(const std::vector<std::uint32_t>& points) const;
  void fill_threads();
  void search(const ReferenceGraph& graph);
  void read_objects(LeaksFiller& filler, Subtrees trees);
  void find_leaks();
  void look_at_garbage();
  void advise();
  void name_missing_facts();
  void leave_out(const std::string& section, const std::string& reason);

  Heap& heap_;
  Steps& steps_;
  const ReportOptions& options_;
  std::string dump_path_;
  DetailCaps caps_;
  RootKinds roots_;
  TopLevel top_level_;
  ThreadCollector threads_;
  std::optional<HeldByLocals> held_by_locals_;
  std::optional<DominatorViews> dominator_views_;
  RankedBits top_level_objects_;
  std::optional<ComponentSums> components_;
  std::optional<ComponentSets> component_sets_;
  std::unique_ptr<StringsFiller> strings_;
  std::unique_ptr<DumpSource> dump_;
  std::optional<RecordFetcher> fetcher_;
  TypeBlocks types_;
  BitVector reachable_;
  std::optional<NativeSurvey> native_;
  std::optional<ReferencesSection> references_;
  ReferentLog excluded_;
  BitVector weakly_held_;
  std::optional<LeakFinder> leaks_;
  RankedSet unreachable_;
  std::optional<CollectionsFiller> collections_;
  Report report_;
};

}  // namespace hprof
