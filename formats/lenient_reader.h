#pragma once

#include "formats/hprof_reader.h"
#include "formats/recovery.h"

#include <cstdint>
#include <string>

namespace hprof {

/// Reads a dump that may be damaged: uses every record that is whole, notes what is not, and reads
/// on where a record header can be found behind it.
template <typename Visitor>
class LenientReader : public HprofReader<Visitor> {
  using Base = HprofReader<Visitor>;

 public:
  LenientReader(BufferedInput& input, const HprofHeader& header, const std::string& path,
                Visitor& visitor)
      : Base(input, header, base_name(path), visitor),
        recovery_({this->input_, this->record_, this->lengths_, this->course_}, path,
                  header.identifier_size) {}

  /// As HprofReader::read(), but throws only where reading itself fails.
  template <typename OnProgress>
  std::uint32_t read(DumpSelection selection, OnProgress&& progress) {
    recovery_.select(selection.number);
    while (!this->visitor_.finished() && !this->input_.at_end()) {
      progress(this->input_.source().file_position());
      try {
        read_next(selection, progress);
        recovery_.settle();
      } catch (const DamagedRecord& record) {
        recover(record.place());
      }
    }
    recovery_.finish();
    return this->course_.dumps;
  }

  /// What was found; complete after read().
  const DumpDamage& found() const { return recovery_.log().found(); }
  /// Whether the dump is made of segments and none of its records says that it ends.
  bool is_open() const { return recovery_.is_open(); }
  /// Whether the visitor was told of records that are none.
  bool told_too_much() const { return recovery_.log().told_too_much(); }
  /// The rows of these that are heap records, behind the first of which others may be found.
  const std::vector<BrokenHeap>& broken() const { return recovery_.log().broken(); }

 private:
  using Next = Recovery::Next;

  template <typename OnProgress>
  void read_next(DumpSelection selection, OnProgress&& progress) {
    switch (const Next next = recovery_.next()) {
      case Next::record:
        return read_whole(selection, progress);
      case Next::rest_of_record:
        return this->read_heap_body(progress);
      case Next::headless:
      case Next::adjoining_headless:
        this->read_headless(selection, next == Next::adjoining_headless, progress);
        return recovery_.take_headless();
    }
  }

  template <typename OnProgress>
  void read_whole(DumpSelection selection, OnProgress&& progress) {
    if (!recovery_.record_begins()) {
      this->refuse_record();
    }
    this->read_record(selection, progress);
    recovery_.take_record();
  }

  void recover(const DamagedRecord::Place& place) {
    if (place.in_heap_record) {
      this->visitor_.on_lost_sub_record(this->sub_tag_);
    }
    recovery_.recover(place);
  }

  Recovery recovery_;
};

}  // namespace hprof
