// A gap is taken by the field that fits it best, the last one among equals; what a field leaves of
// it, before or behind, is a gap again. Once no gap takes a width, all further fields of it follow
// one another, so the work grows with the gaps and not with the fields.
#include "tools/hprof-graph/field_space.h"

#include "common/checked.h"

namespace hprof {

void FieldSpace::put(std::uint32_t width, std::uint64_t count) {
  while (count != 0 && put_in_gap(width)) {
    --count;
  }
  append(width, count);
}

bool FieldSpace::put_in_gap(std::uint32_t width) {
  auto best = gaps_.end();
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    const bool fits = align_up(gap->begin, width) + width <= gap->end;
    if (fits && (best == gaps_.end() || gap->end - gap->begin <= best->end - best->begin)) {
      best = gap;
    }
  }
  if (best == gaps_.end()) {
    return false;
  }
  const Gap whole = *best;
  const std::uint64_t at = align_up(whole.begin, width);
  best = gaps_.erase(best);
  if (at + width < whole.end) {
    best = gaps_.insert(best, {.begin = at + width, .end = whole.end});
  }
  if (whole.begin < at) {
    gaps_.insert(best, {.begin = whole.begin, .end = at});
  }
  return true;
}

void FieldSpace::append(std::uint32_t width, std::uint64_t count) {
  if (count == 0) {
    return;
  }
  const std::uint64_t at = align_up(end_, width);
  if (end_ < at) {
    gaps_.push_back({.begin = end_, .end = at});
  }
  end_ = checked_add(at, checked_mul(width, count));
}

void FieldSpace::pad(std::uint64_t bytes) {
  gaps_.clear();
  end_ = checked_add(end_, bytes);
}

void FieldSpace::close(std::uint64_t step) {
  gaps_.clear();
  end_ = align_up(end_, step);
}

}  // namespace hprof
