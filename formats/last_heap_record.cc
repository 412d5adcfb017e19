#include "formats/last_heap_record.h"

#include "formats/record_looks.h"

namespace hprof {

std::optional<std::uint64_t> LastHeapRecord::mended_end(const RecordSearch& search,
                                                        const DamagedRecord::Place& place) {
  if (record_.end != place.start || is_mended(record_.start)) {
    return std::nullopt;
  }
  const auto end = search.true_end(record_.start + kRecordHeaderBytes, place);
  if (!end || (record_.was_read && *end < record_.end)) {
    return std::nullopt;
  }
  mended_ = record_.start;
  return end;
}

}  // namespace hprof
