#pragma once

#include "formats/damaged_record.h"
#include "formats/dump_damage.h"
#include "formats/heap_scan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// What the first reading of a dump finds wrong with it. Some of it is believed only until more has
/// been read: a heap record that is longer than the file may turn out to have an end.
class DamageLog {
 public:
  /// What was found; complete when the end has been noted.
  const DumpDamage& found() const { return found_; }
  /// The rows of these that are heap records, behind the first of which others may be found.
  const std::vector<BrokenHeap>& broken() const { return broken_; }
  /// Whether the visitor was told of records that are none.
  bool told_too_much() const { return told_too_much_; }
  /// Whether the next place of damage is the last one that is noted.
  bool is_full() const { return found_.rows.size() + 1 >= kMostDamage; }
  /// Whether the last heap record of which is known that its header is wrong is that one, and its
  /// end is a guess.
  bool is_last_guess(std::uint64_t position) const;

  /// A heap record of that tag is not what its header says.
  void add_fix(const LengthFix& fix, std::uint8_t tag);
  /// So many bytes of the heap record whose fix was added last are behind the end of the file.
  void add_missing(std::uint64_t bytes) { missing_ = bytes; }
  /// A heap record that goes on with the dump before it, though it is of another kind.
  void add_other_kind(std::uint64_t position, std::uint8_t tag);
  /// A record whose header is garbled, but which is the end of a dump.
  void add_end(std::uint64_t position);
  /// So many bytes are a heap record of a dump that is not read, and: they are read again.
  void add_other_dump(std::uint64_t bytes) { found_.other_dumps += bytes; }
  void take_back_other_dump(std::uint64_t bytes) { found_.other_dumps -= bytes; }
  /// Reading goes back behind records of which the visitor was told.
  void take_back_records() { told_too_much_ = true; }

  /// A heap record that is longer than the file, as it seemed, has an end: it is the length that is
  /// wrong.
  void correct_cut(const DamagedRecord::Place& place, std::uint64_t end);
  /// The words for damage that reaches to the end of the file; `packing`: what is wrong with the
  /// gzip stream, `sub_tag`: the heap record that was read last.
  void describe_end(Damage& damage, const std::string& packing, std::uint8_t sub_tag) const;
  /// Rows come in any order.
  void add_damage(Damage row);
  /// Damage, not noted yet, in a heap record of the dump that is read; `is_cut`: up to the end.
  void add_broken(const DamagedRecord::Place& place, const Damage& damage, bool is_cut);
  /// A heap record begins, maybe where the last broken stretch ends.
  void note_heap_record(std::uint64_t start, std::uint64_t end);
  /// The end of the file, where nothing else was noted there.
  void finish(std::uint64_t end, const std::string& packing);

 private:
  void add_length(const LengthFix& fix);
  void add_remark(DamageKind kind, std::uint64_t position, const std::string& what);

  DumpDamage found_;
  std::vector<BrokenHeap> broken_;
  /// Bytes behind the end of the file of the last heap record that says it is longer than that.
  std::optional<std::uint64_t> missing_;
  bool told_too_much_ = false;
};

}  // namespace hprof
