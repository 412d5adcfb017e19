#pragma once

#include "formats/diff/heap_diff.h"
#include "tools/hprof-report/diff/join.h"

#include <vector>

namespace hprof {

// The tables of what keeps memory alive. A report lists only the largest of each; what it does not
// list is known to be below the smallest that it does.

/// Leak suspects by class and path, unchanged ones included; the largest growth first.
std::vector<DiffSuspect> diff_suspects(const Reports& reports, const DiffOptions& options);

/// Biggest objects and accumulation points by path.
std::vector<DiffPath> diff_paths(const Reports& reports, const DiffOptions& options);

/// Fields that hold collections; empty where a report has none.
std::vector<DiffField> diff_fields(const Reports& reports, const DiffOptions& options);

/// The path of a suspect, as it is joined.
std::string suspect_path(const Suspect& suspect, const DiffOptions& options);

/// Reachable objects that "class a.B", or else the name of a class, stands for; the histogram is
/// whole, unless the dump is damaged.
std::uint64_t objects_called(const Report& report, const std::string& label,
                             const DiffOptions& options);

/// Whether the heap surely has no such object.
bool surely_lacks(const Report& report, const std::string& label, const DiffOptions& options);

/// What an object that is not among the biggest may retain, if it is a top-level object.
std::uint64_t unlisted_object(const Report& report);

/// What an object of that label may retain wherever it lies: no more than all of its class.
std::uint64_t most_of_class(const Report& report, const std::string& label,
                            const DiffOptions& options);

/// Whether lists of the reports bound what they do not list: in a damaged dump a part of another
/// object may be a top-level object of its own.
bool lists_bound(const Reports& reports);

}  // namespace hprof
