// Behind damage, heap records are found by what they say, held against the rest of the dump: where
// several in a row fit, records begin. Two things mislead. An array whose length is wrong is read
// as a whole record and only what follows it fails; so the last array before damage is given up
// unless what follows begins like a record, and a row of records that begins inside it and goes on
// beyond its end proves its length wrong. And an array may hold a dump, or a piece of one, of the
// same process: such records end at a record header, or where those of the real heap overlap them.
#include "formats/heap_scan.h"

#include "common/byte_cursor.h"
#include "common/text.h"
#include "formats/hprof_tags.h"
#include "formats/record_kind.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr unsigned kConvincing = 6;    ///< sure records in a row
constexpr unsigned kMostLooked = 32;   ///< records in which that many must be
constexpr unsigned kReassuring = 8;    ///< sure records behind one that fits badly
constexpr unsigned kMostDoubted = 64;  ///< records in which that many must be
constexpr unsigned kMostMisread = 4;   ///< records that bytes inside others may be taken for
constexpr std::uint64_t kLongRun = 1000;
constexpr std::uint64_t kHeaderBytes = 9;
constexpr std::size_t kBlockBytes = 4096;
constexpr std::size_t kMostClassBytes = 4U << 20U;

bool is_heap_tag(std::uint8_t tag) {
  return tag == tag::kHeapDump || tag == tag::kHeapDumpSegment;
}

bool is_object_tag(std::uint8_t tag) {
  return (tag >= sub::kClassDump && tag <= sub::kPrimitiveArrayDump) ||
         tag == sub::kPrimitiveArrayNoData;
}

/// Whether a record with that tag can be sure to be one.
bool may_begin_run(std::uint8_t tag) {
  return is_object_tag(tag) || root_record_extra(tag, 8).has_value();
}

}  // namespace

/// Bytes of the stretch.
std::span<const std::uint8_t> HeapScan::bytes_at(std::uint64_t position, std::size_t count,
                                                 bool ahead) {
  const auto wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(count, stretch_.end - position));
  const auto bytes = ahead ? view_.look(position, wanted) : view_.at(position, wanted);
  return bytes.first(std::min(bytes.size(), wanted));
}

HeapScan::Record HeapScan::record_at(std::uint64_t position, bool ahead) {
  auto head = sub_record_head(bytes_at(position, kSubRecordHead, ahead), id_size_);
  if (!head) {
    return {};
  }
  const std::uint64_t left = stretch_.end - position;
  Record out{.head = *head, .fit = known_.fit(*head, position >= stretch_.failed)};
  if (head->tag == sub::kClassDump && (out.fit == Fit::sure || !ahead)) {
    for (std::size_t seen = kSubRecordHead; head && head->bytes > left && seen < left;) {
      if (seen > kMostClassBytes) {
        return {};
      }
      seen *= 8;
      head = sub_record_head(bytes_at(position, seen, ahead), id_size_);
    }
    if (!head) {
      return {};
    }
    out.head = *head;
  }
  if (out.head.bytes > left) {
    out.beyond = out.fit == Fit::sure;
    out.fit = Fit::none;
  }
  return out;
}

void HeapScan::learn(std::uint64_t position, const Record& record) {
  if (record.head.tag == sub::kClassDump && record.fit == Fit::sure) {
    const auto bytes = bytes_at(position, static_cast<std::size_t>(record.head.bytes), false);
    known_.add_class(record.head.id, record.head.class_id, own_field_bytes(bytes, id_size_));
  }
}

/// Follows records up to the first that is none, or to one that fits badly and is not made good by
/// those behind it.
HeapScan::Run HeapScan::walk(std::uint64_t begin, std::uint64_t stop, Patience patience) {
  Run run{.begin = begin, .end = begin, .last = {}, .last_begin = begin};
  Run before_doubt;
  bool in_doubt = false;
  unsigned records = 0;
  unsigned good = 0;
  while (run.end < stop) {
    const Record record = record_at(run.end, false);
    if (record.fit == Fit::none) {
      break;
    }
    if (record.fit == Fit::odd) {
      before_doubt = in_doubt ? before_doubt : run;
      records = in_doubt ? records : 0;
      in_doubt = true;
      good = 0;
    } else if (record.fit == Fit::sure) {
      in_doubt = in_doubt && ++good < kReassuring;
      ++run.sure;
    }
    if (in_doubt && ++records > kMostDoubted && patience == Patience::limited) {
      break;
    }
    learn(run.end, record);
    const bool is_proof = record.fit == Fit::sure && is_object_tag(record.head.tag);
    if (is_proof) {
      run.last = record;
      run.last_begin = run.end;
    }
    run.unproved = is_proof ? 0 : run.unproved + 1;
    run.end += record.head.bytes;
  }
  return in_doubt && run.end != stretch_.end ? before_doubt : run;
}

