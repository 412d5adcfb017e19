#pragma once

#include "common/bit_vector.h"
#include "tools/hprof-report/collections/collection_holders.h"
#include "tools/hprof-report/collections/collection_log.h"
#include "tools/hprof-report/collections/collection_plan.h"
#include "tools/hprof-report/collections/collection_results.h"
#include "tools/hprof-report/dump/survey.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Attributes all collections, and what they alone hold, to the fields that hold them.
class FieldSurveyor : public Surveyor {
 public:
  /// `structure`: see CollectionHolderFinder. Needs the dominators from here on to the end.
  FieldSurveyor(const Heap& heap, const CollectionPlans& plans, const CollectionLog& log,
                const RootKinds& roots, const BitVector& structure);

  /// Whether an object from `lowest` to `highest` is to be looked at.
  bool needs_any(std::uint32_t lowest, std::uint32_t highest) const;
  bool wants(std::uint32_t type) override;
  void on_instance(const ObjectRecord& record) override;

  /// After the survey and with all sizes known: at most `most` fields with `most_contents` classes
  /// each.
  std::vector<CollectionField> result(const CollectionResults& results, std::size_t most,
                                      std::size_t most_contents);

 private:
  /// What a holder holds, with the field's name once it is known.
  struct Held {
    CollectionHolding holding;
    std::uint32_t name = 0;
  };
  struct Content {
    std::uint64_t objects = 0;
    std::uint64_t shallow = 0;
  };
  using Contents = std::map<std::uint32_t, Content>;  // by class

  Held* find(const CollectionHolding& holding);
  const Held* around(std::uint32_t object);
  bool repeats(const Held& held);
  std::uint32_t intern(const std::string& name);
  std::vector<CollectionField> sum_up(const CollectionResults& results);
  std::vector<Contents> contents(const std::vector<bool>& wanted);
  std::vector<HeldContent> rows_of(const Contents& contents, std::size_t most) const;

  const Heap& heap_;
  const CollectionPlans& plans_;
  const CollectionLog& log_;
  const BitVector& structure_;
  CollectionHolderFinder finder_;
  CollectionHolderNames names_;
  FieldTable fields_;
  std::vector<Held> held_;                                 ///< ascending
  std::unordered_map<std::uint32_t, const Held*> around_;  ///< some results of around()
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace hprof
