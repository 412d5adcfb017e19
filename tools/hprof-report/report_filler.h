#pragma once

#include "common/steps.h"
#include "formats/report/report.h"
#include "tools/hprof-report/depths.h"
#include "tools/hprof-report/dump/dump_source.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/references/references_section.h"
#include "tools/hprof-report/report_options.h"
#include "tools/hprof-report/roots.h"
#include "tools/hprof-report/threads/thread_collector.h"
#include "tools/hprof-report/top_level.h"
#include "tools/hprof-report/unreachable/ranked_set.h"

#include <memory>
#include <optional>
#include <string>

namespace hprof {

/// Fills a report step by step, in the order in which columns of the heap can be released.
class ReportFiller {
 public:
  /// `dump_path`: the dump, already checked; empty where it is not there, and what needs it is then
  /// left out and said to be.
  ReportFiller(Heap& heap, Steps& steps, const ReportOptions& options, std::string dump_path);

  Report fill();

 private:
  bool wants(const std::string& section) const;
  void measure();
  void sum_up();
  void solve_references();
  void read_dump(Progress& progress);
  void look_again();
  void find_leaks();
  void look_at_garbage();
  void advise();
  void leave_out(const std::string& section, const std::string& reason);

  Heap& heap_;
  Steps& steps_;
  const ReportOptions& options_;
  std::string dump_path_;
  DetailCaps caps_;
  RootKinds roots_;
  TopLevel top_level_;
  DepthFigures depths_;
  ThreadCollector threads_;
  std::unique_ptr<DumpSource> dump_;
  std::optional<ReferencesSection> references_;
  RankedSet unreachable_;
  Report report_;
};

}  // namespace hprof
