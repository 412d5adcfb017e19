#pragma once

#include "common/steps.h"
#include "formats/report/overview.h"
#include "formats/report/string_findings.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/strings/array_verifier.h"
#include "tools/hprof-report/strings/boxes.h"
#include "tools/hprof-report/strings/slices.h"
#include "tools/hprof-report/strings/string_heap.h"
#include "tools/hprof-report/strings/string_holders.h"
#include "tools/hprof-report/strings/string_reader.h"

#include <functional>
#include <memory>
#include <vector>

namespace hprof {

/// What of the strings section is wanted.
struct StringsOptions {
  bool find_duplicates = false;  ///< needs a graph with content hashes, and the dump
  bool show_values = false;
  std::size_t rows = 20;  ///< of each list
};

/// Fills the strings section, in the steps of the report: note() for every object, find_arrays(),
/// start_survey() and finish_survey() around the reading of the dump if duplicates are wanted, and
/// add() for every object. Needs no column of the heap.
class StringsFiller {
 public:
  StringsFiller(const Heap& heap, StringsOptions options)
      : heap_(heap), options_(options), strings_(heap, options.find_duplicates, options.rows) {}

  /// To be shown every object in index order.
  void note(const ObjectRow& row, bool reachable) { strings_.note(row, reachable); }
  void find_arrays() { strings_.find_arrays(); }
  /// Whether equal texts and arrays are looked for; start_survey() and finish_survey() must follow.
  bool by_content() const { return options_.find_duplicates; }

  /// Adds what is to look at the dump.
  void start_survey(Survey& survey, DumpSource& dump);
  /// To be shown every node in index order after that.
  void note_node(const DomtreeNode& node) { holders_->note_node(node); }
  /// Then, before the survey runs; a pass over X.graph.
  void count_elements(const BitVector& reachable) {
    holders_->count_elements([this](std::uint32_t object) { return strings_.type_of(object); },
                             [&](std::uint32_t object) { return reachable.test(object); });
    strings_.forget_types();
  }
  /// Takes what was seen; heaps of JDK 6 and before are read once more for it. Texts are asked for
  /// from `fetcher`, which may deliver them until result().
  void finish_survey(DumpSource& dump, const std::function<bool(std::uint32_t)>& is_reachable,
                     RecordFetcher& fetcher, Progress& progress);

  /// To be shown every object in index order.
  void add(const HeapObject& object) { strings_.add(object); }
  Strings result(const Overview& overview);

 private:
  static constexpr std::size_t kMostMarks = 120;  ///< each of Strings and of arrays
  static constexpr std::size_t kHolders = 5;      ///< per row
  static constexpr std::uint64_t kTextCharacters = 200;

  template <typename Saves>
  std::vector<std::uint8_t> mark_groups(Saves&& saves, std::uint8_t first_mark) const;
  std::uint64_t strings_save(const ContentGroup& group) const;
  std::uint64_t arrays_save(const ContentGroup& group) const;
  std::unique_ptr<MarkedObjects> mark_arrays() const;
  std::unique_ptr<MarkedObjects> mark_strings(BoxCaches& caches) const;
  void count_strings();
  void add_value(const TextValue& value);
  void add_values_of_groups();
  void add_array_duplicates();
  void add_array_group(const ContentGroup& group, ArrayContentRow& of_class);
  std::vector<ArrayContentRow> arrays_by_type() const;
  DuplicateArrayRow duplicate_row(std::uint32_t number, std::uint64_t saves) const;
  void add_savings();
  void forget_contents();
  void fill_top_strings(RecordFetcher& fetcher);
  std::vector<TextHolder> holders_of(std::uint32_t group,
                                     const std::vector<std::uint8_t>& marks) const;
  std::uint64_t shallow_of(const ContentGroup& group) const {
    return heap_.type(group.type).shallow(group.length);
  }

  const Heap& heap_;
  StringsOptions options_;
  StringHeap strings_;
  Strings out_;
  std::vector<std::uint8_t> string_marks_;  ///< by group
  std::vector<std::uint8_t> array_marks_;
  std::unique_ptr<ArrayVerifier> verifier_;
  std::unique_ptr<StringReader> reader_;
  std::unique_ptr<StringHolderTally> holders_;
  std::unique_ptr<BoxTally> boxes_;
  std::vector<TextValue> top_strings_;
};

}  // namespace hprof
