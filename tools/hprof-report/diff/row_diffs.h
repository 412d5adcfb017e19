#pragma once

#include "formats/diff/heap_diff.h"
#include "tools/hprof-report/diff/join.h"

#include <optional>
#include <vector>

namespace hprof {

// The tables whose rows are sums. Each lists rows that changed, the largest change first.

/// Classes by name and class of their loader; `same` counts those that are left out.
std::vector<DiffClass> diff_classes(const Reports& reports, const DiffOptions& options,
                                    std::uint64_t& same);

/// Packages of the classes.
std::vector<DiffPackage> diff_packages(const Reports& reports, const DiffOptions& options);

/// Class loaders by class.
std::vector<DiffLoader> diff_loaders(const Reports& reports, const DiffOptions& options);

/// Threads by name; nothing where a report has no threads.
std::optional<std::vector<DiffThread>> diff_threads(const Reports& reports,
                                                    const DiffOptions& options);

/// Figures of the whole heap, unchanged ones included.
std::vector<DiffTotal> diff_totals(const Reports& reports);

/// Threads of one name in one report.
struct ThreadSums {
  Bounds threads;
  Bounds retained;
};

/// A name of threads as it is joined.
std::string thread_key(const ThreadRow& thread, const DiffOptions& options);

}  // namespace hprof
