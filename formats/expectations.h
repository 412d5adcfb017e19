#pragma once

#include "formats/dump_course.h"

#include <cstdint>
#include <optional>

namespace hprof {

/// What the records read so far let expect of the next one. Behind damage a heap record can look
/// like the begin of another dump for having the wrong kind, or like going on with a dump whose end
/// was lost, so more is asked of it than in a whole dump.
class Expectations {
 public:
  /// The time of the last record; nothing if none was read.
  std::optional<std::uint32_t> micros() const { return micros_; }
  /// Whether heap records without a header may come: not right behind the end of a dump.
  bool heap_may_follow() const;
  /// Whether the next heap record is the first whole one since a record had to be searched for.
  bool behind_damage() const { return searched_; }

  /// A record was whole.
  void take_record(std::uint8_t tag);
  void take_time(std::uint32_t micros);
  /// The next record had to be searched for.
  void take_search() { searched_ = true; }

  /// To which dump a heap record of that kind belongs; `is_cut`: the file ends in it.
  BelongsTo dump_of(std::uint8_t tag, bool is_cut, const DumpCourse& course) const;

 private:
  bool goes_on(std::uint8_t tag, bool is_cut, const DumpCourse& course) const;
  bool begins_anew(std::uint8_t tag, const DumpCourse& course) const;

  std::optional<std::uint32_t> micros_;
  std::uint8_t last_tag_ = 0;
  bool searched_ = false;
};

}  // namespace hprof
