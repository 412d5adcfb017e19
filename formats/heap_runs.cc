// A record proves little alone, but several in a row that all name what the dump knows are hardly
// ever found among other bytes.
#include "formats/heap_runs.h"

#include "formats/hprof_tags.h"
#include "formats/record_looks.h"

#include <algorithm>
#include <optional>

namespace hprof {
namespace {

constexpr unsigned kConvincing = 6;    ///< sure records in a row
constexpr unsigned kMostLooked = 32;   ///< records in which that many must be
constexpr unsigned kReassuring = 8;    ///< sure records behind one that fits badly
constexpr unsigned kMostDoubted = 64;  ///< records in which that many must be
constexpr std::size_t kBlockBytes = 4096;
constexpr std::size_t kMostClassBytes = 4U << 20U;

/// Whether records that fit badly are made good by those behind them.
struct Doubt {
  std::optional<HeapRuns::Run>
      before;            ///< the run as it was when the doubt came up, if there is one
  unsigned records = 0;  ///< since then
  unsigned good = 0;     ///< sure ones behind the last that fits badly

  void take(Fit fit, const HeapRuns::Run& run) {
    if (fit == Fit::odd) {
      if (!before) {
        before = run;
        records = 0;
      }
      good = 0;
    } else if (before && fit == Fit::sure && ++good == kReassuring) {
      before.reset();
    }
    records += before ? 1 : 0;
  }
  bool is_hopeless() const { return before && records > kMostDoubted; }
};

}  // namespace

void HeapRuns::Run::append(const Record& record) {
  const bool is_sure = record.fit == Fit::sure;
  const bool is_proof = is_sure && is_object_tag(record.head.tag);
  if (is_proof) {
    last = record;
    last_begin = end;
  }
  end += record.head.bytes;
  unproved = is_proof ? 0 : unproved + 1;
  sure += is_sure ? 1 : 0;
  sure_end = is_sure ? end : sure_end;
}

std::span<const std::uint8_t> HeapRuns::bytes_at(std::uint64_t position, std::size_t count,
                                                 bool ahead) {
  const auto wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(count, bounds_.end - position));
  const auto bytes = ahead ? view_.look(position, wanted) : view_.at(position, wanted);
  return bytes.first(std::min(bytes.size(), wanted));
}

HeapRuns::Record HeapRuns::record_at(std::uint64_t position, bool ahead) {
  auto head = sub_record_head(bytes_at(position, kSubRecordHead, ahead), id_size_);
  if (!head) {
    return {};
  }
  const std::uint64_t left = bounds_.end - position;
  Record out{.head = *head, .fit = known_.fit(*head, position >= bounds_.new_from)};
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

void HeapRuns::learn(std::uint64_t position, const Record& record) {
  if (record.head.tag == sub::kClassDump && record.fit == Fit::sure) {
    const auto bytes = bytes_at(position, static_cast<std::size_t>(record.head.bytes), false);
    known_.add_class(record.head.id, record.head.class_id, own_field_bytes(bytes, id_size_));
  }
}

HeapRuns::Run HeapRuns::walk(std::uint64_t begin, std::uint64_t stop, Patience patience) {
  Run run{.begin = begin, .end = begin, .last = {}, .last_begin = begin, .sure_end = begin};
  Doubt doubt;
  while (run.end < stop) {
    const Record record = record_at(run.end, false);
    if (record.fit == Fit::none) {
      break;
    }
    doubt.take(record.fit, run);
    if (doubt.is_hopeless() && patience == Patience::limited) {
      break;
    }
    learn(run.end, record);
    run.append(record);
  }
  return doubt.before && run.end != bounds_.end ? *doubt.before : run;
}

bool HeapRuns::goes_on(std::uint64_t position) {
  unsigned sure = 0;
  for (unsigned i = 0; i < kMostLooked; ++i) {
    if (position == bounds_.end) {
      return sure != 0;
    }
    const Record record = record_at(position, true);
    if (record.beyond && bounds_.is_cut) {
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

bool HeapRuns::is_convincing(std::uint64_t position) {
  return record_at(position, true).fit == Fit::sure && goes_on(position);
}

std::uint64_t HeapRuns::candidate(std::uint64_t from, std::uint64_t limit, Wanted wanted) {
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

bool HeapRuns::is_header(std::uint64_t position) {
  const auto bytes = bytes_at(position, kRecordHeaderBytes + 1, true);
  if (bytes.size() < kRecordHeaderBytes) {
    return false;
  }
  const auto length = header_length(bytes);
  if (bytes[0] == tag::kHeapDumpEnd) {
    return length == 0;
  }
  return is_heap_tag(bytes[0]) && length != 0 && bytes.size() > kRecordHeaderBytes &&
         may_begin_run(bytes[kRecordHeaderBytes]);
}

/// Remembers the heap dump inside an array whose header may stand here.
void HeapRuns::note_header(std::uint64_t position) {
  if (position < inner_end_ || !is_header(position)) {
    return;
  }
  const auto header = bytes_at(position, kRecordHeaderBytes, true);
  const std::uint64_t end = position + kRecordHeaderBytes + header_length(header);
  inner_end_ = is_heap_tag(header[0]) && end < bounds_.end ? end : inner_end_;
}

}  // namespace hprof
