// Field values and texts are in the dump alone. All sections share one reading of it for what they
// want to see of every object of some class, and few more for single records. The shared one comes
// early, while the columns of the heap need not be in memory.
#include "formats/report/derived.h"
#include "tools/hprof-report/allocation/allocation_survey.h"
#include "tools/hprof-report/jvm/jvm_reader.h"
#include "tools/hprof-report/report_filler.h"
#include "tools/hprof-report/threads/thread_reader.h"
#include "tools/hprof-report/threads/threads_filler.h"

namespace hprof {

/// What is to be known of all objects before the dump is read. To find equal contents takes about
/// as much memory as a column of the heap, so that the dominators are loaded after it only.
void ReportFiller::scan_objects() {
  start_scan();
  std::optional<NodeStream> nodes;
  if (by_content()) {
    nodes.emplace(heap_.domtree());
  } else {
    heap_.load_dominators();
  }
  auto totals = heap_.graph().for_each_object([&](const ObjectRow& row) {
    note(row, nodes ? nodes->next().dominator : heap_.dominators()[row.index]);
  });
  if (nodes) {
    nodes->finish();
  }
  if (!dump_path_.empty()) {
    dump_ = std::make_unique<DumpSource>(dump_path_, heap_.files().provenance.dump.dump_number,
                                         heap_.index(), std::move(totals.places));
  }
}

void ReportFiller::start_scan() {
  if (wants("dominators")) {
    dominator_views_.emplace(heap_, options_, caps_);
  }
  if (wants("strings")) {
    start_strings();
  }
  if (wants("collections")) {
    collections_.emplace(heap_, roots_,
                         CollectionOptions{.rules = options_.collection_rules,
                                           .by_field = options_.collections,
                                           .rows = caps_.top_rows});
  }
  types_ = TypeBlocks(heap_.objects());
  reachable_ = BitVector(heap_.objects());
}

void ReportFiller::note(const ObjectRow& row, std::uint32_t dominator) {
  if (dominator != kUnreachable) {
    reachable_.set(row.index);
  }
  types_.add(row.index, row.type);
  if (dominator_views_) {
    dominator_views_->note(row);
  }
  if (strings_ != nullptr) {
    strings_->note(row, dominator != kUnreachable);
  }
  if (collections_) {
    collections_->note(row);
  }
}

/// Whether equal contents are looked for.
bool ReportFiller::by_content() const {
  return strings_ != nullptr && strings_->by_content();
}

void ReportFiller::start_strings() {
  const bool by_content = options_.find_duplicates && !dump_path_.empty();
  if (options_.find_duplicates && !by_content) {
    leave_out("strings", "the dump was not there, so equal texts and arrays were not looked for");
  }
  strings_ =
      std::make_unique<StringsFiller>(heap_, StringsOptions{.find_duplicates = by_content,
                                                            .show_values = options_.show_values,
                                                            .rows = caps_.top_rows});
}

/// What is told by the records alone and by who is reachable; no column of the heap need be in
/// memory.
void ReportFiller::survey_dump(Progress& progress) {
  const auto reachable = [this](std::uint32_t object) { return is_reachable(object); };
  Survey survey(*dump_, reachable);
  survey.pass_over_others(types_);
  if (wants("references")) {
    references_.emplace(heap_, caps_.top_rows).join(survey, *dump_);
  }
  AllocationSurvey allocations(heap_, reachable);
  if (wants("allocation_sites") && allocations.has_traces()) {
    survey.add(allocations);
  }
  if (collections_) {
    collections_->join(survey);
  }
  if (by_content()) {
    strings_->start_survey(survey, *dump_);
    heap_.domtree().for_each_node([this](const DomtreeNode& node) {
      strings_->note_node(node);
      if (collections_) {
        collections_->note_node(node);
      }
    });
    strings_->count_elements(reachable_);
  }
  native_.emplace(heap_);
  if (native_->any()) {
    survey.add(*native_);
  }
  survey.run(progress);
  if (wants("allocation_sites")) {
    report_.allocation_sites = allocations.result(caps_.allocation_sites);
  }
  fetcher_.emplace(*dump_);
  if (by_content()) {
    strings_->finish_survey(*dump_, reachable, *fetcher_, progress);
  }
}

/// What needs records of the dump beside dominators and retained sizes.
void ReportFiller::look_at_records(Progress& progress) {
  if (wants("threads")) {
    fill_threads();
  }
  if (dump_ == nullptr) {
    do_without_dump();
  } else {
    native_->fill(report_.overview);
    if (collections_) {
      collections_->end_survey(*dump_, progress);
    }
    fetch_records();
  }
  if (strings_ != nullptr) {
    report_.strings = strings_->result(report_.overview);
    strings_.reset();
  }
}

/// All but what their locals retain together, which takes the references.
void ReportFiller::fill_threads() {
  const ThreadsFiller filler(heap_, threads_, caps_);
  report_.threads = filler.fill();
  const auto dominating = filler.dominating_locals();
  if (!dominating.empty()) {
    held_by_locals_.emplace(heap_, dominating,
                            follows_strong_only(report_.overview)
                                ? ReferenceGraph::Excluded::skip
                                : ReferenceGraph::Excluded::follow,
                            top_level_objects_);
  }
}

/// Single records, all that are wanted at a time in one reading.
void ReportFiller::fetch_records() {
  auto& fetcher = *fetcher_;
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
    finish_collections();
  }
}

void ReportFiller::finish_collections() {
  collections_->finish(*fetcher_, report_);
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
