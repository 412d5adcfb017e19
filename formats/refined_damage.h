#pragma once

#include "formats/dump_damage.h"
#include "formats/heap_scan.h"

#include <vector>

namespace hprof {

/// Replaces each broken stretch among the rows of `damage` by what of it really cannot be used;
/// false when that is all of it everywhere.
bool refine_damage(DumpDamage& damage, const std::vector<BrokenHeap>& broken, HeapScan& scan);

}  // namespace hprof
