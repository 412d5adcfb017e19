// The order in which explanations for damage are tried: the last heap record goes on behind its
// end, or the one before the damage ends elsewhere, or a stretch is lost.
#include "formats/recovery.h"

#include "formats/hprof_tags.h"
#include "formats/record_looks.h"

#include <algorithm>
#include <utility>

namespace hprof {

using Place = DamagedRecord::Place;

Recovery::Recovery(const Reader& reader, const std::string& path, unsigned identifier_size)
    : at_(reader),
      probe_(path, reader.input.source().is_compressed(), identifier_size),
      headless_(path, identifier_size),
      doubt_(probe_, headless_, identifier_size),
      search_(probe_, headless_),
      foothold_(here()) {
  at_.lengths = {.file_bytes = probe_.known_size(), .fixes = &log_.found().lengths};
}

Recovery::Next Recovery::next() {
  before_ = at_.course;
  return std::exchange(next_, Next::record);
}

bool Recovery::record_begins() {
  const auto header = doubt_.header_ahead(at_.input, expected_.micros(), at_.course.behind_heap);
  if (!header) {
    return true;
  }
  const bool is_noise = doubt_.is_noise(*header);
  if (is_end_of_segments(*header, is_noise)) {
    log_.add_end(header->position);
    return true;
  }
  if (is_noise) {
    return false;
  }
  if (is_heap_tag(header->tag())) {
    look_at_heap(*header);
  } else {
    doubt_.learn(*header);
  }
  return true;
}

/// Whether a record behind a segment can only be a HEAP_DUMP_END that is garbled.
bool Recovery::is_end_of_segments(const HeaderDoubt::Header& header, bool is_noise) const {
  const bool is_empty = header.tag() != tag::kHeapDumpEnd && header.length() == 0;
  return (is_noise || is_empty) && at_.course.segments_open && at_.course.behind_heap &&
         doubt_.is_broken_end(header);
}

/// A heap record whose header is to be believed, but perhaps not its length or its kind.
void Recovery::look_at_heap(const HeaderDoubt::Header& header) {
  if (last_heap_.is_mended(header.position)) {
    return;
  }
  auto fix = doubt_.length_fix(header);
  const bool is_cut = fix && fix->kind == DamageKind::cut;
  const BelongsTo dump = expected_.dump_of(header.tag(), is_cut, at_.course);
  if (dump == BelongsTo::last_dump && !expected_.behind_damage()) {
    log_.add_other_kind(header.position, header.tag());
  }
  if (dump != BelongsTo::as_it_looks) {
    fix = fix.value_or(LengthFix{.position = header.position, .length = header.length()});
    fix->dump = dump;
  }
  if (is_cut) {
    log_.add_missing(header.length() - fix->length);
  }
  if (fix) {
    log_.add_fix(*fix, header.tag());
  }
}

void Recovery::take_record() {
  expected_.take_time(at_.record.micros);
  take_in();
}

void Recovery::take_headless() {
  take_in();
  last_heap_.forget();
}

/// What a whole record tells of those to come, and of those that are not asked for.
void Recovery::take_in() {
  note_heap_record();
  at_.course.close(at_.record.tag);
  expected_.take_record(at_.record.tag);
  if (at_.record.is_heap()) {
    take_in_heap();
  }
}

void Recovery::note_heap_record() {
  if (at_.record.is_heap()) {
    log_.note_heap_record(at_.record.start, at_.record.end);
  }
}

void Recovery::take_in_heap() {
  const LastHeapRecord::Record record{.start = at_.record.start,
                                      .end = at_.input.position(),
                                      .tag = at_.record.tag,
                                      .was_read = at_.course.dumps == selected_,
                                      .before = before_};
  last_heap_.set(record);
  if (!record.was_read) {
    log_.add_other_dump(record.end - record.start);
    check_unread_end();
  }
}

/// A record that was passed over and says that it is longer than the file may have an end.
void Recovery::check_unread_end() {
  if (log_.is_last_guess(at_.record.start) && at_.input.at_end()) {
    Place place;
    place.start = last_heap_.get().end;
    place.micros_before = expected_.micros();
    mend_last(place);
  }
}

/// Whether the heap record before a place where no record begins has another end; then reading
/// goes on in it, or in front of it where it was only passed over.
bool Recovery::mend_last(const Place& place) {
  const auto end = at_.course.behind_heap ? last_heap_.mended_end(search_, place) : std::nullopt;
  if (!end) {
    return false;
  }
  const auto& record = last_heap_.get();
  log_.add_fix({.position = record.start,
                .length = *end - record.start - kRecordHeaderBytes,
                .kind = DamageKind::length},
               record.tag);
  if (record.was_read) {
    read_on_in(record, *end);
  } else {
    read_again(record);
  }
  return true;
}

void Recovery::read_on_in(const LastHeapRecord::Record& record, std::uint64_t end) {
  at_.record.start = record.start;
  at_.record.end = end;
  at_.record.tag = record.tag;
  at_.record.left = end - record.end;
  at_.input.go_to(record.end);
  next_ = Next::rest_of_record;
}

void Recovery::read_again(const LastHeapRecord::Record& record) {
  log_.take_back_records();
  log_.take_back_other_dump(record.end - record.start);
  at_.input.go_to(record.start);
  at_.course = record.before;
}

/// The length of a plain record may be what is wrong when none begins behind it, so reading may go
/// back to its begin; what was read of the heap stays read.
void Recovery::settle() {
  foothold_ = at_.course.behind_heap ? here() : Foothold{at_.record.start, before_};
}

void Recovery::recover(Place place) {
  note_heap_record();
  place.heap_may_follow = expected_.heap_may_follow();
  place.micros_before = expected_.micros();
  if (const auto fix = search_.extended(place)) {
    extend(*fix, place);
  } else if (place.in_heap_record || !mend_last(place)) {
    lose_stretch(place);
  }
  foothold_ = here();
}

/// Reads on in a segment that is longer than its header says.
void Recovery::extend(const LengthFix& fix, const Place& place) {
  log_.add_fix(fix, at_.record.tag);
  expected_.take_search();
  at_.input.go_to(place.start);
  at_.record.end = fix.position + kRecordHeaderBytes + fix.length;
  at_.record.left = at_.record.end - place.start;
  next_ = Next::rest_of_record;
}

/// Goes on behind the stretch that is lost with a record.
void Recovery::lose_stretch(const Place& place) {
  Damage damage = assess(place);
  at_.lengths.file_bytes = probe_.known_size();
  if (damage.position < place.start) {
    log_.take_back_records();
    at_.course = foothold_.course;
  }
  if (damage.lost() != 0 && damage.resume != place.record_end) {
    expected_.take_search();
  }
  go_on_behind(damage, place);
  if (place.in_heap_record && at_.course.dumps == selected_) {
    log_.add_broken(place, damage, at_.input.at_end());
  }
  log_.add_damage(std::move(damage));
}

Damage Recovery::assess(const Place& place) {
  Damage damage = search_.assess(place, place.in_heap_record ? place.start : foothold_.position);
  if (log_.is_full()) {
    damage.what = "too much is damaged, the rest is not used";
    damage.resume = RecordSearch::kFarAway;
    damage.heap_left = 0;
  }
  return damage;
}

void Recovery::go_on_behind(Damage& damage, const Place& place) {
  at_.input.go_to(damage.resume);
  if (at_.input.at_end()) {
    damage.resume = std::max(damage.position, at_.input.position());
    log_.describe_end(damage, at_.input.source().damage(), place.sub_tag);
  } else if (place.in_heap_record && place.beyond_file) {
    log_.correct_cut(place, damage.resume);
  }
  at_.record.left = damage.heap_left;
  if (damage.heap_left != 0) {
    open_headless(damage);
  }
}

/// Opens a segment as if its header stood in front of the heap records.
void Recovery::open_headless(const Damage& damage) {
  next_ = damage.lost() == 0 ? Next::adjoining_headless : Next::headless;
  at_.record = {.start = damage.resume - kRecordHeaderBytes,
                .end = damage.resume + damage.heap_left,
                .left = damage.heap_left,
                .micros = expected_.micros().value_or(0),
                .tag = tag::kHeapDumpSegment};
}

bool Recovery::is_open() const {
  return at_.course.segments_open && at_.course.dumps == selected_;
}

void Recovery::finish() {
  log_.finish(at_.input.position(), at_.input.source().damage());
}

}  // namespace hprof
