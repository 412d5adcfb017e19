// The order of the steps is that of the columns they need, so that no more than two of four bytes
// per object are in memory at a time, and none beside the references.
#include "tools/hprof-report/report_filler.h"

#include "formats/report/sections.h"
#include "tools/hprof-report/allocation/allocation_survey.h"
#include "tools/hprof-report/jvm/jvm_reader.h"
#include "tools/hprof-report/leak_finder.h"
#include "tools/hprof-report/overview_filler.h"
#include "tools/hprof-report/paths/leaks_filler.h"
#include "tools/hprof-report/threads/thread_reader.h"
#include "tools/hprof-report/threads/threads_filler.h"
#include "tools/hprof-report/top_filler.h"
#include "tools/hprof-report/triage/triage_filler.h"
#include "tools/hprof-report/unreachable/garbage_filler.h"

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
      top_level_(heap, std::max(kMostAboveOnePercent, caps_.top_rows)),
      threads_(heap) {
  if (!options.sections.empty()) {
    report_.sections = parse_sections(options.sections);
  }
  report_.generated = now_utc();
  report_.generator = "hprof-report " + tool_version();
  report_.detail = options.detail;
}

Report ReportFiller::fill() {
  steps_.run("depths", [&](Progress&) { measure(); });
  steps_.run("totals", [&](Progress&) { sum_up(); });
  steps_.run("references", [&](Progress&) { solve_references(); });
  steps_.run("dump", [&](Progress& progress) { read_dump(progress); });
  steps_.run("classes of objects", [&](Progress&) { look_again(); });
  steps_.run("leak suspects", [&](Progress&) { find_leaks(); });
  steps_.run("garbage", [&](Progress&) { look_at_garbage(); });
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

/// What takes one look at each object: class, size, dominator, retained size.
void ReportFiller::sum_up() {
  heap_.load_retained();
  OverviewFiller overview(heap_, roots_);
  if (wants("references")) {
    references_.emplace(heap_, caps_.top_rows);
  }
  unreachable_ = RankedSet(heap_.objects());
  auto totals = heap_.for_each_object(
      [&](const HeapObject& object) {
        heap_.note_loader(object);
        overview.add(object);
        top_level_.add(object);
        threads_.add(object);
        if (references_) {
          references_->note(object);
        }
        if (!object.reachable()) {
          unreachable_.insert(object.index);
        }
      },
      [&](std::uint32_t source, std::uint32_t ordinal) {
        if (references_) {
          references_->note_excluded(source, ordinal);
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

/// How strongly each object is held, from the references and the dominators.
void ReportFiller::solve_references() {
  if (references_) {
    references_->solve();
  }
}

/// What needs the records of the dump beside dominators and retained sizes.
void ReportFiller::read_dump(Progress& progress) {
  if (wants("threads")) {
    report_.threads = ThreadsFiller(heap_, threads_, caps_).fill();
  }
  if (dump_ == nullptr && report_.threads) {
    leave_out("threads", "the dump was not there, so names and states of threads are missing");
  }
  if (dump_ == nullptr) {
    leave_out("overview", "the dump was not there, so nothing is said of texts and field values");
    if (wants("allocation_sites")) {
      leave_out("allocation_sites",
                "the dump was not there, so nothing is said of where objects were allocated");
    }
    if (references_) {
      leave_out("references",
                "the dump was not there, so nothing is said of finalizers, buffers and "
                "ThreadLocals");
    }
    return;
  }
  Survey survey(*dump_,
                [&](std::uint32_t object) { return heap_.dominators()[object] != kUnreachable; });
  if (references_) {
    references_->join(survey, *dump_);
  }
  AllocationSurvey allocations(heap_);
  if (wants("allocation_sites") && allocations.has_traces()) {
    survey.add(allocations);
  }
  survey.run(progress);
  if (wants("allocation_sites")) {
    report_.allocation_sites = allocations.result(caps_.allocation_sites);
  }
  RecordFetcher fetcher(*dump_);
  if (references_) {
    references_->ask(fetcher, *dump_);
  }
  JvmReader jvm(heap_.index(), fetcher);
  jvm.want();
  ThreadReader threads(heap_);
  if (report_.threads) {
    threads.want(fetcher, *report_.threads);
  }
  fetcher.run();
  jvm.fill(report_.overview, options_.show_secrets);
}

/// What takes a second look at each object, for what has been found out since the first.
void ReportFiller::look_again() {
  if (references_) {
    references_->start_tally();
    heap_.for_each_object([&](const HeapObject& object) { references_->add(object); });
    report_.references = references_->result();
    references_.reset();
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

/// What the unreachable objects once were; takes their references into memory, with nothing else.
void ReportFiller::look_at_garbage() {
  if (report_.unreachable && report_.unreachable->objects != 0) {
    unreachable_.freeze();
    report_.unreachable->garbage = fill_garbage(heap_, unreachable_, caps_.top_rows);
  }
  unreachable_ = {};
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
