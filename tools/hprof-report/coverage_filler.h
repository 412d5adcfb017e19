#pragma once

#include "formats/heap_index.h"
#include "formats/report/overview.h"

#include <optional>

namespace hprof {

/// Whether the file ends too early.
bool is_cut(const DumpDamage& damage);

/// What of the dump could be used; nothing when it is whole.
std::optional<Coverage> fill_coverage(const HeapIndex& index);

}  // namespace hprof
