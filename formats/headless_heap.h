#pragma once

#include "formats/address_set.h"
#include "formats/dump_view.h"
#include "formats/heap_knowledge.h"
#include "formats/heap_runs.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hprof {

/// Finds heap records in front of which there is no header that can be believed, by the classes and
/// traces that plain records of the dump name.
class HeadlessHeap {
 public:
  HeadlessHeap(std::string path, unsigned identifier_size)
      : path_(std::move(path)), id_size_(identifier_size) {}

  /// What a LOAD_CLASS and a TRACE record names.
  void add_loaded(std::uint64_t class_id) { loaded_.push_back(class_id); }
  void add_trace(std::uint32_t serial) { traces_.push_back(serial); }

  /// Heap records one behind the other.
  struct Row {
    std::uint64_t begin = 0;
    std::vector<std::uint64_t> ends;  ///< that of the last sure one and of each behind it
  };

  /// Whether the bytes begin with a record of this dump's heap, as far as that can be told.
  bool may_begin_with(std::span<const std::uint8_t> bytes);

  /// The first row of heap records that begins at or behind `from` and before `limit`; `likely` is
  /// where it would begin if only the header were wrong, and `end` is that of the dump.
  std::optional<Row> find(std::uint64_t from, std::uint64_t limit, std::uint64_t likely,
                          std::uint64_t end);
  /// The row of heap records that begins at `from`.
  Row row_at(std::uint64_t from, std::uint64_t end);

 private:
  /// What is made only when something is to be found.
  struct Search {
    Search(const std::string& path, HeapKnowledge& known, unsigned identifier_size);

    DumpView view;
    HeapRuns runs;
  };

  HeapKnowledge& known();
  HeapRuns& runs(std::uint64_t begin, std::uint64_t end);
  static bool leads_to(HeapRuns& runs, std::uint64_t from, std::uint64_t to);

  std::string path_;
  unsigned id_size_;
  std::vector<std::uint64_t> loaded_;
  std::vector<std::uint32_t> traces_;
  AddressSet no_objects_;
  std::optional<HeapKnowledge> known_;
  std::unique_ptr<Search> search_;
};

}  // namespace hprof
