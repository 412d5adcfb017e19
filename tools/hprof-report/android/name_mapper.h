#pragma once

#include "formats/heap_index.h"
#include "formats/report/android.h"

#include <string>

namespace hprof {

/// Gives the classes and fields of `index` the names that a mapping file of ProGuard or R8 says
/// they had; class names in stack frames too. What it says of a class first counts. For errors see
/// read_mapping().
NameMapping map_names(HeapIndex& index, const std::string& path);

}  // namespace hprof
