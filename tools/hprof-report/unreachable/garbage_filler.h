#pragma once

#include "formats/report/unreachable.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/unreachable/ranked_set.h"

#include <cstddef>

namespace hprof {

/// Finds the garbage roots among `members`, the unreachable objects, and what is reached first from
/// each; needs no column. `rows`: how many of the largest to show.
Garbage fill_garbage(const Heap& heap, const RankedSet& members, std::size_t rows);

}  // namespace hprof
