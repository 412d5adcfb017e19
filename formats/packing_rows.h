#pragma once

#include "common/byte_source.h"
#include "formats/dump_damage.h"

#include <vector>

namespace hprof {

/// Adds to what a reader found where packing was passed over: to the stretch that was lost for it,
/// or as a place of its own.
void add_packing_rows(const std::vector<PackingGap>& gaps, DumpDamage& damage);

/// A record in which bytes only seemed to end, for a gap, is not cut.
void uncut_at_gaps(const std::vector<PackingGap>& gaps, DumpDamage& damage);

}  // namespace hprof
