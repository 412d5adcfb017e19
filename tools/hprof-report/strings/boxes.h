#pragma once

#include "formats/report/string_findings.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hprof {

/// A set of numbers in 8 bytes per slot, at most three quarters of the slots full.
class NumberSet {
 public:
  /// Adds a number; true when insert() has added it before.
  bool insert(std::uint64_t number);
  /// Adds a number some time before size().
  void add(std::uint64_t number) {
    waiting_[waits_++] = number;
    if (waits_ == waiting_.size()) {
      flush();
    }
  }
  std::uint64_t size() {
    flush();
    return size_ + (has_zero_ ? 1 : 0);
  }

 private:
  std::size_t place_of(std::uint64_t number) const;
  std::uint64_t& slot_of(std::uint64_t number);
  void reserve(std::size_t more);
  void flush();

  std::vector<std::uint64_t> slots_;  ///< 0: empty
  std::uint64_t size_ = 0;
  bool has_zero_ = false;
  std::array<std::uint64_t, 32> waiting_{};
  std::size_t waits_ = 0;
};

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
    NumberSet values;
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
