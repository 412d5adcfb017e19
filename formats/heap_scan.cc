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
#include "formats/record_looks.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr unsigned kMostMisread = 4;  ///< records that bytes inside others may be taken for
constexpr std::uint64_t kLongRun = 1000;

}  // namespace

/// The stretch ends here.
void HeapScan::end_at(std::uint64_t position) {
  stretch_.end = position;
  set_bounds({.new_from = stretch_.failed, .end = position, .is_cut = stretch_.is_cut});
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

/// Whether records other than heap records stand here and fill the rest of the stretch: it ends
/// here, and some bytes of it are gone.
bool HeapScan::is_true_end(std::uint64_t position) {
  if (stretch_.heap_left != 0) {
    return false;
  }
  while (position < stretch_.end) {
    const auto header = bytes_at(position, kRecordHeaderBytes, true);
    if (header.size() < kRecordHeaderBytes || !is_record_tag(header[0]) ||
        header[0] == tag::kHeapDump || header[0] == tag::kHeapDumpSegment) {
      return false;
    }
    position += kRecordHeaderBytes + load_big_endian<std::uint32_t>(&header[5]);
  }
  return position == stretch_.end;
}

/// Whether the records from here on are such a dump's, being up to its end; then `position` becomes
/// their last one's.
bool HeapScan::pass_inner_dump(std::uint64_t& position) {
  if (position >= inner_end()) {
    return false;
  }
  const Run run = walk(position, inner_end(), Patience::limited);
  if (run.end > inner_end()) {
    return false;
  }
  position = run.end == inner_end() ? run.end - 1 : std::max(position, run.last_begin);
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
         run.end + record_at(run.end, false).head.bytes == stretch_.end + kRecordHeaderBytes;
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
    end_at(run.end);
    return true;
  }
  if (is_header(run.end)) {
    return false;
  }
  return crossing(run) == run.end || (run.sure >= kLongRun && may_be_too_long(run));
}

/// The first run that begins at or behind `from`; an empty one at the end if there is none.
HeapScan::Run HeapScan::next_run(std::uint64_t from) {
  forget_inner_dump();
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
  const std::uint64_t likely = stretch_.likely_next;
  const bool is_next = begin == stretch_.failed && likely > begin && likely < stretch_.end;
  next = next_run(is_next && is_convincing(likely) ? likely : std::max(from, begin + 1));
  return {.kind = DamageKind::garbled,
          .position = begin,
          .resume = next.begin,
          .what = reason(begin, begin != run.end)};
}

std::vector<Damage> HeapScan::gaps(const BrokenHeap& stretch, std::size_t most) {
  stretch_ = stretch;
  end_at(stretch.end);
  std::vector<Damage> out;
  if (stretch.is_cut && next_run(stretch.failed + 1).begin == stretch_.end) {
    return {{.kind = DamageKind::garbled,
             .position = stretch.failed,
             .resume = stretch.end,
             .what = stretch.what}};
  }
  Run run = walk(stretch.begin, stretch.failed, Patience::unlimited);
  while (run.end != stretch_.end) {
    if (is_true_end(run.end)) {
      out.push_back({.kind = DamageKind::length,
                     .position = run.end,
                     .resume = run.end,
                     .what = "HEAP_DUMP_SEGMENT: ends here, whatever its header says"});
      end_at(run.end);
      break;
    }
    Run next;
    out.push_back(gap_behind(run, next));
    if (next.begin == stretch_.end && holds_next_header(run)) {
      out.pop_back();
      end_at(stretch_.next_end);
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
    gap.heap_left = stretch_.end + stretch_.heap_left - std::min(stretch_.end, gap.resume);
  }
  return out;
}

}  // namespace hprof
