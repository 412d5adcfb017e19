// A header where the damaged record should end is believed more easily than one that is found by
// going over bytes, which must begin a chain; inside a heap record, whose content can look like
// anything, its time must be right as well.
#include "formats/record_search.h"

#include "formats/record_looks.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kHeaderBytes = kRecordHeaderBytes;
constexpr std::size_t kWindowBytes = 1U << 16U;
/// Bytes of whole heap records before which the header in front of them is not trusted.
constexpr std::uint64_t kProvedBytes = 500;
/// Bytes that a record may have too many or too few to be looked for near its end.
constexpr std::uint64_t kMostShift = 1U << 16U;

/// Whether so much of a heap record was whole that it is one.
bool is_proved(const DamagedRecord::Place& place) {
  return place.in_heap_record && place.start - place.record_start > kProvedBytes;
}

/// Whether a record with that time can follow.
bool is_of_its_time(std::uint32_t micros, const DamagedRecord::Place& place) {
  if (is_proved(place)) {
    return !is_odd_time(micros, place.micros);
  }
  return place.micros_before != 0 || micros == 0;
}

}  // namespace

/// The first chain of records in the stretch, the end of the file if there is none, or where it is
/// not found in reasonable time.
std::uint64_t RecordSearch::next_chain(const Stretch& stretch, const Place& place) const {
  const std::uint64_t size = probe_.size();
  const std::uint64_t end = std::min(size, stretch.to);
  for (std::uint64_t start = stretch.from; start < end; start += kWindowBytes) {
    const auto window = probe_.bytes_at(start, kWindowBytes + kHeaderBytes);
    for (std::size_t i = 0; i + kHeaderBytes <= window.size() && i < kWindowBytes; ++i) {
      if (probe_.is_worn() || start + i >= end) {
        return size;
      }
      const std::span header(window.data() + i, kHeaderBytes);
      const auto length = header_length(header);
      const bool fits = start + i + kHeaderBytes + length <= size;
      if (start + i != place.start && may_be_header(header) && (fits || !stretch.whole) &&
          is_of_its_time(header_micros(header), place) && probe_.is_chain(start + i)) {
        return start + i;
      }
    }
  }
  return size;
}

/// Whether another record begins where a damaged one should end; of a heap record with too many or
/// too few bytes that may be anywhere inside the next one.
bool RecordSearch::is_next_header(std::uint64_t position, const Place& place) const {
  const auto header = probe_.bytes_at(position, kHeaderBytes);
  if (!place.in_heap_record || header.size() < kHeaderBytes) {
    return probe_.is_header(position);
  }
  const auto length = header_length(header);
  return probe_.is_header(position) && is_of_its_time(header_micros(header), place) &&
         (is_heap_tag(header[0]) || probe_.fits(position + kHeaderBytes, length));
}

/// Where records go on near the end of a damaged heap record that has lost or won some bytes; the
/// end of the file if they do not.
std::uint64_t RecordSearch::chain_near_end(const Place& place) const {
  const std::uint64_t end = place.record_end;
  if (!is_proved(place) || place.beyond_file || end <= place.start) {
    return probe_.size();
  }
  return next_chain({.from = end - std::min(end - place.start - 1, kMostShift),
                     .to = end + kMostShift,
                     .whole = true},
                    place);
}

/// The first chain of records or row of heap records at or behind `from`.
RecordSearch::Piece RecordSearch::next_piece(std::uint64_t from, const Place& place) const {
  for (std::uint64_t start = from; start < probe_.size(); start += kWindowBytes) {
    const std::uint64_t end = std::min(probe_.size(), start + kWindowBytes);
    const std::uint64_t chain = std::min(end, next_chain({.from = start, .to = end}, place));
    const std::uint64_t likely = place.start + kHeaderBytes;
    const auto row =
        place.heap_may_follow
            ? headless_.find(start, chain, likely < from ? probe_.size() : likely, probe_.size())
            : std::nullopt;
    if (row) {
      return {.begin = row->begin, .heap_end = end_of(*row)};
    }
    if (chain != end) {
      return {.begin = chain};
    }
    if (probe_.is_worn()) {
      break;
    }
  }
  return {.begin = probe_.size()};
}

/// Where a row of heap records ends: before the first record header, if there is one, or behind the
/// last record that is sure, since the header of a plain record looks like a root.
std::uint64_t RecordSearch::end_of(const HeadlessHeap::Row& row) const {
  const auto found = std::find_if(row.ends.begin(), row.ends.end(),
                                  [&](std::uint64_t end) { return probe_.is_chain(end); });
  return found == row.ends.end() ? row.ends.front() : *found;
}

