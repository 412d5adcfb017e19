// Field values and texts are in the dump alone. All sections share one reading of it for what they
// want to see of every object of some class, and few more for single records.
#include "tools/hprof-report/allocation/allocation_survey.h"
#include "tools/hprof-report/android/native_survey.h"
#include "tools/hprof-report/jvm/jvm_reader.h"
#include "tools/hprof-report/report_filler.h"
#include "tools/hprof-report/threads/thread_reader.h"
#include "tools/hprof-report/threads/threads_filler.h"

namespace hprof {

/// What needs the records of the dump beside dominators and retained sizes.
void ReportFiller::look_at_dump(Progress& progress) {
  if (wants("threads")) {
    report_.threads = ThreadsFiller(heap_, threads_, caps_).fill();
  }
  if (dump_ == nullptr) {
    do_without_dump();
  } else {
    RecordFetcher fetcher(*dump_);
    survey_dump(fetcher, progress);
    fetch_records(fetcher);
  }
  if (strings_ != nullptr) {
    report_.strings = strings_->result(report_.overview);
    strings_.reset();
  }
}

void ReportFiller::survey_dump(RecordFetcher& fetcher, Progress& progress) {
  const auto is_reachable = [this](std::uint32_t object) {
    return heap_.dominators()[object] != kUnreachable;
  };
  Survey survey(*dump_, is_reachable);
  survey.pass_over_others(types_);
  if (references_ && wants("references")) {
    references_->join(survey, *dump_);
  }
  AllocationSurvey allocations(heap_);
  if (wants("allocation_sites") && allocations.has_traces()) {
    survey.add(allocations);
  }
  if (collections_) {
    collections_->join(survey);
  }
  if (strings_ != nullptr) {
    strings_->start_survey(survey, *dump_);
  }
  NativeSurvey native(heap_);
  if (native.any()) {
    survey.add(native);
  }
  survey.run(progress);
  native.fill(report_.overview);
  if (wants("allocation_sites")) {
    report_.allocation_sites = allocations.result(caps_.allocation_sites);
  }
  if (collections_) {
    collections_->end_survey(*dump_, progress);
  }
  if (strings_ != nullptr) {
    strings_->finish_survey(*dump_, is_reachable, fetcher, progress);
  }
}

/// Single records, all that are wanted at a time in one reading.
void ReportFiller::fetch_records(RecordFetcher& fetcher) {
  JvmReader jvm(heap_.index(), fetcher);
  jvm.want();
  ThreadReader threads(heap_);
  if (report_.threads) {
    threads.want(fetcher, *report_.threads);
  }
  if (references_ && wants("references")) {
    references_->ask(fetcher, *dump_);
  }
  if (collections_) {
    collections_->want(fetcher);
  }
  fetch_loader_fields(heap_, fetcher, *report_.overview.class_loaders);
  fetcher.run();
  if (report_.threads) {
    threads.finish(*report_.threads);
  }
  jvm.fill(report_.overview, options_.show_secrets);
  if (collections_) {
    finish_collections(fetcher);
  }
}

void ReportFiller::finish_collections(RecordFetcher& fetcher) {
  collections_->finish(fetcher, report_);
  if (!collections_->has_rules()) {
    leave_out("collections", "there is no rule file; name one with --collection-rules");
  }
  collections_.reset();
}

/// What is left of the sections that need the dump, and what is said instead.
void ReportFiller::do_without_dump() {
  leave_out("overview", "the dump was not there, so nothing is said of texts and field values");
  if (report_.threads) {
    leave_out("threads", "the dump was not there, so names and states of threads are missing");
  }
  if (collections_) {
    collections_->finish_without_dump(report_);
    collections_.reset();
    leave_out("collections",
              "the dump was not there, so nothing is said of collections and of what arrays hold");
  }
  if (references_ && wants("references")) {
    leave_out("references",
              "the dump was not there, so nothing is said of finalizers, buffers and ThreadLocals");
  }
  if (wants("allocation_sites")) {
    leave_out("allocation_sites",
              "the dump was not there, so nothing is said of where objects were allocated");
  }
}

}  // namespace hprof
