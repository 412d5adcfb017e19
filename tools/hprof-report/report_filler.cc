// The order of the steps is that of the columns they need, so that no more than two of four bytes
// per object are in memory at a time, and none beside the references.
#include "tools/hprof-report/report_filler.h"

#include "common/clock.h"
#include "formats/report/sections.h"
#include "tools/hprof-report/dominators/topmost.h"
#include "tools/hprof-report/overview_filler.h"
#include "tools/hprof-report/paths/leaks_filler.h"
#include "tools/hprof-report/top_filler.h"
#include "tools/hprof-report/tree_check.h"
#include "tools/hprof-report/triage/triage_filler.h"
#include "tools/hprof-report/unreachable/garbage_filler.h"

#include <algorithm>
#include <utility>

namespace hprof {
namespace {

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
  steps_.run("objects", [&](Progress&) { scan_objects(); });
  if (strings_ != nullptr) {
    steps_.run("strings", [&](Progress&) { strings_->find_arrays(); });
  }
  if (dump_ != nullptr) {
    steps_.run("dump", [&](Progress& progress) { survey_dump(progress); });
  }
  steps_.run("totals", [&](Progress&) { sum_up(); });
  steps_.run("references", [&](Progress&) { solve_references(); });
  steps_.run("records", [&](Progress& progress) { look_at_records(progress); });
  steps_.run("classes of objects", [&](Progress&) { look_again(); });
  steps_.run("leak suspects", [&](Progress&) { find_leaks(); });
  if (component_sets_) {
    steps_.run("components", [&](Progress&) { component_sets_->fill(heap_); });
  }
  steps_.run("garbage", [&](Progress&) { look_at_garbage(); });
  steps_.run("triage", [&](Progress&) { advise(); });
  return std::move(report_);
}

bool ReportFiller::wants(const std::string& section) const {
  return !report_.sections || std::find(report_.sections->begin(), report_.sections->end(),
                                        section) != report_.sections->end();
}

void ReportFiller::start_sections() {
  if (dominator_views_) {
    dominator_views_->find_drops();
  } else {
    TreeCheck::all(heap_);
  }
  if (wants("components")) {
    components_.emplace(heap_);
  }
  if (wants("references") || wants("components")) {
    if (!references_) {
      references_.emplace(heap_, caps_.top_rows);
    }
    references_->start();
  }
  unreachable_ = RankedSet(heap_.objects());
  top_level_objects_ = RankedBits(heap_.objects());
}

/// Shows an object to every section that counts objects.
void ReportFiller::count(const HeapObject& object) {
  threads_.add(object);
  if (dominator_views_) {
    dominator_views_->add(object);
  }
  if (strings_ != nullptr) {
    strings_->add(object);
  }
  if (collections_) {
    collections_->add(object);
  }
  if (references_) {
    references_->note(object);
  }
  if (object.top_level()) {
    count_top_level(object);
  } else if (!object.reachable()) {
    unreachable_.insert(object.index);
  }
}

void ReportFiller::count_top_level(const HeapObject& object) {
  top_level_.add(object);
  if (components_) {
    components_->add(object);
  }
  top_level_objects_.set(object.index);
}

void ReportFiller::load_tree() {
  if (heap_.dominators().empty()) {
    heap_.load_tree();
  } else {
    heap_.load_retained();
  }
  if (dominator_views_) {
    dominator_views_->settle();
  }
}

/// What takes one look at each object: class, size, dominator, retained size.
void ReportFiller::sum_up() {
  load_tree();
  OverviewFiller overview(heap_, roots_);
  start_sections();
  auto totals = heap_.for_each_object(
      [&](const HeapObject& object) {
        heap_.note_loader(object);
        overview.add(object);
        count(object);
      },
      [&](std::uint32_t source, std::uint32_t ordinal) {
        if (references_) {
          excluded_.add({.source = source,
                         .ordinal = ordinal,
                         .strength = references_->note_excluded(source, ordinal)});
        }
      });
  top_level_objects_.finish();
  report_.overview = overview.overview(totals, options_.dump);
  report_.complete = !report_.overview.coverage;
  if (wants("unreachable")) {
    report_.unreachable = overview.unreachable();
  }
  report_.top = fill_top_consumers(heap_, top_level_, caps_.top_rows, heap_.used_heap());
  sum_up_loaders(overview.loaded());
  finish_views();
}

/// How strongly each object is held, from the references and the dominators.
void ReportFiller::solve_references() {
  if (references_) {
    references_->solve();
  }
}

void ReportFiller::sum_up_loaders(const LoadedClasses& loaded) {
  const DuplicateClasses duplicates(heap_, loaded.classes);
  report_.overview.class_loaders =
      class_loader_rows(heap_, loaded, duplicates, top_level_, caps_.class_loaders);
  report_.overview.duplicate_class_names = duplicates.names();
  report_.overview.duplicate_classes = duplicates.rows(caps_.class_loaders);
}

/// Takes over what the dominators have told, and gives its memory back.
void ReportFiller::finish_views() {
  if (dominator_views_) {
    report_.dominators = dominator_views_->result(top_level_);
  }
  dominator_views_.reset();
  leaks_.emplace(heap_, roots_, top_level_, options_.leak_percent);
}

/// What takes a second look at the objects, for what has been found out since the first.
void ReportFiller::look_again() {
  if (references_) {
    weakly_held_ = references_->start_tally();
  }
  if (leaks_->has_groups()) {
    heap_.for_each_object([&](const HeapObject& object) { leaks_->collect(object); });
  }
}

/// What follows from the top-level object above each object; takes the dominators' place.
void ReportFiller::split_by_top_level(RetainedClasses& classes) {
  const auto tops = topmost_objects(heap_.take_dominators(), top_level_objects_);
  std::uint32_t last = kUnreachable;
  TopLevelRun run;
  heap_.graph().for_each_object([&](const ObjectRow& row) {
    const auto top = tops[row.index];
    if (top == kUnreachable) {
      return;
    }
    if (top != last) {
      end_run(run);
      last = top;
      run = {.number = top_level_objects_.rank(top), .objects = 0};
    }
    ++run.objects;
    if (held_by_locals_) {
      held_by_locals_->note(row.index, top);
    }
    classes.add(row, run.number);
    if (references_) {
      references_->add(row);
    }
  });
  end_run(run);
  classes.release();
  finish_references();
  heap_.release_retained();
  if (components_) {
    report_.components = components_->result(top_level_, caps_.top_rows);
    component_sets_.emplace(heap_, *report_.components, caps_.top_rows, top_level_objects_,
                            excluded_);
    component_sets_->scan({.heap = heap_,
                           .tops = tops,
                           .top_level = top_level_objects_,
                           .weakly_held = weakly_held_,
                           .excluded = excluded_},
                          *components_);
  }
  components_.reset();
}

void ReportFiller::end_run(const TopLevelRun& run) {
  if (components_ && run.objects != 0) {
    components_->count(run.number, run.objects);
  }
}

void ReportFiller::finish_references() {
  if (references_ && wants("references")) {
    report_.references = references_->result();
  }
  references_.reset();
}

/// Suspects, and the paths to them and to the biggest objects. The references are in memory with
/// both columns released; these are loaded once more only for accumulation points that are found
/// then.
void ReportFiller::find_leaks() {
  auto& finder = *leaks_;
  finder.descend();
  std::optional<Subtrees> trees;
  if (!finder.has_groups()) {
    trees = trees_below(finder.points());
  }
  SharedHoldings shared(heap_, finder.suspicions());
  RetainedClasses classes(heap_, finder.suspicions(), top_level_objects_);
  split_by_top_level(classes);
  PathBook book(caps_.path_depth);
  for (const auto& row : report_.top.biggest_objects) {
    book.want(heap_.index().addresses.index_of(row.address.value).value());
  }
  finder.trace(book, [&](const ReferenceGraph& graph) {
    shared.search(graph);
    search(graph);
  });
  if ((component_sets_ && component_sets_->wants_graph()) ||
      (held_by_locals_ && held_by_locals_->wants_graph())) {
    search(ReferenceGraph(heap_.graph(), ReferenceGraph::Excluded::skip));
  }
  LeaksFiller filler(heap_, roots_, finder, book, shared, caps_, dump_.get());
  if (!trees) {
    heap_.load_tree();
    trees = trees_below(finder.points());
    heap_.release_dominators();
    heap_.release_retained();
  }
  read_objects(filler, std::move(*trees));
  filler.name_references();
  report_.leaks = filler.leaks(classes);
  filler.add_paths(report_.top);
  if (dump_ == nullptr) {
    leave_out("leaks", "without the dump the fields and elements on paths have no names");
  }
}

/// What takes the references, in memory without the excluded ones.
void ReportFiller::search(const ReferenceGraph& graph) {
  if (component_sets_) {
    component_sets_->search(graph);
  }
  if (held_by_locals_) {
    held_by_locals_->search(graph);
  }
}

Subtrees ReportFiller::trees_below(const std::vector<std::uint32_t>& points) const {
  return {heap_, points, TreeCaps{caps_.tree_nodes, caps_.tree_depth, caps_.leak_children}};
}

void ReportFiller::read_objects(LeaksFiller& filler, Subtrees trees) {
  filler.read_objects(std::move(trees), [this](const HeapObject& object) {
    if (component_sets_) {
      component_sets_->add(object);
    }
    if (held_by_locals_) {
      held_by_locals_->add(object);
    }
  });
  if (component_sets_) {
    component_sets_->end();
  }
  if (held_by_locals_) {
    held_by_locals_->fill(*report_.threads);
    held_by_locals_.reset();
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
    name_missing_facts();
    report_.triage =
        fill_triage(report_, heap_.domtree().summary().depths, sum_of_largest(top_level_, 10));
  }
  if (dump_ != nullptr) {
    steps_.stats().set("dump_passes", dump_->passes());
    steps_.stats().set("dump_bytes_read", dump_->bytes_read());
  }
}

/// Rules about sections that are left out find nothing.
void ReportFiller::name_missing_facts() {
  std::string missing;
  for (const auto* section : {"threads", "collections", "references"}) {
    if (!wants(section)) {
      missing += (missing.empty() ? "" : ", ") + std::string(section);
    }
  }
  if (!missing.empty()) {
    leave_out("triage", "rules about sections that are left out were not tried: " + missing);
  }
}

void ReportFiller::leave_out(const std::string& section, const std::string& reason) {
  if (!report_.not_covered) {
    report_.not_covered.emplace();
  }
  report_.not_covered->push_back({.section = section, .reason = reason});
}

}  // namespace hprof
