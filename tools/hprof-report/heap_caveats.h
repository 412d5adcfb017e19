#pragma once

#include "common/steps.h"
#include "formats/report/caveats.h"
#include "tools/hprof-report/heap.h"

namespace hprof {

/// Why what the stage files say need not hold for the program.
Caveats caveats_of(const Heap& heap);

/// A line on stderr for each caveat: the formats of other tools have no place for sentences.
void warn_of_caveats(const Caveats& caveats, const Steps& steps);

}  // namespace hprof
