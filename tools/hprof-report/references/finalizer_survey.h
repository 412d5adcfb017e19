#pragma once

#include "formats/report/references.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/references/reference_types.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hprof {

/// Finds the finalizers whose turn has come, and the objects that wait for them.
class FinalizerSurvey : public Surveyor {
 public:
  FinalizerSurvey(const HeapIndex& index, const ReferenceTypes& types);

  bool wants(std::uint32_t type) override { return types_.of(type) == Strength::final; }
  void on_instance(const ObjectRecord& record) override;

  /// Asks the queue for its length.
  void want_queue(RecordFetcher& fetcher);
  /// Objects that wait, ascending.
  std::vector<std::uint32_t> waiting() const;
  /// What is known without the waiting objects' sizes.
  Finalizers result() const { return result_; }

 private:
  const HeapIndex& index_;
  const ReferenceTypes& types_;
  ObjectIndex enqueued_mark_;
  std::vector<std::uint32_t> waiting_;
  Finalizers result_;
};

}  // namespace hprof
