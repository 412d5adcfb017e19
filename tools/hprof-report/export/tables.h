#pragma once

#include "common/steps.h"
#include "formats/report/text_sink.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// Shows the heap's objects to note_loader(), so that loaders have labels.
void note_loaders(Heap& heap);

/// All classes that have objects, garbage too, as CSV: by descending retained size, then by
/// address.
void write_histogram_csv(const Heap& heap, TextSink& out);

/// Rows that a spreadsheet takes, besides the heading.
inline constexpr std::size_t kSpreadsheetRows = (1U << 20U) - 1;

/// The objects that retain at least `least_bytes`, as CSV, by descending retained size, then by
/// address, at most `most_rows`. Returns how many there are in all. Loads both columns.
std::uint64_t write_dominators_csv(Heap& heap, std::uint64_t least_bytes, std::size_t most_rows,
                                   TextSink& out);

}  // namespace hprof
