// A record header is nine bytes of which only the tag and a length that fits can be checked, so one
// alone proves little. Where a header is expected, it and the tag behind it must be right; where
// one is searched for, a chain of headers must be, or some heap records in a row, since the bytes
// of objects look like the header of an empty or of a very long heap dump again and again.
#include "formats/record_search.h"

#include "common/byte_cursor.h"
#include "formats/hprof_tags.h"
#include "formats/record_looks.h"
#include "formats/sub_record.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kHeaderBytes = kRecordHeaderBytes;
constexpr std::uint64_t kWrap = std::uint64_t{1} << 32U;
constexpr unsigned kChainLength = 4;
constexpr unsigned kHeapRecords = 8;
constexpr std::size_t kHeapRecordBytes = 4096;  ///< that are looked at of each
constexpr std::size_t kWindowBytes = 1U << 16U;
/// Bytes of whole heap records before which the header in front of them is not trusted.
constexpr std::uint64_t kProvedBytes = 500;
/// Bytes that a record may have too many or too few to be looked for near its end.
constexpr std::uint64_t kMostShift = 1U << 16U;
/// Inflating makes no more of a byte.
constexpr std::uint64_t kMostInflated = 1032;

/// Whether so much of a heap record was whole that it is one.
bool is_proved(const DamagedRecord::Place& place) {
  return place.in_heap_record && place.start - place.record_start > kProvedBytes;
}

}  // namespace

RecordSearch::RecordSearch(const std::string& path, bool compressed, unsigned identifier_size)
    : file_(open_input(path)),
      path_(path),
      compressed_(compressed),
      id_size_(identifier_size),
      file_bytes_(file_size(file_, path)),
      inflated_(path),
      headless_(path, identifier_size) {}

/// Bytes of the whole dump.
std::uint64_t RecordSearch::size() const {
  return compressed_ ? inflated_.size() : file_bytes_;
}

/// Whether the dump can have a record of that length; a compressed one can until something is wrong
/// with it.
bool RecordSearch::fits(std::uint64_t body, std::uint64_t length) const {
  return (compressed_ && !inflated_.knows_size()) || (body <= size() && length <= size() - body);
}

/// Whether the dump can be so large that lengths do not fit in four bytes.
bool RecordSearch::may_wrap() const {
  return file_bytes_ >= kWrap / (compressed_ ? kMostInflated : 1);
}

/// As many bytes as there are.
std::vector<std::uint8_t> RecordSearch::bytes_at(std::uint64_t position, std::size_t count) const {
  if (compressed_) {
    return inflated_.bytes_at(position, count);
  }
  std::vector<std::uint8_t> bytes(count);
  bytes.resize(read_at(file_, path_, position, bytes));
  return bytes;
}

/// Whether a record begins here, if the file does not end before that can be seen: its tag and
/// length are possible and another record or the end follows it.
bool RecordSearch::is_header(std::uint64_t position) const {
  const auto header = bytes_at(position, kHeaderBytes);
  if (header.size() < kHeaderBytes) {
    return header.empty() || is_record_tag(header[0]);
  }
  if (!may_be_header(header)) {
    return false;
  }
  const std::uint64_t body = position + kHeaderBytes;
  const auto length = load_big_endian<std::uint32_t>(header.data() + 5);
  const auto next = bytes_at(is_heap_tag(header[0]) ? body : body + length, 1);
  return next.empty() || (is_heap_tag(header[0]) ? length == 0 || is_sub_record_tag(next[0])
                                                 : is_record_tag(next[0]));
}

/// Whether a body of that length begins with whole heap records, some or all that it has.
bool RecordSearch::heap_begins(std::uint64_t body, std::uint64_t length) const {
  const std::uint64_t end = std::min(size(), body + length);
  std::uint64_t position = body;
  for (unsigned records = 0; records < kHeapRecords && position != end; ++records) {
    const auto bytes = sub_record_bytes(bytes_at(position, kHeapRecordBytes), id_size_);
    if (!bytes) {
      return false;
    }
    if (*bytes > end - position) {
      return records != 0 && end != body + length;
    }
    position += *bytes;
  }
  return position != body;
}

