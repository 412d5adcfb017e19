#pragma once

#include "formats/damaged_record.h"
#include "formats/dump_damage.h"
#include "formats/headless_heap.h"
#include "formats/record_probe.h"

#include <cstdint>
#include <optional>

namespace hprof {

/// Finds out where a damaged dump can be read on: at a record header, of which several must follow
/// each other, or at heap records in a row.
class RecordSearch {
 public:
  using Place = DamagedRecord::Place;

  /// Both must outlive this.
  RecordSearch(const RecordProbe& probe, HeadlessHeap& headless)
      : probe_(probe), headless_(headless) {}

  /// Stands for the end of a compressed dump, which is not known before it is reached.
  static constexpr std::uint64_t kFarAway = std::uint64_t{1} << 60U;

  /// What the body of a heap record has whose last record reaches beyond it, when the record's end
  /// is no good place to go on; nothing otherwise.
  std::optional<LengthFix> extended(const Place& place) const;

  /// Where the heap records really end that begin at `body`, if that is not at `place.start`.
  std::optional<std::uint64_t> true_end(std::uint64_t body, const Place& place) const;

  /// The stretch that is lost with a record, and why. `before`: the start of the record before it,
  /// whose length may be what is wrong, or the same place.
  Damage assess(const Place& place, std::uint64_t before) const;

 private:
  /// Where a chain of records is looked for.
  struct Stretch {
    std::uint64_t from = 0;
    std::uint64_t to = kFarAway;
    bool whole = false;  ///< a record that is longer than the dump does not count
  };
  /// What is found: a record header or, up to `heap_end`, heap records.
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t heap_end = 0;
  };
  /// Where reading goes on, and for how many bytes with heap records.
  struct Resume {
    std::uint64_t position = 0;
    std::uint64_t heap_left = 0;
  };

  bool is_next_header(std::uint64_t position, const Place& place) const;
  bool is_header_but_for_tag(const Place& place) const;
  std::uint64_t next_chain(const Stretch& stretch, const Place& place) const;
  std::uint64_t chain_near_end(const Place& place) const;
  Piece next_piece(std::uint64_t from, const Place& place) const;
  std::uint64_t end_of(const HeadlessHeap::Row& row) const;
  std::uint64_t end_of_headless(std::uint64_t end, const Place& place) const;
  Resume resume_after(const Place& place, std::uint64_t before) const;
  std::uint64_t resume_in_heap(const Place& place) const;
  Resume resume_among_records(const Place& place, std::uint64_t before) const;

  const RecordProbe& probe_;
  HeadlessHeap& headless_;
};

}  // namespace hprof
