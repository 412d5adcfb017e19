#pragma once

#include "formats/heap_scan.h"
#include "formats/hprof_reader.h"
#include "formats/record_search.h"

#include <algorithm>
#include <cstdint>
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
      try {
        if (std::exchange(in_segment_, false)) {
          this->read_heap_body(progress);
        } else {
          look_ahead();
          this->read_record(selection, progress);
          take_in(selection);
        }
        previous_ = this->is_heap_record() ? input.position() : this->record_start_;
      } catch (const DamagedRecord& record) {
        recover(record.place());
        previous_ = input.position();
      }
    }
    finish();
    return this->dumps_;
  }

  /// What was found; complete after read().
  const DumpDamage& found() const { return found_; }
  /// Whether the dump is made of segments and none of its records says that it ends.
  bool is_open() const { return this->segments_open_ && this->dumps_ == selected_; }
  /// The rows of these that are heap records, behind the first of which others may be found.
  const std::vector<BrokenHeap>& broken() const { return broken_; }

 private:
  static constexpr std::size_t kHeaderBytes = 9;

  /// What a whole record tells of those to come, and of those that are not asked for.
  void take_in(DumpSelection selection) {
    note_next();
    if (this->is_heap_record()) {
      searched_ = false;
      ended_ = false;
      if (this->dumps_ != selection.number) {
        found_.other_dumps += this->input_.position() - this->record_start_;
      }
    } else if (this->record_tag_ == tag::kHeapDumpEnd) {
      ended_ = true;
    }
  }

  /// Whether a heap record that was found behind damage goes on with the dump before it: nothing
  /// has ended that, and it is no other one's for being of another kind, or cut.
  bool goes_on(std::uint8_t record_tag, bool is_cut) const {
    const bool same_kind = this->segments_open_ == (record_tag == tag::kHeapDumpSegment);
    return this->dumps_ != 0 && searched_ && !ended_ &&
           (!same_kind || (is_cut && record_tag == tag::kHeapDump));
  }

  bool begins_dump(std::uint8_t record_tag, const LengthFix& fix) const {
    return !fix.continues && (record_tag == tag::kHeapDump || !this->segments_open_);
  }

  /// Looks at the next record before it is opened.
  void look_ahead() {
    auto& input = this->input_;
    const std::size_t wanted =
        input.peek(2 * kHeaderBytes) != nullptr ? 2 * kHeaderBytes : kHeaderBytes;
    const std::uint8_t* bytes = input.peek(wanted);
    if (bytes == nullptr) {
      return;
    }
    const RecordSearch::Header header{input.position(), {bytes, wanted}};
    if (bytes[0] == tag::kHeapDump || bytes[0] == tag::kHeapDumpSegment) {
      auto fix = search_.length_fix(header);
      if (goes_on(bytes[0], fix && fix->kind == DamageKind::cut)) {
        fix = fix.value_or(LengthFix{.position = header.position,
                                     .length = load_big_endian<std::uint32_t>(bytes + 5)});
        fix->continues = true;
      }
      if (fix && fix->kind == DamageKind::cut) {
        missing_ = load_big_endian<std::uint32_t>(bytes + 5) - fix->length;
      }
      if (fix) {
        note(*fix, tag_name(bytes[0]), this->dumps_ + (begins_dump(bytes[0], *fix) ? 1 : 0));
      }
    } else if (search_.is_noise(header)) {
      this->record_start_ = header.position;
      this->record_end_ = 0;
      this->record_tag_ = bytes[0];
      this->damaged(header.position, "record header", "no record begins here");
    }
  }

  /// Whether what is wrong here cannot be of the dump that is asked for: nothing of that is missing
  /// so far, and it has its end, or this is in a heap record of `dump`, another one; 0: in none.
  bool is_aside(std::uint32_t dump) const {
    const bool is_over = dump == 0 && this->dumps_ == selected_ && !this->segments_open_;
    const bool is_other = dump != 0 && dump != selected_;
    return !found_.concerns_dump() && (is_over || is_other || this->dumps_ > selected_);
  }

  /// `dump` as is_aside() says.
  void add_row(Damage row, std::uint32_t dump) {
    row.aside = is_aside(dump);
    found_.rows.push_back(std::move(row));
  }

  /// `dump`: whose heap record it is.
  void note(const LengthFix& fix, const std::string& record, std::uint32_t dump) {
    found_.lengths.push_back(fix);
    cut_ = cut_ || fix.kind == DamageKind::cut;
    if (fix.kind == DamageKind::length) {
      add_row({.kind = fix.kind,
               .position = fix.position,
               .resume = fix.position,
               .what = record + ": the length in its header is not that of its content"},
              dump);
    }
  }

  /// What seems to follow a broken stretch.
  void note_next() {
    if (!broken_.empty() && this->record_start_ == broken_.back().end && this->is_heap_record()) {
      broken_.back().next_end = this->record_end_;
    }
  }

  void recover(const DamagedRecord::Place& place) {
    note_next();
    if (const auto fix = search_.extended(place)) {
      return extend(*fix, place);
    }
    if (place.in_heap_record) {
      this->visitor_.on_lost_sub_record(this->sub_tag_);
    }
    auto& input = this->input_;
    Damage damage = search_.assess(place, place.in_heap_record ? place.start : previous_);
    this->set_input_size(search_.known_size());
    if (found_.rows.size() + 1 >= kMostDamage) {
      damage.what = "too much is damaged, the rest is not used";
      damage.resume = RecordSearch::kFarAway;
    }
    searched_ = searched_ || (damage.lost() != 0 && damage.resume != place.record_end);
    input.go_to(damage.resume);
    if (input.at_end()) {
      end_here(damage);
    }
    this->left_ = 0;
    note_broken(place, damage);
    add_row(std::move(damage), place.in_heap_record ? this->dumps_ : 0);
  }

  void note_broken(const DamagedRecord::Place& place, const Damage& damage) {
    const bool is_lost = damage.lost() != 0 && damage.kind != DamageKind::zeros;
    if (place.in_heap_record && this->dumps_ == selected_ && is_lost &&
        found_.rows.size() + 1 < kMostDamage) {
      broken_.push_back({.begin = place.record_start + kHeaderBytes,
                         .failed = damage.position,
                         .end = damage.resume,
                         .is_cut = this->input_.at_end(),
                         .what = place.what});
    }
  }

  /// Reads on in a segment that is longer than its header says.
  void extend(const LengthFix& fix, const DamagedRecord::Place& place) {
    this->visitor_.on_lost_sub_record(this->sub_tag_);
    note(fix, tag_name(this->record_tag_), this->dumps_);
    searched_ = true;
    this->input_.go_to(place.start);
    this->record_end_ = fix.position + kHeaderBytes + fix.length;
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
      damage.what = cut_text(sub_tag_name(this->sub_tag_));
    }
  }

  std::string cut_text(const std::string& record) const {
    return record + ": the file ends inside this record" +
           (missing_ == 0 ? ""
                          : ", " + format_count(missing_, "byte of its segment is missing",
                                                "bytes of its segment are missing"));
  }

  void finish() {
    const std::uint64_t end = this->input_.position();
    found_.bytes = end;
    if (!found_.rows.empty() && found_.rows.back().resume == end) {
      return;
    }
    const std::string packing = this->input_.source().damage();
    if (!packing.empty() || cut_) {
      add_row({.kind = packing.empty() ? DamageKind::cut : DamageKind::packing,
               .position = end,
               .resume = end,
               .what = packing.empty() ? cut_text("HEAP_DUMP_SEGMENT") : packing},
              packing.empty() ? this->dumps_ : 0);
    }
  }

  RecordSearch search_;
  DumpDamage found_;
  std::vector<BrokenHeap> broken_;
  std::uint64_t previous_;  ///< start of the plain record read last, or where reading goes on
  std::uint32_t selected_ = 0;
  std::uint64_t missing_ = 0;  ///< bytes of the last heap record behind the end of the file
  bool in_segment_ = false;    ///< a segment is to be read on with
  bool searched_ = false;  ///< no heap record was whole since the next record had to be searched
  bool ended_ = false;     ///< a record that ends a dump stands behind the last heap record
  bool cut_ = false;       ///< some heap record says that it is longer than the file
};

}  // namespace hprof