/// Where heap records without a header end for sure, which are a row up to `end`.
std::uint64_t RecordSearch::end_of_headless(std::uint64_t end, const Place& place) const {
  while (end < probe_.size() && !probe_.is_chain(end)) {
    const Piece next = next_piece(end + 1, place);
    if (next.heap_end == 0) {
      return next.begin;
    }
    end = std::max(next.heap_end, end + 1);
  }
  return end;
}

/// Whether a record would begin here if its tag were another one.
bool RecordSearch::is_header_but_for_tag(const Place& place) const {
  const auto header = probe_.bytes_at(place.start, kHeaderBytes);
  if (header.size() < kHeaderBytes || !is_of_its_time(header_micros(header), place)) {
    return false;
  }
  const std::uint64_t body = place.start + kHeaderBytes;
  const auto length = header_length(header);
  return probe_.fits(body, length) && probe_.is_header(body + length);
}

std::optional<std::uint64_t> RecordSearch::true_end(std::uint64_t body, const Place& place) const {
  const auto row = headless_.row_at(body, probe_.size());
  const std::uint64_t end = end_of(row);
  const bool is_longer = row.ends.front() > place.start && !is_header_but_for_tag(place);
  if (end == body || end == place.start || (end > place.start && !is_longer)) {
    return std::nullopt;
  }
  if (end < place.start) {
    return probe_.is_chain(end) ? std::optional(end) : std::nullopt;
  }
  return end_of_headless(end, place);
}

RecordSearch::Resume RecordSearch::resume_after(const Place& place, std::uint64_t before) const {
  if (place.in_heap_record && probe_.is_chain(place.start)) {
    return {.position = place.start};
  }
  const std::uint64_t record_end = std::min(place.record_end, probe_.size());
  const bool whole = record_end > place.start && !place.beyond_file &&
                     (record_end != probe_.size() || place.in_heap_record);
  if (whole && is_next_header(record_end, place)) {
    return {.position = record_end};
  }
  return place.in_heap_record ? Resume{.position = resume_in_heap(place)}
                              : resume_among_records(place, before);
}

std::uint64_t RecordSearch::resume_in_heap(const Place& place) const {
  const std::uint64_t from = place.start + 1;
  std::uint64_t found = chain_near_end(place);
  if (found == probe_.size()) {
    found = next_chain({.from = from, .whole = true}, place);
  }
  return found == probe_.size() ? next_chain({.from = from}, place) : found;
}

RecordSearch::Resume RecordSearch::resume_among_records(const Place& place,
                                                        std::uint64_t before) const {
  const std::uint64_t from = std::min(before, place.start);
  const Piece next = next_piece(from == place.start ? from : from + 1, place);
  return next.heap_end == 0
             ? Resume{.position = next.begin}
             : Resume{.position = next.begin,
                      .heap_left = end_of_headless(next.heap_end, place) - next.begin};
}

std::optional<LengthFix> RecordSearch::extended(const Place& place) const {
  const bool too_short = place.in_heap_record && place.why == Unreadable::beyond_segment &&
                         place.record_end < probe_.size() && !probe_.is_chain(place.record_end);
  if (!too_short) {
    return std::nullopt;
  }
  std::uint64_t end = end_of(headless_.row_at(place.start, probe_.size()));
  if (end <= place.record_end || (end != probe_.size() && !probe_.is_chain(end))) {
    end = next_chain({.from = std::max(end, place.start + 1)}, place);
  }
  return end < place.record_end
             ? std::nullopt
             : std::optional(LengthFix{.position = place.record_start,
                                       .length = end - place.record_start - kHeaderBytes,
                                       .kind = DamageKind::length});
}

Damage RecordSearch::assess(const Place& place, std::uint64_t before) const {
  const Resume resume = resume_after(place, before);
  Damage damage{.kind = place.why == Unreadable::at_end ? DamageKind::cut : DamageKind::garbled,
                .position = place.start,
                .resume = resume.position,
                .what = place.what,
                .heap_left = resume.heap_left};
  if (damage.resume < damage.position) {
    damage.position = before;
  }
  if (damage.resume == damage.position) {
    damage.kind = DamageKind::length;
    damage.what = damage.heap_left != 0 ? "HEAP_DUMP_SEGMENT: begins here without a header"
                                        : "HEAP_DUMP_SEGMENT: ends here, whatever its header says";
  } else if (damage.resume == probe_.size() && probe_.zeros_from(damage.position)) {
    damage.kind = DamageKind::zeros;
    damage.what = "nothing but zeros follow";
  }
  return damage;
}

}  // namespace hprof
