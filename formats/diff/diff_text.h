#pragma once

#include "formats/diff/heap_diff.h"
#include "formats/diff/series.h"

#include <cstdint>
#include <string>
#include <string_view>

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
/// "≥ 4.5 MiB" where a lower one is; of a damaged dump "≷ 4.5 MiB" where it may be either, and "?"
/// where nothing was read.
std::string bytes_at(const DiffSeries& series, std::size_t dump);

/// The same for a number of things.
std::string count_at(const DiffSeries& series, std::size_t dump);

/// "3 min 31 s"; the two largest units of days, hours, minutes, seconds, or milliseconds.
std::string duration_text(std::uint64_t milliseconds);

/// A change: "+4.5 MiB", "≥ +4.5 MiB" where no more is certain, "−2.0 KiB to +1.0 KiB" where not
/// even its direction is, "unknown" where damage leaves it open.
std::string bytes_change(const ChangeRange& change);
std::string bytes_change(const DiffSeries& series);

/// The same for a number of things.
std::string count_change(const ChangeRange& change);
std::string count_change(const DiffSeries& series);

/// A change and its share in a sentence: "+4.5 MiB (+45.00 %)", "at least +4.5 MiB", "+4.5 MiB in
/// what was read".
std::string told_change(const ChangeRange& range, const std::string& change);

/// A figure of the heaps in a dump, counted from 0, and its change.
std::string total_at(const DiffTotal& total, std::size_t dump);
std::string total_change(const DiffTotal& total);

/// " ×2", " ×2 → ×3": the class objects that a row of classes adds up, and what that means.
std::string copies_text(const DiffSeries& copies);
inline constexpr std::string_view kCopiesNote =
    "× says how many class objects are added up; what two of them retain may be counted twice.";

/// How many classes the table leaves out.
std::string same_classes_text(const HeapDiff& diff);

/// What stands before the name of a field: "static ", "largest in ".
std::string field_words(const DiffField& field);

/// What the table of fields compares, where that is not all collections; empty: it is.
std::string fields_text(const HeapDiff& diff);

/// A trend as a word for a table; empty for two dumps, where the change says it, and for damaged
/// ones.
std::string trend_text(const DiffSeries& series);

/// A fate in words.
std::string fate_text(Fate fate);

/// A fate of a suspect in words: what is no suspect is below a threshold.
std::string suspect_fate_text(Fate fate);

}  // namespace hprof