/// Whether a body of unknown length does, up to the next record or the end of the file.
bool RecordSearch::heap_begins(std::uint64_t body) const {
  std::uint64_t position = body;
  for (unsigned records = 0; records < kHeapRecords && position < size(); ++records) {
    if (records != 0 && is_header(position)) {
      return true;
    }
    const auto bytes = sub_record_bytes(bytes_at(position, kHeapRecordBytes), id_size_);
    if (!bytes || *bytes > size() - position) {
      return bytes && records != 0;
    }
    position += *bytes;
  }
  return position != body;
}

/// Whether some records in a row begin here, up to the first heap record or the end.
bool RecordSearch::is_chain(std::uint64_t position) const {
  for (unsigned i = 0; i < kChainLength; ++i) {
    const auto header = bytes_at(position, kHeaderBytes);
    if (header.size() < kHeaderBytes) {
      return i != 0 && is_header(position);
    }
    if (!is_header(position)) {
      return false;
    }
    const std::uint64_t body = position + kHeaderBytes;
    const auto length = load_big_endian<std::uint32_t>(header.data() + 5);
    position = body + length;
    if (is_heap_tag(header[0]) && length != 0) {
      return heap_begins(body, length) && (position > size() || is_header(position));
    }
    if (is_heap_tag(header[0]) && heap_begins(body, size() - body)) {
      return true;
    }
    if (position > size()) {
      return false;
    }
  }
  return true;
}

/// Whether a record with that time can follow.
bool RecordSearch::is_of_its_time(std::uint32_t micros, const DamagedRecord::Place& place) {
  if (is_proved(place)) {
    return !is_odd_time(micros, place.micros);
  }
  return place.micros_before != 0 || micros == 0;
}

/// The first chain of records in the stretch, the end of the file if there is none, or where it is
/// not found in reasonable time.
std::uint64_t RecordSearch::next_chain(const Stretch& stretch,
                                       const DamagedRecord::Place& place) const {
  const std::uint64_t end = std::min(size(), stretch.to);
  for (std::uint64_t start = stretch.from; start < end; start += kWindowBytes) {
    const auto window = bytes_at(start, kWindowBytes + kHeaderBytes);
    for (std::size_t i = 0; i + kHeaderBytes <= window.size() && i < kWindowBytes; ++i) {
      if (inflated_.is_worn() || start + i >= end) {
        return size();
      }
      const std::span header(window.data() + i, kHeaderBytes);
      const auto length = load_big_endian<std::uint32_t>(&header[5]);
      const bool fits = start + i + kHeaderBytes + length <= size();
      if (start + i != place.start && may_be_header(header) && (fits || !stretch.whole) &&
          is_of_its_time(load_big_endian<std::uint32_t>(&header[1]), place) &&
          is_chain(start + i)) {
        return start + i;
      }
    }
  }
  return size();
}

/// Whether another record begins where a damaged one should end; of a heap record with too many or
/// too few bytes that may be anywhere inside the next one.
bool RecordSearch::is_next_header(std::uint64_t position, const DamagedRecord::Place& place) const {
  const auto header = bytes_at(position, kHeaderBytes);
  if (!place.in_heap_record || header.size() < kHeaderBytes) {
    return is_header(position);
  }
  const auto length = load_big_endian<std::uint32_t>(&header[5]);
  return is_header(position) && is_of_its_time(load_big_endian<std::uint32_t>(&header[1]), place) &&
         (is_heap_tag(header[0]) || fits(position + kHeaderBytes, length));
}

/// Where records go on near the end of a damaged heap record that has lost or won some bytes; the
/// end of the file if they do not.
std::uint64_t RecordSearch::chain_near_end(const DamagedRecord::Place& place) const {
  const std::uint64_t end = place.record_end;
  if (!is_proved(place) || place.beyond_file || end <= place.start) {
    return size();
  }
  return next_chain({.from = end - std::min(end - place.start - 1, kMostShift),
                     .to = end + kMostShift,
                     .whole = true},
                    place);
}

