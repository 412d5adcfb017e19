// The order of the steps is that of the columns they need, so that no more than two of four bytes
// per object are in memory at a time, and none beside the references.
#include "tools/hprof-report/report_filler.h"

#include "formats/report/sections.h"
#include "tools/hprof-report/leak_finder.h"
#include "tools/hprof-report/overview_filler.h"
#include "tools/hprof-report/paths/leaks_filler.h"
#include "tools/hprof-report/top_filler.h"
#include "tools/hprof-report/triage/triage_filler.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <utility>

namespace hprof {
namespace {

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

}  // namespace

ReportFiller::ReportFiller(Heap& heap, Steps& steps, const ReportOptions& options,
                           std::string dump_path)
    : heap_(heap),
      steps_(steps),
      options_(options),
      dump_path_(std::move(dump_path)),
      caps_(detail_caps(options.detail)),
      roots_(heap.index().roots),
      top_level_(heap, std::max(kMostAboveOnePercent, caps_.top_rows)) {
  if (!options.sections.empty()) {
    report_.sections = parse_sections(options.sections);
  }
  report_.generated = now_utc();
  report_.generator = "hprof-report " + tool_version();
  report_.detail = options.detail;
}

Report ReportFiller::fill() {
  steps_.run("depths", [&](Progress&) { measure(); });
  if (wants("strings")) {
    steps_.run("strings", [&](Progress&) { find_strings(); });
  }
  steps_.run("totals", [&](Progress&) { sum_up(); });
  steps_.run("dump", [&](Progress& progress) {
    read_dump(progress);
    finish_sections();
  });
  steps_.run("leak suspects", [&](Progress&) { find_leaks(); });
  steps_.run("triage", [&](Progress&) { advise(); });
  return std::move(report_);
}

bool ReportFiller::wants(const std::string& section) const {
  return !report_.sections || std::find(report_.sections->begin(), report_.sections->end(),
                                        section) != report_.sections->end();
}

/// What needs the dominators alone, and room beside them.
void ReportFiller::measure() {
  heap_.load_dominators();
  if (wants("triage")) {
    depths_ = measure_depths(heap_.dominators());
  }
}

/// Strings and their arrays, by the references alone; beside the dominators there is room.
void ReportFiller::find_strings() {
  if (options_.find_duplicates && dump_path_.empty()) {
    leave_out("strings", "the dump was not there, so equal texts and arrays were not looked for");
  }
  strings_ = std::make_unique<StringsFiller>(
      heap_, StringsOptions{.find_duplicates = options_.find_duplicates && !dump_path_.empty(),
                            .show_values = options_.show_values,
                            .rows = caps_.top_rows});
  strings_->scan();
}

/// What takes one look at each object: class, size, dominator, retained size.
void ReportFiller::sum_up() {
  heap_.load_retained();
  OverviewFiller overview(heap_, roots_);
  auto totals = heap_.for_each_object([&](const HeapObject& object) {
    heap_.note_loader(object);
    overview.add(object);
    top_level_.add(object);
    if (strings_ != nullptr) {
      strings_->add(object);
    }
  });
  report_.overview = overview.overview(totals, options_.dump);
  report_.complete = !report_.overview.coverage;
  if (wants("unreachable")) {
    report_.unreachable = overview.unreachable();
  }
  report_.top = fill_top_consumers(heap_, top_level_, caps_.top_rows);
  if (!dump_path_.empty()) {
    dump_ = std::make_unique<DumpSource>(dump_path_, heap_.files().provenance.dump.dump_number,
                                         heap_.index(), std::move(totals.places));
  }
}

/// What needs the records of the dump beside dominators and retained sizes.
void ReportFiller::read_dump(Progress& progress) {
  if (dump_ == nullptr) {
    leave_out("overview", "the dump was not there, so nothing is said of texts and field values");
    return;
  }
  const auto is_reachable = [&](std::uint32_t object) {
    return heap_.dominators()[object] != kUnreachable;
  };
  Survey survey(*dump_, is_reachable);
  if (strings_ != nullptr) {
    strings_->start_survey(survey, *dump_);
  }
  survey.run(progress);
  RecordFetcher fetcher(*dump_);
  if (strings_ != nullptr) {
    strings_->finish_survey(*dump_, is_reachable, fetcher, progress);
  }
  fetcher.run();
}

/// What the readings have gathered, whose memory goes with it.
void ReportFiller::finish_sections() {
  if (strings_ != nullptr) {
    report_.strings = strings_->result(report_.overview);
    strings_.reset();
  }
}

/// Suspects, and the paths to them and to the biggest objects. The references are in memory with
/// both columns released; these are loaded once more to describe what was found.
void ReportFiller::find_leaks() {
  LeakFinder finder(heap_, roots_, top_level_, options_.leak_percent);
  finder.collect_instances();
  const RetainedClasses classes(heap_, finder.suspicions());
  heap_.release_dominators();
  finder.descend();
  heap_.release_retained();
  PathBook book(caps_.path_depth);
  for (const auto& row : report_.top.biggest_objects) {
    book.want(heap_.index().addresses.index_of(row.address.value).value());
  }
  finder.trace(book);
  LeaksFiller filler(heap_, roots_, finder, book, caps_, dump_.get());
  heap_.load_tree();
  filler.read_objects();
  heap_.release_dominators();
  heap_.release_retained();
  filler.name_references();
  report_.leaks = filler.leaks(classes);
  filler.add_paths(report_.top);
  if (dump_ == nullptr) {
    leave_out("leaks", "without the dump the fields and elements on paths have no names");
  }
}

/// What follows from everything else in the report.
void ReportFiller::advise() {
  if (wants("triage")) {
    report_.triage = fill_triage(report_, depths_, sum_of_largest(top_level_, 10));
  }
  if (dump_ != nullptr) {
    steps_.stats().set("dump_passes", dump_->passes());
    steps_.stats().set("dump_bytes_read", dump_->bytes_read());
  }
}

void ReportFiller::leave_out(const std::string& section, const std::string& reason) {
  if (!report_.not_covered) {
    report_.not_covered.emplace();
  }
  report_.not_covered->push_back({.section = section, .reason = reason});
}

}  // namespace hprof
