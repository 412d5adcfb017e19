// Noise between two records, or what a garbled length leads to, can look like a record header. So a
// header is believed at once only if everything about it is as usual: its time, its length, the
// first heap records in it. If not, the record must be followed by another one, or be full of heap
// records, which takes looks at other places of the dump.
#include "formats/header_doubt.h"

#include "common/byte_cursor.h"
#include "formats/hprof_tags.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint32_t kMostHeapSeen = 1024;  ///< of a heap record, to believe its header
constexpr unsigned kHeapRecords = 8;
/// Names and traces that are longer than that may be heap records under a wrong tag.
constexpr std::uint32_t kLongPlainBytes = 250;
/// Fewer bytes of heap records than that are not looked for in records of other kinds.
constexpr std::uint64_t kLeastHeapBytes = 32;

HeaderDoubt::Time time_of(std::uint32_t micros, std::optional<std::uint32_t> before) {
  if (before && is_odd_time(micros, *before)) {
    return HeaderDoubt::Time::odd;
  }
  return before == 0U ? HeaderDoubt::Time::telling : HeaderDoubt::Time::possible;
}

}  // namespace

std::optional<HeaderDoubt::Header> HeaderDoubt::header_ahead(
    BufferedInput& input, std::optional<std::uint32_t> micros_before, bool behind_heap) const {
  const std::uint8_t* bytes = input.peek(kRecordHeaderBytes);
  if (bytes == nullptr) {
    return std::nullopt;
  }
  const auto length = header_length({bytes, kRecordHeaderBytes});
  const Time time = time_of(header_micros({bytes, kRecordHeaderBytes}), micros_before);
  const std::size_t wanted = bytes_wanted(bytes[0], length, time);
  const bool at_end = input.peek(wanted) == nullptr;
  const auto seen = input.buffered();
  return Header{.position = input.position(),
                .bytes = seen.first(std::min(wanted, seen.size())),
                .at_end = at_end,
                .time = time,
                .behind_heap = behind_heap};
}

/// How much a reader must see of a record to tell whether it is one.
std::size_t HeaderDoubt::bytes_wanted(std::uint8_t tag, std::uint32_t length, Time time) const {
  if (is_heap_tag(tag)) {
    return kRecordHeaderBytes + std::clamp(length, 1U, kMostHeapSeen);
  }
  if (time == Time::odd || !is_usual_length(tag, length, id_size_)) {
    return 2 * kRecordHeaderBytes + std::min(length, kUsualPlainBytes);
  }
  return length > kLongPlainBytes ? kRecordHeaderBytes + std::min(length, kMostHeapSeen)
                                  : 3 * kRecordHeaderBytes;
}

void HeaderDoubt::learn(const Header& header) {
  const auto body = header.seen();
  if (header.tag() == tag::kLoadClass && body.size() >= 4 + id_size_) {
    headless_.add_loaded(id_size_ == 8 ? load_big_endian<std::uint64_t>(body.data() + 4)
                                       : load_big_endian<std::uint32_t>(body.data() + 4));
  } else if (header.tag() == tag::kTrace && body.size() >= 4) {
    headless_.add_trace(load_big_endian<std::uint32_t>(body.data()));
  }
}

/// Whether a header that looks like a heap record's is one. Either what is in it or what follows it
/// must be right, and both where its time is odd.
bool HeaderDoubt::is_heap_record(const Header& header) const {
  const std::uint64_t body = header.body();
  const std::uint64_t length = header.length();
  if (length == 0) {
    return header.time != Time::odd &&
           (body == probe_.size() || probe_.is_chain(body) || probe_.heap_begins(body));
  }
  const auto seen = header.seen();
  const unsigned most = header.time == Time::telling ? 1 : kHeapRecords;
  if (header.time != Time::odd && shows_heap_records(seen, length, id_size_, most) &&
      (header.time == Time::telling || headless_.may_begin_with(seen))) {
    return true;
  }
  const bool begins = probe_.heap_begins(body);
  const bool ends = probe_.fits(body, length) && probe_.is_header(body + length);
  return header.time == Time::odd
             ? begins && ends
             : begins || (ends && (header.behind_heap || length > kLongPlainBytes));
}

/// Whether a record stands where one ends that is no heap record. More is asked of what follows
/// unknown, very long and untimely ones.
bool HeaderDoubt::is_followed(const Header& header) const {
  const std::uint64_t length = header.length();
  const std::uint64_t end = kRecordHeaderBytes + length;
  if (header.at_end && header.bytes.size() == end) {
    return true;
  }
  const std::uint64_t next = header.position + end;
  if (header.time == Time::odd || length > kUsualPlainBytes) {
    return next <= probe_.size() && (next == probe_.size() || probe_.is_chain(next));
  }
  if (!is_record_tag(header.tag())) {
    return next <= probe_.size() && goes_on(next);
  }
  if (header.bytes.size() >= end + kRecordHeaderBytes) {
    return may_be_header(header.bytes.subspan(static_cast<std::size_t>(end)));
  }
  return next <= probe_.size() && probe_.is_header(next);
}

