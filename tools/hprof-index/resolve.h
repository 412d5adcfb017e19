#pragma once

#include "formats/heap_index.h"
#include "formats/hprof_header.h"
#include "tools/hprof-index/collector.h"

namespace hprof {

/// Turns what was collected into the index: fakes missing classes, sorts classes and freezes the
/// address set, resolves ids to rows, decides widths, alignment, roots and the layout of
/// java.lang.String (semantics: §1, §3, §5).
HeapIndex resolve(Collector&& collected, const HprofHeader& header);

}  // namespace hprof
