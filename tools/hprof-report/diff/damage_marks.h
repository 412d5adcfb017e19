#pragma once

#include "formats/diff/heap_diff.h"
#include "tools/hprof-report/diff/join.h"

namespace hprof {

/// Marks in all tables what figures of damaged dumps are worth.
void mark_damaged_dumps(HeapDiff& diff, const Reports& reports);

}  // namespace hprof
