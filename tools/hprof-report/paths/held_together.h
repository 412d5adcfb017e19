#pragma once

#include "formats/report/leaks.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/paths/path_describer.h"
#include "tools/hprof-report/paths/shared_search.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace hprof {

/// What several references of an accumulation point hold at once, if that is the most of it.
/// `accumulated`: what it dominates directly; `paths`: the ways of the search, each
/// shortened, which the describer knows.
std::optional<HeldTogether> held_together(const Heap& heap, std::uint64_t point_retained,
                                          const Accumulated& accumulated,
                                          const std::vector<SharedWay>& ways,
                                          const std::vector<ObjectPath>& paths,
                                          const PathDescriber& describer);

}  // namespace hprof
