#pragma once

#include "formats/heap_knowledge.h"
#include "tools/hprof-index/collector.h"

namespace hprof {

/// What a reading of a damaged dump tells of its heap; `collected` must outlive it.
HeapKnowledge known_heap(const Collector& collected, unsigned identifier_size);

}  // namespace hprof
