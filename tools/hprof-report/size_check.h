#pragma once

#include "formats/report/impossible_size.h"
#include "tools/hprof-report/heap.h"

#include <optional>

namespace hprof {

/// Where sizes are the dump's own: of the classes whose instances cannot be as large as it says,
/// the one whose instances seem to take most.
std::optional<ImpossibleSize> impossible_size(const Heap& heap);

}  // namespace hprof