bool RecordSearch::zeros_from(std::uint64_t position) const {
  for (std::uint64_t start = position; start < size(); start += kWindowBytes) {
    const auto window = bytes_at(start, kWindowBytes);
    if (std::any_of(window.begin(), window.end(), [](std::uint8_t byte) { return byte != 0; })) {
      return false;
    }
  }
  return position < size();
}

/// A length of 0 with heap records behind it: whoever wrote them was stopped before the end.
bool RecordSearch::is_unpatched(const Header& header) const {
  const auto behind = header.bytes.subspan(kHeaderBytes);
  if (behind.empty() || !is_sub_record_tag(behind[0])) {
    return false;
  }
  return !is_header(header.position + kHeaderBytes);
}

/// HEAP_DUMP records above 4 GiB have lost the high bits of their length.
std::optional<std::uint64_t> RecordSearch::wrapped_length(std::uint64_t body,
                                                          std::uint64_t length) const {
  if (!may_wrap() || is_header(body + length) || size() - body < length + kWrap) {
    return std::nullopt;
  }
  for (std::uint64_t longer = length + kWrap; longer <= size() - body; longer += kWrap) {
    if (body + longer == size() || is_header(body + longer)) {
      return longer;
    }
  }
  return std::nullopt;
}

std::optional<LengthFix> RecordSearch::length_fix(const Header& header) const {
  const std::uint8_t tag = header.bytes[0];
  const std::uint64_t body = header.position + kHeaderBytes;
  const std::uint64_t length = load_big_endian<std::uint32_t>(header.bytes.data() + 5);
  const auto fixed = [&](std::uint64_t bytes, DamageKind kind) {
    return LengthFix{.position = header.position, .length = bytes, .kind = kind};
  };
  if (length == 0) {
    return is_unpatched(header) ? std::optional(fixed(size() - body, DamageKind::length))
                                : std::nullopt;
  }
  if (fits(body, length)) {
    const auto longer = tag == tag::kHeapDump ? wrapped_length(body, length) : std::nullopt;
    return longer ? std::optional(fixed(*longer, DamageKind::none)) : std::nullopt;
  }
  return fixed(size() - body, DamageKind::cut);
}

/// The first chain of records or row of heap records at or behind `from`.
RecordSearch::Piece RecordSearch::next_piece(std::uint64_t from,
                                             const DamagedRecord::Place& place) const {
  for (std::uint64_t start = from; start < size(); start += kWindowBytes) {
    const std::uint64_t end = std::min(size(), start + kWindowBytes);
    const std::uint64_t chain = std::min(end, next_chain({.from = start, .to = end}, place));
    const std::uint64_t likely = place.start + kHeaderBytes;
    const auto row = place.heap_may_follow
                         ? headless_.find(start, chain, likely < from ? size() : likely, size())
                         : std::nullopt;
    if (row) {
      return {.begin = row->begin, .heap_end = end_of(*row)};
    }
    if (chain != end) {
      return {.begin = chain};
    }
    if (inflated_.is_worn()) {
      break;
    }
  }
  return {.begin = size()};
}

/// Where a row of heap records ends: before the first record header, if there is one, or behind the
/// last record that is sure, since the header of a plain record looks like a root.
std::uint64_t RecordSearch::end_of(const HeadlessHeap::Row& row) const {
  const auto found = std::find_if(row.ends.begin(), row.ends.end(),
                                  [&](std::uint64_t end) { return is_chain(end); });
  return found == row.ends.end() ? row.ends.front() : *found;
}

/// Where heap records without a header end for sure, which are a row up to `end`.
std::uint64_t RecordSearch::end_of_headless(std::uint64_t end,
                                            const DamagedRecord::Place& place) const {
  while (end < size() && !is_chain(end)) {
    const Piece next = next_piece(end + 1, place);
    if (next.heap_end == 0) {
      return next.begin;
    }
    end = std::max(next.heap_end, end + 1);
  }
  return end;
}

