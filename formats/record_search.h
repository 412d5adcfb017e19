#pragma once

#include "common/byte_cursor.h"
#include "common/input_file.h"
#include "common/input_stream.h"
#include "formats/dump_damage.h"
#include "formats/headless_heap.h"
#include "formats/inflated_window.h"
#include "formats/record_bytes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hprof {

/// Finds out where a damaged dump can be read on, by looks at any place of it. A compressed one is
/// inflated a second time for that, but only where something is wrong or cannot be told otherwise.
class RecordSearch {
 public:
  RecordSearch(const std::string& path, bool compressed, unsigned identifier_size);

  /// Stands for the end of a compressed dump, which is not known before it is reached.
  static constexpr std::uint64_t kFarAway = std::uint64_t{1} << 60U;

  /// Bytes of the dump; 0 for a compressed one until something is wrong with it.
  std::uint64_t known_size() const { return compressed_ && !inflated_.knows_size() ? 0 : size(); }

  /// A record header that a reader has before it, with as much as it can see of what follows.
  struct Header {
    std::uint64_t position = 0;
    std::span<const std::uint8_t> bytes;
    bool at_end = false;       ///< the dump has no bytes behind these
    bool odd_time = false;     ///< it has a time that does not go with those before
    bool proves_time = false;  ///< a time that goes with them is hardly chance
    bool behind_heap = false;  ///< heap records stand right before it

    std::uint32_t length() const { return load_big_endian<std::uint32_t>(bytes.data() + 5); }
  };

  /// The next header, with as much behind it as is needed to tell whether it is one;
  /// `micros_before` is the time of the record before, if there is one.
  std::optional<Header> header_ahead(BufferedInput& input,
                                     std::optional<std::uint32_t> micros_before) const;

  /// Has a record that was read remembered, by which heap records are known later.
  void learn(const Header& header);

  /// What the body of a heap record really has; nothing when its header is right.
  std::optional<LengthFix> length_fix(const Header& header) const;
  /// Whether no record begins here.
  bool is_noise(const Header& header) const;
  /// Whether a header that is none, right behind a segment, stands for the end of the dump.
  bool is_broken_end(const Header& header) const;

  /// What the body of a heap record has whose last record reaches beyond it, when the record's end
  /// is no good place to go on; nothing otherwise.
  std::optional<LengthFix> extended(const DamagedRecord::Place& place) const;

  /// Where the heap records really end that begin at `body`, if that is not at `place.start`.
  std::optional<std::uint64_t> true_end(std::uint64_t body,
                                        const DamagedRecord::Place& place) const;

  /// The stretch that is lost with a record, and why. `before`: the start of the record before it,
  /// whose length may be what is wrong, or the same place.
  Damage assess(const DamagedRecord::Place& place, std::uint64_t before) const;

 private:
  std::uint64_t size() const;
  bool fits(std::uint64_t body, std::uint64_t length) const;
  bool may_wrap() const;
  std::vector<std::uint8_t> bytes_at(std::uint64_t position, std::size_t count) const;
  bool is_header(std::uint64_t position) const;
  bool heap_begins(std::uint64_t body, std::uint64_t length) const;
  bool heap_begins(std::uint64_t body) const;
  bool is_chain(std::uint64_t position) const;
  /// Where a chain of records is looked for.
  struct Stretch {
    std::uint64_t from = 0;
    std::uint64_t to = kFarAway;
    bool whole = false;  ///< a record that is longer than the dump does not count
  };
  std::uint64_t next_chain(const Stretch& stretch, const DamagedRecord::Place& place) const;
  bool is_next_header(std::uint64_t position, const DamagedRecord::Place& place) const;
  std::uint64_t chain_near_end(const DamagedRecord::Place& place) const;
  static bool is_of_its_time(std::uint32_t micros, const DamagedRecord::Place& place);
  bool zeros_from(std::uint64_t position) const;
  bool is_heap_record(const Header& header) const;
  bool is_followed(const Header& header) const;
  bool goes_on(std::uint64_t position) const;
  bool hides_heap(const Header& header) const;
  bool hides_header(const Header& header) const;
  bool is_header_but_for_tag(const DamagedRecord::Place& place) const;
  /// What is found: a record header or, up to `heap_end`, heap records.
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t heap_end = 0;
  };
  Piece next_piece(std::uint64_t from, const DamagedRecord::Place& place) const;
  std::uint64_t end_of(const HeadlessHeap::Row& row) const;
  std::uint64_t end_of_headless(std::uint64_t end, const DamagedRecord::Place& place) const;
  /// Where reading goes on, and for how many bytes with heap records.
  struct Resume {
    std::uint64_t position = 0;
    std::uint64_t heap_left = 0;
  };
  Resume resume_after(const DamagedRecord::Place& place, std::uint64_t before) const;
  std::uint64_t resume_in_heap(const DamagedRecord::Place& place) const;
  Resume resume_among_records(const DamagedRecord::Place& place, std::uint64_t before) const;
  bool is_unpatched(const Header& header) const;
  std::optional<std::uint64_t> wrapped_length(std::uint64_t body, std::uint64_t length) const;

  FileDescriptor file_;
  std::string path_;
  bool compressed_;
  unsigned id_size_;
  std::uint64_t file_bytes_;
  mutable InflatedWindow inflated_;  ///< of a compressed dump
  mutable HeadlessHeap headless_;
};

}  // namespace hprof
