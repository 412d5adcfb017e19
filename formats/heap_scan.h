#pragma once

#include "formats/dump_damage.h"
#include "formats/heap_runs.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// A stretch of heap records in which reading failed.
struct BrokenHeap {
  std::uint64_t begin = 0;        ///< where a record begins for sure
  std::uint64_t failed = 0;       ///< the record that cannot be read
  std::uint64_t end = 0;          ///< a record header, or the end of the dump
  bool is_cut = false;            ///< the last record may lack its end
  std::uint64_t heap_left = 0;    ///< bytes of heap records behind `end`; then no header is there
  std::uint64_t likely_next = 0;  ///< where the record behind `failed` likely begins; 0: not known
  std::uint64_t next_end = 0;     ///< of the heap record that seems to begin at `end`; 0: none does
  std::string what;               ///< what is wrong with the record
};

/// Finds the heap records behind damage, up to the end of their stretch.
class HeapScan : HeapRuns {
 public:
  /// All three must outlive the scan; it adds classes that it comes by to what is known.
  HeapScan(DumpView& view, HeapKnowledge& known, unsigned identifier_size)
      : HeapRuns(view, known, identifier_size), known_(known), id_size_(identifier_size) {}

  /// What of the stretch cannot be used, at most `most` gaps: the last one then goes on to the end.
  std::vector<Damage> gaps(const BrokenHeap& stretch, std::size_t most);

 private:
  void end_at(std::uint64_t position);
  std::uint64_t crossing(const Run& run);
  bool is_true_end(std::uint64_t position);
  bool pass_inner_dump(std::uint64_t& position);
  bool may_be_too_long(const Run& run) const;
  bool holds_next_header(const Run& run);
  bool is_cut_piece(const Run& run);
  bool is_trusted(const Run& run);
  Run next_run(std::uint64_t from);
  bool begins_like_record(std::uint64_t position);
  Damage gap_behind(const Run& run, Run& next);
  std::string reason(std::uint64_t position, bool is_array);

  HeapKnowledge& known_;
  unsigned id_size_;
  BrokenHeap stretch_;
};

}  // namespace hprof
