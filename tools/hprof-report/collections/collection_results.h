#pragma once

#include "common/bit_vector.h"
#include "formats/report/collections.h"
#include "tools/hprof-report/collections/collection_log.h"
#include "tools/hprof-report/collections/collection_plan.h"
#include "tools/hprof-report/heap.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hprof {

/// Works out sizes, fill, collisions and waste from what a survey noted. The steps are called once,
/// in their order.
class CollectionResults {
 public:
  CollectionResults(const Heap& heap, const CollectionPlans& plans, CollectionLog& log);

  /// Has what only keeps the elements of another collection counted with that.
  void adopt_inner();
  /// Counts the nodes of chains.
  void count_chains();
  /// Brings collections and arrays together.
  void measure_storage();
  /// Gives wrappers the size of what they wrap, and counts everything.
  void count();

  /// Totals and classes; the rest of the section is left to others.
  Collections result() const;

  /// Whether a record is a collection of its own: no view, no part, not the inside of another.
  bool stands_alone(const CollectionRecord& record) const;
  /// Bytes that are wasted in the arrays that are counted with this record; after
  /// measure_storage().
  std::uint64_t wasted(const CollectionRecord& record) const;

 private:
  static constexpr std::size_t kSizeRows = 9;
  static constexpr std::size_t kFillRows = 6;

  struct Row {
    std::uint64_t collections = 0;
    std::uint64_t empty = 0;
    std::uint64_t unknown = 0;
    std::uint64_t elements = 0;
    std::uint64_t largest = 0;
    std::uint64_t shallow = 0;
    std::array<std::uint64_t, kSizeRows> sizes{};
    std::uint64_t arrays = 0;
    std::uint64_t array_shallow = 0;
    std::uint64_t slots = 0;
    std::array<CollectionFillRow, kFillRows> fill{};
    std::uint64_t bucket_entries = 0;
    std::uint64_t used_buckets = 0;
    std::uint64_t empty_arrays = 0;
    std::uint64_t wasted_empty = 0;
    std::uint64_t over_capacity = 0;
    std::uint64_t wasted_capacity = 0;
  };
  /// array << 32 | number of the record, ascending.
  using Users = std::vector<std::uint64_t>;

  const CollectionPlan& plan(const CollectionRecord& record) const {
    return plans_.plans()[record.plan];
  }
  Users main_users() const;
  Users more_users();
  void join(const Users& users, bool is_main);
  void measure(const ArrayLog::Row& array, const Users& users, std::size_t begin, std::size_t end,
               bool is_main);
  void size_by_array(CollectionRecord& record, const ArrayLog::Row& array) const;
  void note_fill(const CollectionRecord& record, const ArrayLog::Row& array);
  void note_waste(CollectionRecord& record, const ArrayLog::Row& array, std::uint64_t needed,
                  bool empty);
  void resolve_size(CollectionRecord& record);
  void count(const CollectionRecord& record);
  CollectionClass class_of(const CollectionPlan& plan, const Row& row) const;

  const Heap& heap_;
  const CollectionPlans& plans_;
  CollectionLog& log_;
  std::vector<Row> rows_;             ///< by plan
  std::vector<std::uint32_t> waste_;  ///< by record, in units of the graph file
};

}  // namespace hprof