/// Whether a record would begin here if its tag were another one.
bool RecordSearch::is_header_but_for_tag(const DamagedRecord::Place& place) const {
  const auto header = bytes_at(place.start, kHeaderBytes);
  if (header.size() < kHeaderBytes ||
      !is_of_its_time(load_big_endian<std::uint32_t>(&header[1]), place)) {
    return false;
  }
  const std::uint64_t body = place.start + kHeaderBytes;
  const auto length = load_big_endian<std::uint32_t>(&header[5]);
  return fits(body, length) && is_header(body + length);
}

std::optional<std::uint64_t> RecordSearch::true_end(std::uint64_t body,
                                                    const DamagedRecord::Place& place) const {
  const auto row = headless_.row_at(body, size());
  const std::uint64_t end = end_of(row);
  const bool is_longer = row.ends.front() > place.start && !is_header_but_for_tag(place);
  if (end == body || end == place.start || (end > place.start && !is_longer)) {
    return std::nullopt;
  }
  if (end < place.start) {
    return is_chain(end) ? std::optional(end) : std::nullopt;
  }
  return end_of_headless(end, place);
}

RecordSearch::Resume RecordSearch::resume_after(const DamagedRecord::Place& place,
                                                std::uint64_t before) const {
  if (place.in_heap_record && is_chain(place.start)) {
    return {.position = place.start};
  }
  const std::uint64_t record_end = std::min(place.record_end, size());
  const bool whole = record_end > place.start && !place.beyond_file &&
                     (record_end != size() || place.in_heap_record);
  if (whole && is_next_header(record_end, place)) {
    return {.position = record_end};
  }
  return place.in_heap_record ? Resume{.position = resume_in_heap(place)}
                              : resume_among_records(place, before);
}

std::uint64_t RecordSearch::resume_in_heap(const DamagedRecord::Place& place) const {
  const std::uint64_t from = place.start + 1;
  std::uint64_t found = chain_near_end(place);
  if (found == size()) {
    found = next_chain({.from = from, .whole = true}, place);
  }
  return found == size() ? next_chain({.from = from}, place) : found;
}

RecordSearch::Resume RecordSearch::resume_among_records(const DamagedRecord::Place& place,
                                                        std::uint64_t before) const {
  const std::uint64_t from = std::min(before, place.start);
  const Piece next = next_piece(from == place.start ? from : from + 1, place);
  return next.heap_end == 0
             ? Resume{.position = next.begin}
             : Resume{.position = next.begin,
                      .heap_left = end_of_headless(next.heap_end, place) - next.begin};
}

std::optional<LengthFix> RecordSearch::extended(const DamagedRecord::Place& place) const {
  const bool too_short = place.in_heap_record && place.beyond_segment &&
                         place.record_end < size() && !is_chain(place.record_end);
  if (!too_short) {
    return std::nullopt;
  }
  std::uint64_t end = end_of(headless_.row_at(place.start, size()));
  if (end <= place.record_end || (end != size() && !is_chain(end))) {
    end = next_chain({.from = std::max(end, place.start + 1)}, place);
  }
  return end < place.record_end
             ? std::nullopt
             : std::optional(LengthFix{.position = place.record_start,
                                       .length = end - place.record_start - kHeaderBytes,
                                       .kind = DamageKind::length});
}

Damage RecordSearch::assess(const DamagedRecord::Place& place, std::uint64_t before) const {
  const Resume resume = resume_after(place, before);
  Damage damage{.kind = place.at_end ? DamageKind::cut : DamageKind::garbled,
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
  } else if (damage.resume == size() && zeros_from(damage.position)) {
    damage.kind = DamageKind::zeros;
    damage.what = "nothing but zeros follow";
  }
  return damage;
}

}  // namespace hprof
