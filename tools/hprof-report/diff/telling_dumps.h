#pragma once

#include "formats/diff/heap_diff.h"
#include "tools/hprof-report/diff/join.h"

namespace hprof {

/// Whether two reports were made of one dump, which may be damaged in one of them.
bool is_same_dump(const Report& a, const Report& b);

/// Whether all were.
bool is_one_dump(const Reports& reports);

/// Takes trends and lasting growth from what tells a step: neither from a damaged dump between
/// others nor from one dump again.
void take_telling_steps(HeapDiff& diff, const Reports& reports);

}  // namespace hprof
