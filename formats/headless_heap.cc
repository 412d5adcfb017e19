// While a dump is read for the first time little is known of its heap yet, but its classes are: all
// writers put LOAD_CLASS records in front. Several records in a row that name these are no chance.
#include "formats/headless_heap.h"

#include "common/open_source.h"
#include "formats/hprof_tags.h"

#include <algorithm>

namespace hprof {
namespace {

/// In a row, of which one must fit: threads without an object may be the first.
constexpr unsigned kFirstRecords = 8;

std::unique_ptr<ByteSource> open_tolerantly(const std::string& path) {
  auto source = open_source(path);
  source->tolerate_damage();
  return source;
}

}  // namespace

HeadlessHeap::Search::Search(const std::string& path, HeapKnowledge& known,
                             unsigned identifier_size)
    : view(open_tolerantly(path)), runs(view, known, identifier_size) {}

HeapKnowledge& HeadlessHeap::known() {
  if (!known_) {
    known_.emplace(no_objects_, 0, 1);
  }
  for (const auto class_id : std::exchange(loaded_, {})) {
    known_->add_loaded(class_id);
  }
  for (const auto serial : std::exchange(traces_, {})) {
    known_->add_trace(serial);
  }
  return *known_;
}

HeapRuns& HeadlessHeap::runs(std::uint64_t begin, std::uint64_t end) {
  HeapKnowledge& heap = known();
  if (!search_) {
    search_ = std::make_unique<Search>(path_, heap, id_size_);
  }
  search_->runs.set_bounds({.new_from = begin, .end = end, .is_cut = true});
  return search_->runs;
}

bool HeadlessHeap::may_begin_with(std::span<const std::uint8_t> bytes) {
  for (unsigned records = 0; records < kFirstRecords; ++records) {
    const auto head = sub_record_head(bytes, id_size_);
    if (!head) {
      return false;
    }
    if (head->tag == sub::kHeapDumpInfo || known().fit(*head, true) >= Fit::likely) {
      return true;
    }
    bytes = bytes.subspan(std::min<std::uint64_t>(head->bytes, bytes.size()));
  }
  return false;
}

/// Whether heap records that can be read follow each other from one place to the other.
bool HeadlessHeap::leads_to(HeapRuns& runs, std::uint64_t from, std::uint64_t to) {
  while (from < to) {
    const auto record = runs.record_at(from, true);
    if (record.fit == Fit::none) {
      return false;
    }
    from += record.head.bytes;
  }
  return from == to;
}

std::optional<HeadlessHeap::Row> HeadlessHeap::find(std::uint64_t from, std::uint64_t limit,
                                                    std::uint64_t likely, std::uint64_t end) {
  HeapRuns& search = runs(from, end);
  for (auto at = from; (at = search.candidate(at, limit, HeapRuns::Wanted::any)) < limit; ++at) {
    if (search.is_convincing(at)) {
      return row_at(leads_to(search, likely, at) ? likely : at, end);
    }
  }
  return std::nullopt;
}

HeadlessHeap::Row HeadlessHeap::row_at(std::uint64_t from, std::uint64_t end) {
  HeapRuns& search = runs(from, end);
  const auto run = search.walk(from, end, HeapRuns::Patience::unlimited);
  Row row{.begin = from, .ends = {run.sure_end}};
  while (row.ends.back() < run.end) {
    row.ends.push_back(row.ends.back() + search.record_at(row.ends.back(), false).head.bytes);
  }
  return row;
}

}  // namespace hprof
