// The order of the steps is that of the columns they need, so that no more than two of four bytes
// per object are in memory at a time, and none beside the references.
#include "common/output_file.h"
#include "common/steps.h"
#include "formats/report/report_file.h"
#include "formats/report/sections.h"
#include "formats/stage_run.h"
#include "tools/hprof-report/commands.h"
#include "tools/hprof-report/depths.h"
#include "tools/hprof-report/leak_finder.h"
#include "tools/hprof-report/overview_filler.h"
#include "tools/hprof-report/top_filler.h"
#include "tools/hprof-report/triage_filler.h"

#include <algorithm>
#include <chrono>
#include <string>

namespace hprof {

const ToolInfo kReportTool{
    .name = "hprof-report",
    .synopsis = "hprof-report [OPTIONS] X.index X.graph X.domtree [-o OUT]",
    .purpose =
        "Writes the report on a heap dump from its stage files.\n"
        "Further commands, each with a --help of its own:\n"
        "  hprof-report objects X.index X.graph X.domtree    list every reachable object as CSV\n"
        "  hprof-report render REPORT.json                   print a finished report in another "
        "format\n"
        "  hprof-report emit-schema                          print the JSON schema of the report",
    .example = "hprof-report app.index app.graph app.domtree -o app.report.md",
};

namespace {

struct Options : CommonOptions {
  std::string index;
  std::string graph;
  std::string domtree;
  std::string dump;
  std::string output;
  std::string format;
  std::string detail = "default";
  std::string sections;
  std::string stats;
  std::uint64_t leak_percent = 10;  // hidden; tests compare other thresholds too
};

bool parse_options(int argc, char** argv, Options& options) {
  OptionParser parser(kReportTool);
  // clang-format off
  parser.positional("X.index", options.index, "what hprof-index wrote")
      .positional("X.graph", options.graph, "what hprof-graph wrote")
      .positional("X.domtree", options.domtree, "what hprof-domtree wrote")
      .text("output,o", "OUT", options.output, "the file to write instead of standard output; gzipped if it ends in .gz")
      .choice("format,f", options.format, report_format_words(), "format; without it OUT's extension decides, else md")
      .choice("detail", options.detail, {"minimal", "default", "max"}, "how much to show")
      .text("sections", "LIST", options.sections, "only these sections, e.g. summary,leaks")
      .text("dump", "DUMP", options.dump, "the dump, to be checked and named in the report")
      .text("stats", "FILE.json", options.stats, "write the counters of this run")
      .hidden_number("leak-percent", options.leak_percent, 1, 100)
      .common(options);
  // clang-format on
  if (!parser.parse(argc, argv)) {
    return false;
  }
  const std::vector<std::string> inputs{options.index, options.graph, options.domtree,
                                        options.dump};
  refuse_overwriting(options.output, inputs);
  refuse_overwriting(options.stats, inputs);
  report_format(options.format, options.output);
  return true;
}

std::size_t top_rows(const std::string& detail) {
  return detail == "minimal" ? 10 : detail == "max" ? 100 : 20;
}

std::string now_utc() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  const auto time = static_cast<std::time_t>(seconds);
  std::tm fields{};
  std::array<char, 32> buffer{};
  ::gmtime_r(&time, &fields);
  return {buffer.data(),
          std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%SZ", &fields)};
}

std::uint64_t sum_of_largest(const TopLevel& top_level, std::size_t count) {
  const auto objects = top_level.largest();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < std::min(count, objects.size()); ++i) {
    sum += objects[i].retained;
  }
  return sum;
}

/// Fills the report step by step.
class ReportFiller {
 public:
  ReportFiller(Heap& heap, Steps& steps, const Options& options)
      : heap_(heap), steps_(steps), options_(options) {
    if (!options.sections.empty()) {
      report_.sections = parse_sections(options.sections);
    }
    report_.generated = now_utc();
    report_.generator = "hprof-report " + tool_version();
    report_.detail = options.detail;
  }

  Report fill() {
    heap_.load_dominators();
    const auto depths = steps_.run("depths", [&](Progress&) {
      return wants("triage") ? measure_depths(heap_.dominators()) : DepthFigures();
    });
    heap_.load_retained();
    const RootKinds roots(heap_.index().roots);
    TopLevel top_level(heap_, std::max(kMostAboveOnePercent, top_rows(options_.detail)));
    steps_.run("totals", [&](Progress&) { fill_totals(roots, top_level); });
    steps_.run("leak suspects", [&](Progress&) { fill_leaks(roots, top_level); });
    if (wants("triage")) {
      report_.triage = fill_triage(report_, depths, sum_of_largest(top_level, 10));
    }
    return std::move(report_);
  }

 private:
  bool wants(const std::string& section) const {
    return !report_.sections || std::find(report_.sections->begin(), report_.sections->end(),
                                          section) != report_.sections->end();
  }

  void fill_totals(const RootKinds& roots, TopLevel& top_level) {
    OverviewFiller overview(heap_, roots);
    const auto totals = heap_.for_each_object([&](const HeapObject& object) {
      heap_.note_loader(object);
      overview.add(object);
      top_level.add(object);
    });
    report_.overview = overview.overview(totals, options_.dump);
    if (wants("unreachable")) {
      report_.unreachable = overview.unreachable();
    }
    report_.top = fill_top_consumers(heap_, top_level, top_rows(options_.detail));
  }

  void fill_leaks(const RootKinds& roots, const TopLevel& top_level) {
    LeakFinder finder(heap_, roots, top_level, options_.leak_percent);
    if (finder.needs_paths()) {
      finder.collect_instances();
    }
    heap_.release_dominators();
    finder.descend();
    heap_.release_retained();
    if (finder.needs_paths()) {
      finder.trace();
    }
    report_.leaks = finder.result();
  }

  Heap& heap_;
  Steps& steps_;
  const Options& options_;
  Report report_;
};

}  // namespace

ExitCode report_command(int argc, char** argv) {
  Options options;
  if (!parse_options(argc, argv, options)) {
    return ExitCode::ok;
  }
  Steps steps(kReportTool, options);
  Heap heap = steps.run("stage files", [&](Progress&) {
    auto files = HeapFiles::open(options.index, options.graph, options.domtree);
    refuse_overwriting_dump(options.output, files.provenance.dump);
    if (!options.dump.empty()) {
      find_dump(options.dump, options.index, files.provenance.dump);
    }
    return Heap(std::move(files));
  });
  const Report report = ReportFiller(heap, steps, options).fill();
  steps.run("report", [&](Progress&) {
    write_report(report, report_format(options.format, options.output), options.output);
  });
  steps.finish(options.stats);
  return ExitCode::ok;
}

}  // namespace hprof
