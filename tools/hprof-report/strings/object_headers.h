#pragma once

#include "formats/report/overview.h"
#include "formats/report/string_findings.h"
#include "tools/hprof-report/heap.h"

#include <vector>

namespace hprof {

/// What the headers of all reachable objects take, by kind of object, as the size model has them.
std::vector<HeaderRow> object_headers(const Heap& heap, const Overview& overview);

}  // namespace hprof
