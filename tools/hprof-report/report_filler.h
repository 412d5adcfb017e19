#pragma once

#include "common/steps.h"
#include "formats/report/report.h"
#include "tools/hprof-report/depths.h"
#include "tools/hprof-report/dump/dump_source.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/report_options.h"
#include "tools/hprof-report/roots.h"
#include "tools/hprof-report/strings/strings_filler.h"
#include "tools/hprof-report/top_level.h"

#include <memory>
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
  void find_strings();
  void sum_up();
  void read_dump(Progress& progress);
  void finish_sections();
  void find_leaks();
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
  std::unique_ptr<StringsFiller> strings_;
  std::unique_ptr<DumpSource> dump_;
  Report report_;
};

}  // namespace hprof
