#pragma once

#include "formats/report/string_findings.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/strings/distinct_numbers.h"

#include <bitset>
#include <cstdint>
#include <vector>

namespace hprof {

/// Looks at every boxed number: which values there are, and which objects the JVM's own caches
/// could have stood in for.
class BoxTally : public Surveyor {
 public:
  /// `cached` are the objects in the caches, ascending. Where a class has none there (its cache was
  /// never used), the first instance of a value stands for the one that it would have.
  BoxTally(const Heap& heap, DumpSource& dump, std::vector<std::uint32_t> cached);

  bool wants(std::uint32_t type) override;
  void on_instance(const ObjectRecord& record) override;

  /// Classes with instances, by descending shallow size.
  std::vector<BoxRow> rows();

 private:
  struct Box {
    std::uint32_t type = 0;
    const FieldPlace* value = nullptr;
    std::int64_t most_cached = 0;  ///< valueOf() caches −128 to this; −129: none
    std::uint64_t repeated = 0;    ///< instances not cached whose value came before
    BoxRow row;
    std::bitset<256> low_values;  ///< −128 to 127 that occurred
    DistinctNumbers values;       ///< the others
  };

  const Heap& heap_;
  DumpSource& dump_;
  std::vector<std::uint32_t> cached_;
  std::vector<Box> boxes_;
  std::vector<std::uint8_t> box_of_;  ///< by type
};

/// The arrays in which the JVM keeps cached boxes (Integer$IntegerCache.cache and the like), and
/// the cached boxes that static fields hold (Boolean.TRUE).
struct BoxCaches {
  std::vector<std::uint32_t> arrays;  ///< object indices, ascending
  std::vector<std::uint32_t> boxes;
};

BoxCaches find_box_caches(const HeapIndex& index);

}  // namespace hprof