/// Whether several records that fit stand here, or at least one up to the end of the stretch.
bool HeapScan::goes_on(std::uint64_t position) {
  unsigned sure = 0;
  for (unsigned i = 0; i < kMostLooked; ++i) {
    if (position == stretch_.end) {
      return sure != 0;
    }
    const Record record = record_at(position, true);
    if (record.beyond && stretch_.is_cut) {
      return sure != 0;
    }
    if (record.fit < Fit::likely) {
      return false;
    }
    sure += record.fit == Fit::sure ? 1 : 0;
    if (sure == kConvincing) {
      return true;
    }
    position += record.head.bytes;
  }
  return false;
}

/// Whether such records begin here, and with a sure one.
bool HeapScan::is_convincing(std::uint64_t position) {
  return record_at(position, true).fit == Fit::sure && goes_on(position);
}

/// The first place at or behind `from` where a single record fits, one of an object if that is
/// wanted; `limit` if there is none.
std::uint64_t HeapScan::candidate(std::uint64_t from, std::uint64_t limit, Wanted wanted) {
  const auto may_be_one = [&](std::uint8_t tag) {
    return is_object_tag(tag) ||
           (wanted == Wanted::any && (may_begin_run(tag) || is_heap_tag(tag)));
  };
  while (from < limit) {
    auto bytes = bytes_at(from, kBlockBytes, false);
    bytes = bytes.first(std::min<std::uint64_t>(bytes.size(), limit - from));
    if (bytes.empty()) {
      return limit;
    }
    const auto found = std::find_if(bytes.begin(), bytes.end(), may_be_one);
    from += static_cast<std::uint64_t>(found - bytes.begin());
    if (found == bytes.end()) {
      continue;
    }
    if (is_heap_tag(*found)) {
      note_header(from);
    } else if (record_at(from, true).fit == Fit::sure) {
      return from;
    }
    ++from;
  }
  return limit;
}

/// Where inside the last sure record of a run other records begin that reach beyond the run's end
/// and go on; the run's end if there are none.
std::uint64_t HeapScan::crossing(const Run& run) {
  std::uint64_t from = candidate(run.last_begin + 1, run.end, Wanted::objects);
  while (from < run.end) {
    std::uint64_t last = from;
    std::uint64_t position = from;
    while (position < run.end) {
      const Record record = record_at(position, false);
      if (record.fit < Fit::likely) {
        break;
      }
      last = is_object_tag(record.head.tag) ? position : last;
      position += record.head.bytes;
    }
    if (position > run.end && (position == stretch_.end || goes_on(position))) {
      return from;
    }
    from = candidate(last + 1, run.end, Wanted::objects);
  }
  return run.end;
}

/// Whether a record header stands here, as there is one in a dump that lies in an array.
bool HeapScan::is_header(std::uint64_t position) {
  const auto bytes = bytes_at(position, kHeaderBytes + 1, true);
  if (bytes.size() < kHeaderBytes) {
    return false;
  }
  const auto length = load_big_endian<std::uint32_t>(&bytes[5]);
  if (bytes[0] == tag::kHeapDumpEnd) {
    return length == 0;
  }
  return is_heap_tag(bytes[0]) && length != 0 && bytes.size() > kHeaderBytes &&
         may_begin_run(bytes[kHeaderBytes]);
}

/// Whether records other than heap records stand here and fill the rest of the stretch: it ends
/// here, and some bytes of it are gone.
bool HeapScan::is_true_end(std::uint64_t position) {
  while (position < stretch_.end) {
    const auto header = bytes_at(position, kHeaderBytes, true);
    if (header.size() < kHeaderBytes || !is_record_tag(header[0]) || header[0] == tag::kHeapDump ||
        header[0] == tag::kHeapDumpSegment) {
      return false;
    }
    position += kHeaderBytes + load_big_endian<std::uint32_t>(&header[5]);
  }
  return position == stretch_.end;
}

/// Remembers the heap dump inside an array whose header may stand here.
void HeapScan::note_header(std::uint64_t position) {
  if (position < inner_end_ || !is_header(position)) {
    return;
  }
  const auto header = bytes_at(position, kHeaderBytes, true);
  const std::uint64_t end = position + kHeaderBytes + load_big_endian<std::uint32_t>(&header[5]);
  inner_end_ = is_heap_tag(header[0]) && end < stretch_.end ? end : inner_end_;
}

/// Whether the records from here on are such a dump's, being up to its end; then `position` becomes
/// their last one's.
bool HeapScan::pass_inner_dump(std::uint64_t& position) {
  if (position >= inner_end_) {
    return false;
  }
  const Run run = walk(position, inner_end_, Patience::limited);
  if (run.end > inner_end_) {
    return false;
  }
  position = run.end == inner_end_ ? run.end - 1 : std::max(position, run.last_begin);
  return true;
}

/// Whether a run may end where it does because its last array has a wrong length.
bool HeapScan::may_be_too_long(const Run& run) const {
  return run.last.fit == Fit::sure && run.unproved <= kMostMisread &&
         known_.has_free_length(run.last.head);
}

