#pragma once

#include "common/input_stream.h"
#include "formats/dump_damage.h"
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
  };

  /// What the body of a heap record really has; nothing when its header is right.
  std::optional<LengthFix> length_fix(const Header& header) const;
  /// Whether a record of an unknown kind is not even a record: what follows it is none.
  bool is_noise(const Header& header) const;

  /// What the body of a heap record has whose last record reaches beyond it, when the record's end
  /// is no good place to go on; nothing otherwise.
  std::optional<LengthFix> extended(const DamagedRecord::Place& place) const;

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
  bool is_of_its_time(std::uint32_t micros, const DamagedRecord::Place& place) const;
  bool zeros_from(std::uint64_t position) const;
  std::uint64_t resume_after(const DamagedRecord::Place& place, std::uint64_t before) const;
  bool is_unpatched(const Header& header) const;
  std::optional<std::uint64_t> wrapped_length(std::uint64_t body, std::uint64_t length) const;

  FileDescriptor file_;
  std::string path_;
  bool compressed_;
  unsigned id_size_;
  std::uint64_t file_bytes_;
  mutable InflatedWindow inflated_;  ///< of a compressed dump
};

}  // namespace hprof
