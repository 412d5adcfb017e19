#pragma once

#include "formats/dump_course.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// Beyond so many damaged places the rest of a dump is given up.
inline constexpr std::size_t kMostDamage = 1000;

/// What is wrong with a stretch of a dump.
enum class DamageKind : std::uint8_t {
  cut = 0,         ///< the file ends inside a record, or before the dump's end
  garbled = 1,     ///< a record that cannot be right
  zeros = 2,       ///< nothing but zeros up to the end of the file
  packing = 3,     ///< the gzip stream ends early, has a gap or does not match its checksum
  length = 4,      ///< the length of a heap record was never written, or cannot be right
  none = 5,        ///< nothing, although it looks so
  unfinished = 6,  ///< the JVM was stopped before all was in one file; what follows is in another
};

inline constexpr std::array<std::string_view, 7> kDamageWords{
    "cut", "garbled", "zeros", "packing", "length", "none", "unfinished"};

/// A stretch of the (inflated) dump that is not used, and why; `length` and `unfinished` lose
/// nothing.
struct Damage {
  DamageKind kind = DamageKind::cut;
  std::uint64_t position = 0;   ///< first byte that is not used: the start of a record
  std::uint64_t resume = 0;     ///< from where reading goes on: a record, or the end
  std::string what;             ///< record and reason, in a few words
  std::uint64_t heap_left = 0;  ///< bytes of heap records from `resume` on; 0: a record header

  std::uint64_t lost() const { return resume - position; }
  /// Whether it only tells of packing that was passed over, and reading goes on as if it were
  /// whole.
  bool is_note(std::uint64_t dump_bytes) const {
    return kind == DamageKind::packing && lost() == 0 && heap_left == 0 && position != dump_bytes;
  }
  bool operator==(const Damage&) const = default;
};

/// Bytes that the body of a heap record really has, where its header says something else, or to
/// which dump it belongs where that is not what it looks like.
struct LengthFix {
  std::uint64_t position = 0;  ///< of the record header
  std::uint64_t length = 0;
  DamageKind kind = DamageKind::none;
  BelongsTo dump = BelongsTo::as_it_looks;

  /// Whether it is no heap record, but must be the end of a dump.
  bool is_end() const { return length == 0 && kind == DamageKind::length; }

  bool operator==(const LengthFix&) const = default;
};

/// The beginning of a file that is read as a part of a dump.
struct DumpPart {
  std::string suffix;           ///< what follows the dump's name without .gz, "": the dump itself
  std::uint64_t bytes = 0;      ///< of the inflated file: whole records
  std::uint64_t left_over = 0;  ///< bytes behind them
  std::uint64_t ignored = 0;    ///< bytes of the file behind its gzip stream; not in X.index

  bool operator==(const DumpPart&) const = default;
};

/// Everything that the first reading of a dump found wrong, so that later readings pass over the
/// same bytes.
struct DumpDamage {
  std::vector<Damage> rows;        ///< ascending by position
  std::vector<LengthFix> lengths;  ///< ascending by position
  std::uint64_t bytes = 0;         ///< of the inflated dump as far as it could be read
  std::vector<DumpPart> parts;     ///< of a dump that lies in several files
  std::uint64_t other_dumps = 0;   ///< bytes in heap records of other dumps in the file

  bool any() const { return !rows.empty(); }
  bool packing_damaged() const;
  std::uint64_t lost_bytes() const;
  /// These and the bytes of other dumps.
  std::uint64_t unused_bytes() const;
  /// Bytes at the ends of parts that are no whole record.
  std::uint64_t left_over() const;
  bool operator==(const DumpDamage&) const = default;
};

/// Walks along the stretches of known damage while a dump is read front to back.
class DamageGaps {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  DamageGaps() = default;
  /// `known` must outlive the gaps.
  explicit DamageGaps(const DumpDamage& known) : known_(&known) { start_at(0); }

  /// Reading begins at this byte.
  void start_at(std::uint64_t position);
  /// Where the next one begins; kNone: there is none.
  std::uint64_t next() const { return next_; }
  /// Leaves the next one behind and returns it.
  const Damage& pass();

 private:
  void look_at(std::size_t row);

  const DumpDamage* known_ = nullptr;
  std::size_t row_ = 0;
  std::uint64_t next_ = kNone;
};

}  // namespace hprof
