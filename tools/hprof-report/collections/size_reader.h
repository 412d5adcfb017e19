#pragma once

#include "tools/hprof-report/collections/collection_log.h"
#include "tools/hprof-report/collections/collection_plan.h"
#include "tools/hprof-report/dump/record_fetcher.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace hprof {

/// Follows the paths of rules that lead through other objects: to the numbers that make up a size,
/// and to arrays.
class SizeReader {
 public:
  /// Collections that are read together; bounds the memory of what is wanted at a time.
  static constexpr std::size_t kBatch = 50'000;

  /// `log` is sorted, and stays so.
  SizeReader(const CollectionPlans& plans, CollectionLog& log);

  /// Has up to kBatch more collections read with the next run of `fetcher`.
  void want(RecordFetcher& fetcher);
  bool has_more() const { return next_ < pending_.size(); }
  /// After the run that follows want(): puts what was read into the records.
  void take();

 private:
  /// A collection whose paths are being followed.
  struct Open {
    CollectionRecord* record = nullptr;
    std::int64_t sum = 0;
    bool is_sum = false;
    bool failed = false;
    std::uint32_t target = CollectionRecord::kUnknown;
  };
  struct Walk {
    std::size_t open = 0;
    const BoundPath* path = nullptr;
    std::size_t at = 0;  ///< the step whose field comes next
    bool negative = false;
    bool to_target = false;  ///< to the array or first node, not to a number
  };

  void start(const ObjectRecord& record, std::size_t open, const CollectionPlan& plan);
  void take_step(const ObjectRecord& record, const Walk& walk);
  void end_walk(const ObjectRecord& record, const Walk& walk);
  void follow(ObjectIndex object, const Walk& walk);
  void follow_elements(ObjectIndex array, const Walk& walk);
  void add(Open& open, std::int64_t number, bool negative) const;

  const CollectionPlans& plans_;
  RecordFetcher* fetcher_ = nullptr;
  std::vector<CollectionRecord*> pending_;
  std::size_t next_ = 0;
  std::uint64_t elements_left_ = 0;  ///< that may still be followed in this batch
  std::deque<Open> open_;
};

}  // namespace hprof