/// Whether what was taken for the header behind the stretch is the end of the record behind a run,
/// since what is read behind that header goes on with that run.
bool HeapScan::holds_next_header(const Run& run) {
  return stretch_.next_end != 0 && run.begin > stretch_.failed &&
         run.end + record_at(run.end, false).head.bytes == stretch_.end + kHeaderBytes;
}

/// Whether the last run of a stretch ends with a record that it cannot hold: it is the piece of a
/// dump in the last array.
bool HeapScan::is_cut_piece(const Run& run) {
  return !stretch_.is_cut && run.sure < kLongRun && record_at(run.end, false).beyond;
}

/// Whether a run that was found by search is of this heap, and not content of an array.
bool HeapScan::is_trusted(const Run& run) {
  if (run.end == stretch_.end) {
    return true;
  }
  if (is_true_end(run.end)) {
    stretch_.end = run.end;
    return true;
  }
  if (is_header(run.end)) {
    return false;
  }
  return crossing(run) == run.end || (run.sure >= kLongRun && may_be_too_long(run));
}

/// The first run that begins at or behind `from`; an empty one at the end if there is none.
HeapScan::Run HeapScan::next_run(std::uint64_t from) {
  inner_end_ = 0;
  for (from = candidate(from, stretch_.end, Wanted::any); from < stretch_.end;) {
    if (is_convincing(from) && !pass_inner_dump(from)) {
      const Run run = walk(from, stretch_.end, Patience::limited);
      if (is_trusted(run)) {
        return run;
      }
      from = std::max(from, run.last_begin);
    }
    from = candidate(from + 1, stretch_.end, Wanted::any);
  }
  return {.begin = stretch_.end, .end = stretch_.end, .last = {}, .last_begin = stretch_.end};
}

/// Whether the tag, the id and the trace of a record stand here, as far as there are bytes.
bool HeapScan::begins_like_record(std::uint64_t position) {
  const auto bytes = bytes_at(position, 1 + id_size_ + 4, true);
  if (bytes.size() < 1 + id_size_ + 4) {
    return stretch_.is_cut;
  }
  const std::uint64_t id = id_size_ == 8 ? load_big_endian<std::uint64_t>(&bytes[1])
                                         : load_big_endian<std::uint32_t>(&bytes[1]);
  return may_begin_run(bytes[0]) && known_.is_id(id) &&
         (!is_object_tag(bytes[0]) ||
          known_.is_trace(load_big_endian<std::uint32_t>(&bytes[1 + id_size_])));
}

std::string HeapScan::reason(std::uint64_t position, bool is_array) {
  if (position == stretch_.failed) {
    return stretch_.what;
  }
  const auto bytes = bytes_at(position, 1, true);
  const std::uint8_t tag = bytes.empty() ? std::uint8_t{0} : bytes[0];
  if (stretch_.is_cut && record_at(position, true).beyond) {
    return sub_tag_name(tag) + ": the file ends inside this record";
  }
  if (is_array) {
    return sub_tag_name(tag) + ": no record begins where it ends";
  }
  return may_begin_run(tag)
             ? sub_tag_name(tag) + ": does not fit into the dump"
             : concat("HEAP_DUMP_SEGMENT: tag ", hex_address(tag), " is no heap record");
}

/// What is lost between a run and the next one.
Damage HeapScan::gap_behind(const Run& run, Run& next) {
  std::uint64_t begin = run.end;
  std::uint64_t from = run.end;
  if (may_be_too_long(run)) {
    from = crossing(run);
    const bool ends_wrong = from != run.end || run.unproved != 0 || !begins_like_record(run.end);
    begin = ends_wrong ? run.last_begin : run.end;
  }
  next = next_run(std::max(from, begin + 1));
  return {.kind = DamageKind::garbled,
          .position = begin,
          .resume = next.begin,
          .what = reason(begin, begin != run.end)};
}

std::vector<Damage> HeapScan::gaps(const BrokenHeap& stretch, std::size_t most) {
  stretch_ = stretch;
  std::vector<Damage> out;
  if (stretch.is_cut && next_run(stretch.failed + 1).begin == stretch_.end) {
    return {{.kind = DamageKind::garbled,
             .position = stretch.failed,
             .resume = stretch.end,
             .what = stretch.what}};
  }
  Run run = walk(stretch.begin, stretch.failed, Patience::unlimited);
  while (run.end != stretch_.end) {
    Run next;
    out.push_back(gap_behind(run, next));
    if (next.begin == stretch_.end && holds_next_header(run)) {
      out.pop_back();
      stretch_.end = stretch_.next_end;
      break;
    }
    if (out.size() > 1 && next.begin == stretch_.end && is_cut_piece(run)) {
      out.pop_back();
      out.back().resume = stretch_.end;
      break;
    }
    if (out.size() == most && next.end != stretch_.end) {
      out.back().resume = stretch.end;
      break;
    }
    run = next;
  }
  for (Damage& gap : out) {
    gap.heap_left = stretch_.end - std::min(stretch_.end, gap.resume);
  }
  return out;
}

}  // namespace hprof
