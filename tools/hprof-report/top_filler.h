#pragma once

#include "formats/report/top.h"
#include "tools/hprof-report/top_level.h"

#include <cstdint>

namespace hprof {

/// Fewer objects, classes or loaders than this can retain more than 1 % each.
inline constexpr std::size_t kMostAboveOnePercent = 100;

/// Fills Top Consumers; `rows` is how many to show where fewer pass the threshold, `whole` the
/// bytes of which thresholds and shares are taken.
TopConsumers fill_top_consumers(const Heap& heap, const TopLevel& top_level, std::size_t rows,
                                std::uint64_t whole);

}  // namespace hprof
