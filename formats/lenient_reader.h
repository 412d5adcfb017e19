#pragma once

#include "formats/heap_scan.h"
#include "formats/hprof_reader.h"
#include "formats/reader_state.h"
#include "formats/record_looks.h"
#include "formats/record_search.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

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
        search_(path, input.source().is_compressed(), header.identifier_size),
        previous_(input.position()) {
    this->set_input_size(search_.known_size());
    this->lengths_ = &found_.lengths;
  }

  /// As HprofReader::read(), but throws only where reading itself fails.
  template <typename OnProgress>
  std::uint32_t read(DumpSelection selection, OnProgress&& progress) {
    auto& input = this->input_;
    selected_ = selection.number;
    while (!this->visitor_.finished() && !input.at_end()) {
      progress(input.source().file_position());
      before_ = state();
      try {
        read_next(selection, progress);
        state_before_ = this->behind_heap_ ? state() : before_;
        previous_ = this->behind_heap_ ? input.position() : this->record_start_;
      } catch (const DamagedRecord& record) {
        recover(record.place());
        previous_ = input.position();
        state_before_ = state();
      }
    }
    finish();
    return this->dumps_;
  }

  /// What was found; complete after read().
  const DumpDamage& found() const { return found_; }
  /// Whether the dump is made of segments and none of its records says that it ends.
  bool is_open() const { return this->segments_open_ && this->dumps_ == selected_; }
  /// Whether the visitor was told of records that are none.
  bool told_too_much() const { return told_too_much_; }
  /// The rows of these that are heap records, behind the first of which others may be found.
  const std::vector<BrokenHeap>& broken() const { return broken_; }

 private:
  ReaderState state() const {
    return {this->dumps_, this->segments_open_, this->behind_heap_, ended_};
  }

  template <typename OnProgress>
  void read_next(DumpSelection selection, OnProgress&& progress) {
    if (std::exchange(in_segment_, false)) {
      return this->read_heap_body(progress);
    }
    if (std::exchange(headless_, false)) {
      this->read_headless(selection, adjoins_, progress);
      take_in(selection);
      heap_record_ = {};
      return;
    }
    look_ahead();
    this->read_record(selection, progress);
    if (!is_odd_ || *micros_ != 0) {
      micros_ = this->record_micros_;
    }
    take_in(selection);
  }

  /// What a whole record tells of those to come, and of those that are not asked for.
  void take_in(DumpSelection selection) {
    note_next();
    ended_ = this->record_tag_ == tag::kHeapDumpEnd || (ended_ && !this->is_heap_record());
    behind_end_ = this->record_tag_ == tag::kHeapDumpEnd;
    if (this->is_heap_record()) {
      take_in_heap(this->dumps_ == selection.number);
    }
  }

  void take_in_heap(bool was_read) {
    searched_ = false;
    heap_record_ = {.start = this->record_start_,
                    .end = this->input_.position(),
                    .tag = this->record_tag_,
                    .was_read = was_read,
                    .before = before_};
    if (!was_read) {
      found_.other_dumps += heap_record_.end - heap_record_.start;
      check_unread_end();
    }
  }

  /// A record that was passed over and says that it is longer than the file may have an end.
  void check_unread_end() {
    const auto& lengths = found_.lengths;
    if (lengths.empty() || lengths.back().position != heap_record_.start ||
        lengths.back().kind == DamageKind::none || !this->input_.at_end()) {
      return;
    }
    DamagedRecord::Place place;
    place.start = heap_record_.end;
    place.micros_before = micros_;
    mend_last(place);
  }

  /// Whether the heap record before a place where no record begins has another end; then reading
  /// goes on in it, or in front of it where it was only passed over.
  bool mend_last(const DamagedRecord::Place& place) {
    const LastHeapRecord last = heap_record_;
    if (!this->behind_heap_ || last.end != place.start || last.start == mended_) {
      return false;
    }
    const auto end = search_.true_end(last.start + kRecordHeaderBytes, place);
    if (!end || (last.was_read && *end < last.end)) {
      return false;
    }
    mended_ = last.start;
    note({.position = last.start,
          .length = *end - last.start - kRecordHeaderBytes,
          .kind = DamageKind::length},
         tag_name(last.tag));
    if (last.was_read) {
      go_on_in(last, *end);
    } else {
      told_too_much_ = true;
      found_.other_dumps -= last.end - last.start;
      this->input_.go_to(last.start);
      restore(last.before);
    }
    return true;
  }

  void go_on_in(const LastHeapRecord& record, std::uint64_t end) {
    this->record_start_ = record.start;
    this->record_end_ = end;
    this->record_tag_ = record.tag;
    this->left_ = end - record.end;
    this->input_.go_to(record.end);
    in_segment_ = true;
  }

  /// Whether a heap record goes on with the dump before it although it looks like the begin of
  /// another: it was found behind damage, nothing has ended that dump, and it is no other one's for
  /// being of another kind, or cut; or it adjoins records of another kind.
  bool goes_on(std::uint8_t record_tag, bool is_cut) const {
    const bool same_kind = this->segments_open_ == (record_tag == tag::kHeapDumpSegment);
    if (this->dumps_ == 0 || ended_) {
      return false;
    }
    return searched_ ? !same_kind || (is_cut && record_tag == tag::kHeapDump)
                     : !same_kind && this->behind_heap_;
  }

  /// Whether a segment that seems to go on with the dump before it begins another: damage may have
  /// hit the end of that, and other records stand between. Only writers that note the time put
  /// several such dumps into a file.
  bool begins(const RecordSearch::Header& header) const {
    return header.bytes[0] == tag::kHeapDumpSegment && searched_ && this->segments_open_ &&
           !this->behind_heap_ && micros_.value_or(0) != 0;
  }

  /// Looks at the next record before it is opened.
  void look_ahead() {
    auto header = search_.header_ahead(this->input_, micros_);
    if (!header) {
      return;
    }
    header->behind_heap = this->behind_heap_;
    is_odd_ = header->odd_time;
    const bool is_noise = search_.is_noise(*header);
    const bool is_empty = header->bytes[0] != tag::kHeapDumpEnd && header->length() == 0;
    if ((is_noise || is_empty) && this->segments_open_ && this->behind_heap_ &&
        search_.is_broken_end(*header)) {
      found_.add_end(header->position);
    } else if (is_noise) {
      no_record(*header);
    } else if (is_heap_tag(header->bytes[0])) {
      look_at_heap(*header);
    } else {
      search_.learn(*header);
    }
  }

  [[noreturn]] void no_record(const RecordSearch::Header& header) {
    this->record_start_ = header.position;
    this->record_end_ = 0;
    this->record_tag_ = 0;
    this->damaged(header.position, "record header", "no record begins here");
  }

  /// A heap record whose header is to be believed, but perhaps not its length or its kind.
  void look_at_heap(const RecordSearch::Header& header) {
    const std::uint8_t record_tag = header.bytes[0];
    if (header.position == mended_) {
      return;
    }
    auto fix = search_.length_fix(header);
    if (goes_on(record_tag, fix && fix->kind == DamageKind::cut)) {
      fix = fix.value_or(LengthFix{.position = header.position, .length = header.length()});
      fix->continues = true;
      if (!searched_) {
        found_.add_other_kind(header.position, tag_name(record_tag));
      }
    }
    if (begins(header)) {
      fix = fix.value_or(LengthFix{.position = header.position, .length = header.length()});
      fix->begins = true;
    }
    if (fix) {
      missing_ = fix->kind == DamageKind::cut ? header.length() - fix->length : missing_;
      note(*fix, tag_name(record_tag));
    }
  }

  void note(const LengthFix& fix, const std::string& record) {
    found_.add_fix(fix, record);
    cut_ = cut_ || fix.kind == DamageKind::cut;
  }

  /// What seems to follow a broken stretch.
  void note_next() {
    if (!broken_.empty() && this->record_start_ == broken_.back().end && this->is_heap_record()) {
      broken_.back().next_end = this->record_end_;
    }
  }

  void recover(DamagedRecord::Place place) {
    note_next();
    place.heap_may_follow = !behind_end_;
    place.micros_before = micros_;
    if (const auto fix = search_.extended(place)) {
      return extend(*fix, place);
    }
    if (!place.in_heap_record && mend_last(place)) {
      return;
    }
    if (place.in_heap_record) {
      this->visitor_.on_lost_sub_record(this->sub_tag_);
    }
    Damage damage = search_.assess(place, place.in_heap_record ? place.start : previous_);
    this->set_input_size(search_.known_size());
    if (found_.rows.size() + 1 >= kMostDamage) {
      damage.what = "too much is damaged, the rest is not used";
      damage.resume = RecordSearch::kFarAway;
      damage.heap_left = 0;
    }
    if (damage.position < place.start) {
      told_too_much_ = true;
      restore(state_before_);
    }
    searched_ = searched_ || (damage.lost() != 0 && damage.resume != place.record_end);
    go_on_behind(damage, place);
    note_broken(place, damage);
    found_.add_row(std::move(damage));
  }

  void restore(const ReaderState& state) {
    this->dumps_ = state.dumps;
    this->segments_open_ = state.segments_open;
    this->behind_heap_ = state.behind_heap;
    ended_ = state.ended;
  }

  void go_on_behind(Damage& damage, const DamagedRecord::Place& place) {
    auto& input = this->input_;
    input.go_to(damage.resume);
    if (input.at_end()) {
      end_here(damage);
    } else if (place.in_heap_record && place.beyond_file) {
      correct_cut(damage, place);
    }
    this->left_ = damage.heap_left;
    headless_ = damage.heap_left != 0;
    if (headless_) {
      adjoins_ = damage.lost() == 0;
      this->record_tag_ = tag::kHeapDumpSegment;
      this->record_start_ = damage.resume - kRecordHeaderBytes;
      this->record_end_ = damage.resume + damage.heap_left;
      this->record_micros_ = micros_.value_or(0);
      this->beyond_file_ = false;
    }
  }

  /// A record that is longer than the file, as it seemed, has an end: it is the length that is
  /// wrong.
  void correct_cut(const Damage& damage, const DamagedRecord::Place& place) {
    if (found_.lengths.empty()) {
      return;
    }
    LengthFix& fix = found_.lengths.back();
    if (fix.position != place.record_start || fix.kind != DamageKind::cut) {
      return;
    }
    fix.kind = DamageKind::length;
    fix.length = damage.resume - place.record_start - kRecordHeaderBytes;
    cut_ = false;
  }

  void note_broken(const DamagedRecord::Place& place, const Damage& damage) {
    const bool is_lost = damage.lost() != 0 && damage.kind != DamageKind::zeros;
    if (place.in_heap_record && this->dumps_ == selected_ && is_lost &&
        found_.rows.size() + 1 < kMostDamage) {
      broken_.push_back({.begin = place.record_start + kRecordHeaderBytes,
                         .failed = damage.position,
                         .end = damage.resume,
                         .is_cut = this->input_.at_end(),
                         .what = place.what});
    }
  }

  /// Reads on in a segment that is longer than its header says.
  void extend(const LengthFix& fix, const DamagedRecord::Place& place) {
    this->visitor_.on_lost_sub_record(this->sub_tag_);
    note(fix, tag_name(this->record_tag_));
    searched_ = true;
    this->input_.go_to(place.start);
    this->record_end_ = fix.position + kRecordHeaderBytes + fix.length;
    this->left_ = this->record_end_ - place.start;
    in_segment_ = true;
  }

  /// The damage reaches to the end of the file, which compressed dumps tell only now.
  void end_here(Damage& damage) {
    damage.resume = std::max(damage.position, this->input_.position());
    const std::string packing = this->input_.source().damage();
    if (!packing.empty()) {
      damage.kind = DamageKind::packing;
      damage.what = packing;
    } else if (cut_ && damage.kind == DamageKind::garbled) {
      damage.kind = DamageKind::cut;
      damage.what = cut_text(sub_tag_name(this->sub_tag_), missing_);
    }
  }

  void finish() {
    const std::uint64_t end = this->input_.position();
    found_.bytes = end;
    if (!found_.rows.empty() && found_.rows.back().resume == end) {
      return;
    }
    const std::string packing = this->input_.source().damage();
    if (!packing.empty() || cut_) {
      found_.add_row({.kind = packing.empty() ? DamageKind::cut : DamageKind::packing,
                      .position = end,
                      .resume = end,
                      .what = packing.empty() ? cut_text("HEAP_DUMP_SEGMENT", missing_) : packing});
    }
  }

  RecordSearch search_;
  DumpDamage found_;
  std::uint32_t selected_ = 0;
  std::uint64_t missing_ = 0;  ///< bytes of the last heap record behind the end of the file
  std::vector<BrokenHeap> broken_;
  std::uint64_t previous_;    ///< start of the plain record read last, or where reading goes on
  ReaderState state_before_;  ///< in front of that
  ReaderState before_;        ///< in front of the record that is being read
  LastHeapRecord heap_record_;
  std::uint64_t mended_ = 0;             ///< start of the heap record that has another end
  std::optional<std::uint32_t> micros_;  ///< the time of the last record
  bool is_odd_ = false;                  ///< the next one's does not go with that
  bool in_segment_ = false;              ///< a segment is to be read on with
  bool headless_ = false;                ///< heap records without a header are to be read
  bool adjoins_ = false;                 ///< they begin where the record before them ends
  bool searched_ = false;    ///< no heap record was whole since the next record had to be searched
  bool ended_ = false;       ///< a record that ends a dump stands behind the last heap record
  bool behind_end_ = false;  ///< and no record behind that
  bool told_too_much_ = false;
  bool cut_ = false;  ///< some heap record says that it is longer than the file
};

}  // namespace hprof
