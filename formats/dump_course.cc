#include "formats/dump_course.h"

#include "formats/hprof_tags.h"

namespace hprof {

bool DumpCourse::open_heap(std::uint8_t tag, BelongsTo dump) {
  const bool goes_on = dump == BelongsTo::last_dump ||
                       (dump == BelongsTo::as_it_looks && tag != tag::kHeapDump && segments_open);
  segments_open = tag == tag::kHeapDumpSegment || (dump == BelongsTo::last_dump && segments_open);
  behind_heap = true;
  dumps += goes_on ? 0 : 1;
  return !goes_on;
}

/// A HEAP_DUMP is at its end where its record is, unless these adjoin it.
bool DumpCourse::open_headless(bool adjoins) {
  const bool goes_on = dumps != 0 && (segments_open || (adjoins && behind_heap));
  segments_open = segments_open || !goes_on;
  behind_heap = true;
  dumps += goes_on ? 0 : 1;
  return !goes_on;
}

void DumpCourse::open_plain(std::uint8_t tag) {
  segments_open = segments_open && tag != tag::kHeapDumpEnd;
  behind_heap = false;
}

void DumpCourse::close(std::uint8_t tag) {
  ended = tag == tag::kHeapDumpEnd || (ended && !is_heap_tag(tag));
}

}  // namespace hprof
