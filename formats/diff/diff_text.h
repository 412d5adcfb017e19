#pragma once

#include "formats/diff/diff_rows.h"
#include "formats/diff/series.h"

#include <cstdint>
#include <string>

namespace hprof {

/// "+4.5 MiB", "−12 B", "0 B"
std::string change_in_bytes(SignedCount change);

/// "+1,206", "−3", "0"
std::string change_in_count(SignedCount change);

/// "+44.90 %", "−3.00 %"
std::string change_in_share(SignedCount basis_points);

/// "+4.5 MiB (+44.90 %)"; without the share where it grew from nothing.
std::string change_of_bytes(const DiffSeries& series);

/// The value of a dump, counted from 0: "4.5 MiB", "≤ 4.5 MiB" where only an upper bound is known,
/// "≥ 4.5 MiB" where a lower one is.
std::string bytes_at(const DiffSeries& series, std::size_t dump);

/// The same for a number of things; "?" where nothing is known.
std::string count_at(const DiffSeries& series, std::size_t dump);

/// "3 min 31 s"; the two largest units of days, hours, minutes, seconds, or milliseconds.
std::string duration_text(std::uint64_t milliseconds);

/// A change: "+4.5 MiB", "≥ +4.5 MiB" where no more is certain, "−2.0 KiB to +1.0 KiB" where not
/// even its direction is.
std::string bytes_change(const ChangeRange& change);
std::string bytes_change(const DiffSeries& series);

/// The same for a number of things.
std::string count_change(const ChangeRange& change);
std::string count_change(const DiffSeries& series);

/// What is known of the change of a figure of the heaps; nothing where its first and its last value
/// are both lower bounds.
std::optional<ChangeRange> total_range(const DiffTotal& total);

/// That change in a table; "unknown" where nothing is known.
std::string total_change(const DiffTotal& total);

/// Its value in a dump, counted from 0: "4.5 MiB", "≥ 4.5 MiB" of a damaged one.
std::string total_at(const DiffTotal& total, std::size_t dump);

/// A trend as a word for a table; empty for two dumps, where the change says it.
std::string trend_text(const DiffSeries& series);

/// A fate in words.
std::string fate_text(Fate fate);

/// A fate of a suspect in words: what is no suspect is below a threshold.
std::string suspect_fate_text(Fate fate);

}  // namespace hprof