/// Whether a record begins here and another one behind it, which may be of an unknown kind too.
bool HeaderDoubt::goes_on(std::uint64_t position) const {
  if (position == probe_.size() || !probe_.is_header(position)) {
    return position == probe_.size();
  }
  const auto end_of_record = [this](std::uint64_t at) {
    const auto header = probe_.bytes_at(at, kRecordHeaderBytes);
    return header.size() < kRecordHeaderBytes ? probe_.size() + 1
                                              : at + kRecordHeaderBytes + header_length(header);
  };
  const std::uint64_t next = end_of_record(position);
  const auto ends_well = [this](std::uint64_t at) {
    return at == probe_.size() || probe_.is_header(at);
  };
  return next <= probe_.size() && (ends_well(next) || ends_well(end_of_record(next)));
}

/// Whether a record that is none of the heap's has heap records in it.
bool HeaderDoubt::hides_heap(const Header& header) const {
  const auto seen = header.seen();
  const std::uint64_t length = header.length();
  return length >= kLeastHeapBytes && shows_heap_records(seen, length, id_size_, kHeapRecords) &&
         probe_.heap_begins(header.body(), length);
}

/// Whether the next record begins where this one would end if it had its usual length.
bool HeaderDoubt::hides_header(const Header& header) const {
  const std::uint64_t end = kRecordHeaderBytes + fixed_length(header.tag(), id_size_);
  return end != kRecordHeaderBytes && end < kRecordHeaderBytes + header.length() &&
         header.bytes.size() >= end + kRecordHeaderBytes &&
         may_be_header(header.bytes.subspan(static_cast<std::size_t>(end)));
}

bool HeaderDoubt::is_noise(const Header& header) const {
  const std::uint8_t tag = header.tag();
  if (is_heap_tag(tag)) {
    return !is_heap_record(header);
  }
  if (header.time != Time::odd && is_usual_length(tag, header.length(), id_size_)) {
    return header.length() > kLongPlainBytes && hides_heap(header);
  }
  return (tag == tag::kHeapDumpEnd && header.length() != 0) || !is_followed(header) ||
         hides_heap(header) || hides_header(header);
}

bool HeaderDoubt::is_broken_end(const Header& header) const {
  const std::uint64_t next = header.body();
  const auto bytes = probe_.bytes_at(next, 1);
  if (bytes.empty()) {
    return header.tag() == tag::kHeapDumpEnd;
  }
  // An empty segment may stand before the end of a dump.
  const bool may_follow_end = !is_heap_tag(bytes[0]) && bytes[0] != tag::kHeapDumpEnd;
  return is_record_tag(bytes[0]) && may_follow_end && probe_.is_chain(next);
}

/// A length of 0 with heap records behind it: whoever wrote them was stopped before the end.
bool HeaderDoubt::is_unpatched(const Header& header) const {
  const auto behind = header.seen();
  return !behind.empty() && is_sub_record_tag(behind[0]) && !probe_.is_header(header.body());
}

/// HEAP_DUMP records above 4 GiB have lost the high bits of their length.
std::optional<std::uint64_t> HeaderDoubt::wrapped_length(std::uint64_t body,
                                                         std::uint64_t length) const {
  if (!probe_.may_wrap() || probe_.is_header(body + length) ||
      probe_.size() - body < length + kLengthWrap) {
    return std::nullopt;
  }
  for (std::uint64_t longer = length + kLengthWrap; longer <= probe_.size() - body;
       longer += kLengthWrap) {
    if (body + longer == probe_.size() || probe_.is_header(body + longer)) {
      return longer;
    }
  }
  return std::nullopt;
}

std::optional<LengthFix> HeaderDoubt::length_fix(const Header& header) const {
  const std::uint8_t tag = header.tag();
  const std::uint64_t body = header.body();
  const std::uint64_t length = header.length();
  const auto fixed = [&](std::uint64_t bytes, DamageKind kind) {
    return LengthFix{.position = header.position, .length = bytes, .kind = kind};
  };
  if (length == 0) {
    return is_unpatched(header) ? std::optional(fixed(probe_.size() - body, DamageKind::length))
                                : std::nullopt;
  }
  if (probe_.fits(body, length)) {
    const auto longer = tag == tag::kHeapDump ? wrapped_length(body, length) : std::nullopt;
    return longer ? std::optional(fixed(*longer, DamageKind::none)) : std::nullopt;
  }
  return fixed(probe_.size() - body, DamageKind::cut);
}

}  // namespace hprof
