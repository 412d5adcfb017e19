#pragma once

#include "common/bit_vector.h"
#include "common/steps.h"
#include "formats/report/report.h"
#include "tools/hprof-report/collections/array_filler.h"
#include "tools/hprof-report/collections/collection_holders.h"
#include "tools/hprof-report/collections/collection_log.h"
#include "tools/hprof-report/collections/collection_plan.h"
#include "tools/hprof-report/collections/collection_results.h"
#include "tools/hprof-report/collections/collection_surveyor.h"
#include "tools/hprof-report/collections/field_surveyor.h"
#include "tools/hprof-report/collections/size_reader.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/roots.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// What is asked of the section.
struct CollectionOptions {
  std::string rules;      ///< rule file; empty: the one that comes with the program
  bool by_field = false;  ///< attribute all collections to fields
  std::size_t rows = 20;  ///< of bounded lists
};

/// Fills Arrays and Collections, in steps beside those of other sections.
class CollectionsFiller {
 public:
  /// Error(no_input, bad_data, limit) when the rule file is none.
  CollectionsFiller(const Heap& heap, const RootKinds& roots, const CollectionOptions& options);

  /// To be shown every object in index order before the survey.
  void note(const ObjectRow& row) {
    if (plans_ && plans_->is_structure(row.type)) {
      structure_.set(row.index);
    }
  }
  /// After that, where the dominators are not in memory during the survey: to be shown every node.
  void note_node(const DomtreeNode& node) {
    if (storage_.size() == 0) {
      storage_ = BitVector(heap_.objects());
    }
    if (node.dominator < kVirtualRoot && structure_.size() != 0 &&
        structure_.test(node.dominator)) {
      storage_.set(node.index);
    }
  }
  /// Joins the shared survey of the dump.
  void join(Survey& survey);
  /// To be shown every object with what it retains.
  void add(const HeapObject& object) { arrays_.add(object); }
  /// After it, with both columns loaded; where fields are asked for, this reads the dump again.
  void end_survey(DumpSource& dump, Progress& progress);
  /// Wants records for the shared fetching.
  void want(RecordFetcher& fetcher);
  /// After it. Fills `report`.
  void finish(RecordFetcher& fetcher, Report& report);
  /// Instead of all of that, where the dump is not there.
  void finish_without_dump(Report& report) const;

  /// Whether there are rules to know collections by.
  bool has_rules() const { return plans_.has_value(); }

 private:
  bool is_storage(std::uint32_t object) const;
  void choose_biggest();
  void name_owner(RecordFetcher& fetcher, std::size_t number);
  std::vector<CollectionEntries> entries() const;
  void fill_biggest(Collections& out);

  struct Big {
    std::uint32_t object = 0;
    CollectionHolding holding;
    std::string field;
  };

  const Heap& heap_;
  const RootKinds& roots_;
  CollectionOptions options_;
  ArrayFiller arrays_;
  BitVector structure_;
  BitVector storage_;  ///< objects below structures, if kept
  std::optional<CollectionPlans> plans_;
  CollectionLog log_;
  std::optional<CollectionSurveyor> surveyor_;
  std::optional<CollectionResults> results_;
  std::optional<FieldSurveyor> fields_;
  std::optional<CollectionHolderNames> names_;
  std::optional<SizeReader> sizes_;
  FieldTable field_table_;
  std::vector<Big> biggest_;
};

}  // namespace hprof
