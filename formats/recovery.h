#pragma once

#include "common/input_stream.h"
#include "formats/damage_log.h"
#include "formats/dump_course.h"
#include "formats/expectations.h"
#include "formats/header_doubt.h"
#include "formats/headless_heap.h"
#include "formats/last_heap_record.h"
#include "formats/record_bytes.h"
#include "formats/record_probe.h"
#include "formats/record_search.h"

#include <cstdint>
#include <string>

namespace hprof {

/// Leads a reader through a damaged dump: before each record it says what is to be read, after a
/// record that could not be read it moves the reader to where it can go on. It decides nothing
/// itself, but asks those who know, and has all damage noted.
class Recovery {
 public:
  /// What of a reader is moved.
  struct Reader {
    BufferedInput& input;
    OpenRecord& record;
    RecordLengths& lengths;
    DumpCourse& course;
  };

  /// What a reader is to read next.
  enum class Next {
    record,
    rest_of_record,      ///< heap records of the open one, which is longer than it seemed
    headless,            ///< heap records without a header, as if the open record were theirs
    adjoining_headless,  ///< which begin where the record before them ends
  };

  /// The reader must outlive this.
  Recovery(const Reader& reader, const std::string& path, unsigned identifier_size);
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  /// The dump that is to be read.
  void select(std::uint32_t number) { selected_ = number; }

  /// Begins a step, which ends with settle() or with recover().
  Next next();
  /// Looks at the next record before it is opened, and notes what it is if it is not what it looks
  /// like; false: no record begins here.
  bool record_begins();
  /// The record was whole, or its heap records without a header were.
  void take_record();
  void take_headless();
  /// All of the step was whole.
  void settle();
  /// A record could not be read.
  void recover(DamagedRecord::Place place);
  /// The end of the file has been reached.
  void finish();

  const DamageLog& log() const { return log_; }
  /// Whether the dump is made of segments and none of its records says that it ends.
  bool is_open() const;

 private:
  /// Where reading may have to go back to, and what was known there.
  struct Foothold {
    std::uint64_t position = 0;
    DumpCourse course;
  };

  Foothold here() const { return {at_.input.position(), at_.course}; }
  bool is_end_of_segments(const HeaderDoubt::Header& header, bool is_noise) const;
  void look_at_heap(const HeaderDoubt::Header& header);
  void note_heap_record();
  void take_in();
  void take_in_heap();
  void check_unread_end();
  bool mend_last(const DamagedRecord::Place& place);
  void read_on_in(const LastHeapRecord::Record& record, std::uint64_t end);
  void read_again(const LastHeapRecord::Record& record);
  void extend(const LengthFix& fix, const DamagedRecord::Place& place);
  void lose_stretch(const DamagedRecord::Place& place);
  Damage assess(const DamagedRecord::Place& place);
  void go_on_behind(Damage& damage, const DamagedRecord::Place& place);
  void open_headless(const Damage& damage);

  Reader at_;
  RecordProbe probe_;
  HeadlessHeap headless_;
  HeaderDoubt doubt_;
  RecordSearch search_;
  DamageLog log_;
  Expectations expected_;
  LastHeapRecord last_heap_;
  DumpCourse before_;  ///< in front of the record that is being read
  Foothold foothold_;
  Next next_ = Next::record;
  std::uint32_t selected_ = 0;
};

}  // namespace hprof
