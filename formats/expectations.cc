#include "formats/expectations.h"

#include "formats/hprof_tags.h"

namespace hprof {

bool Expectations::heap_may_follow() const {
  return last_tag_ != tag::kHeapDumpEnd;
}

void Expectations::take_record(std::uint8_t tag) {
  last_tag_ = tag;
  searched_ = searched_ && !is_heap_tag(tag);
}

/// In a file without times one that has one is an exception.
void Expectations::take_time(std::uint32_t micros) {
  if (micros_ != 0) {
    micros_ = micros;
  }
}

BelongsTo Expectations::dump_of(std::uint8_t tag, bool is_cut, const DumpCourse& course) const {
  if (begins_anew(tag, course)) {
    return BelongsTo::new_dump;
  }
  return goes_on(tag, is_cut, course) ? BelongsTo::last_dump : BelongsTo::as_it_looks;
}

/// Whether a heap record goes on with the dump before it although it looks like the begin of
/// another: it was found behind damage, nothing has ended that dump, and it is no other one's for
/// being of another kind, or cut; or it adjoins records of another kind.
bool Expectations::goes_on(std::uint8_t tag, bool is_cut, const DumpCourse& course) const {
  const bool same_kind = course.segments_open == (tag == tag::kHeapDumpSegment);
  if (course.dumps == 0 || course.ended) {
    return false;
  }
  return searched_ ? !same_kind || (is_cut && tag == tag::kHeapDump)
                   : !same_kind && course.behind_heap;
}

/// Whether a segment that seems to go on with the dump before it begins another: damage may have
/// hit the end of that, and other records stand between. Only writers that note the time put
/// several such dumps into a file.
bool Expectations::begins_anew(std::uint8_t tag, const DumpCourse& course) const {
  return tag == tag::kHeapDumpSegment && searched_ && course.segments_open && !course.behind_heap &&
         micros_.value_or(0) != 0;
}

}  // namespace hprof
