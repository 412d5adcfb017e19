#pragma once

#include "formats/dump_damage.h"
#include "formats/dump_view.h"
#include "formats/heap_knowledge.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// A stretch of heap records in which reading failed.
struct BrokenHeap {
  std::uint64_t begin = 0;     ///< where a record begins for sure
  std::uint64_t failed = 0;    ///< the record that cannot be read
  std::uint64_t end = 0;       ///< a record header, or the end of the dump
  bool is_cut = false;         ///< the last record may lack its end
  std::uint64_t next_end = 0;  ///< of the heap record that seems to begin at `end`; 0: none does
  std::string what;            ///< what is wrong with the record
};

/// Finds the heap records behind damage, up to the end of their stretch.
class HeapScan {
 public:
  /// All three must outlive the scan; it adds classes that it comes by to what is known.
  HeapScan(DumpView& view, HeapKnowledge& known, unsigned identifier_size)
      : view_(view), known_(known), id_size_(identifier_size) {}

  /// What of the stretch cannot be used, at most `most` gaps: the last one then goes on to the end.
  std::vector<Damage> gaps(const BrokenHeap& stretch, std::size_t most);

 private:
  struct Record {
    SubRecordHead head;
    Fit fit = Fit::none;
    bool beyond = false;  ///< it would be one if the stretch did not end before it
  };

  /// Records one behind the other.
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Record last;  ///< the last object that is sure; none if there is none
    std::uint64_t last_begin = 0;
    unsigned unproved = 0;  ///< records behind that
    std::uint64_t sure = 0;
  };

  /// How far a run is followed when records fit badly.
  enum class Patience { limited, unlimited };

  enum class Wanted { any, objects };

  std::span<const std::uint8_t> bytes_at(std::uint64_t position, std::size_t count, bool ahead);
  Record record_at(std::uint64_t position, bool ahead);
  void learn(std::uint64_t position, const Record& record);
  Run walk(std::uint64_t begin, std::uint64_t stop, Patience patience);
  bool goes_on(std::uint64_t position);
  bool is_convincing(std::uint64_t position);
  std::uint64_t candidate(std::uint64_t from, std::uint64_t limit, Wanted wanted);
  std::uint64_t crossing(const Run& run);
  bool is_header(std::uint64_t position);
  bool is_true_end(std::uint64_t position);
  void note_header(std::uint64_t position);
  bool pass_inner_dump(std::uint64_t& position);
  bool may_be_too_long(const Run& run) const;
  bool holds_next_header(const Run& run);
  bool is_cut_piece(const Run& run);
  bool is_trusted(const Run& run);
  Run next_run(std::uint64_t from);
  bool begins_like_record(std::uint64_t position);
  Damage gap_behind(const Run& run, Run& next);
  std::string reason(std::uint64_t position, bool is_array);

  DumpView& view_;
  HeapKnowledge& known_;
  unsigned id_size_;
  BrokenHeap stretch_;
  std::uint64_t inner_end_ = 0;  ///< of the dump inside an array that the search came by
};

}  // namespace hprof
