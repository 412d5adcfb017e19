#pragma once

#include "formats/report/references.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/references/buffer_survey.h"
#include "tools/hprof-report/references/finalizer_survey.h"
#include "tools/hprof-report/references/reference_types.h"
#include "tools/hprof-report/references/referent_tally.h"
#include "tools/hprof-report/references/self_held.h"
#include "tools/hprof-report/references/strength_finder.h"
#include "tools/hprof-report/references/thread_local_survey.h"

#include <cstdint>
#include <optional>

namespace hprof {

/// Fills the section on references; its steps come in the order of the report's own: the dump where
/// there is one, notes while objects pass by, solve(), ask(), objects once more, result(). Needs
/// the dominators from start() to start_tally(), and the retained sizes for ask().
class ReferencesSection {
 public:
  /// `rows`: how many rows the tables have that are cut.
  ReferencesSection(const Heap& heap, std::size_t rows);

  void join(Survey& survey, DumpSource& dump);

  void start() { finder_.emplace(heap_, types_); }
  void note(const HeapObject& object) { finder_->note(object); }
  Strength note_excluded(std::uint32_t source, std::uint32_t ordinal) {
    return finder_->note_excluded(source, ordinal);
  }
  void solve();
  /// Where there was a survey: says what single records are to be fetched.
  void ask(RecordFetcher& fetcher, DumpSource& dump);

  /// Before the reachable objects pass by again, without their dominators; gives the reachable
  /// objects that are not held strongly.
  BitVector start_tally();
  void add(const ObjectRow& row) { tally_->add(row); }
  References result();

 private:
  struct Surveys {
    Surveys(const Heap& heap, DumpSource& dump, const ReferenceTypes& types)
        : finalizers(heap.index(), types), buffers(heap), thread_locals(heap, dump) {}
    FinalizerSurvey finalizers;
    BufferSurvey buffers;
    ThreadLocalSurvey thread_locals;
    std::optional<ObjectTeller> teller;
  };

  std::vector<ReferenceKind> kinds() const;
  std::vector<ReferenceClass> classes() const;

  const Heap& heap_;
  std::size_t rows_;
  ReferenceTypes types_;
  std::optional<StrengthFinder> finder_;
  ReachColumn column_;
  std::optional<SelfHeldFinder> self_held_;
  std::optional<Surveys> surveys_;
  std::optional<ReferentTally> tally_;
};

}  // namespace hprof
