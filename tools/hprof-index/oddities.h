#pragma once

#include "common/steps.h"
#include "formats/heap_index.h"

#include <string>

namespace hprof {

/// Warns of what changes figures, or names, although every record of the dump `name` could be read.
void warn_of_oddities(const std::string& name, const HeapIndex& index, const Steps& steps);

}  // namespace hprof
