#include "formats/diff/diff_text.h"

#include "common/text.h"
#include "formats/report/units.h"

#include <algorithm>
#include <array>

namespace hprof {
namespace {

std::string with_sign(SignedCount change, const std::string& amount) {
  return (change.amount == 0 ? "" : change.negative ? "−" : "+") + amount;
}

std::string bounded(const DiffSeries& series, std::size_t dump,
                    std::string (*text)(std::uint64_t value)) {
  const std::uint64_t least = series.values[dump];
  const std::uint64_t most = series.at_most ? (*series.at_most)[dump] : least;
  const Worth worth = worth_at(series, dump);
  if (worth != Worth::told) {
    const bool nothing_read = least == 0 && most != 0;
    return worth == Worth::at_least ? "≥ " + text(least) : nothing_read ? "?" : "≷ " + text(least);
  }
  if (least == most) {
    return text(least);
  }
  return least != 0 ? "≥ " + text(least) : "≤ " + text(most);
}

std::string bounded_change(const ChangeRange& range, std::string (*text)(SignedCount change)) {
  if (range.is_exact() || range.unknown) {
    return range.unknown ? "unknown" : text(range.change);
  }
  if (!range.least || !range.most) {
    return range.least ? "≥ " + text(*range.least) : "≤ " + text(*range.most);
  }
  if (range.change.amount == 0) {
    return text(*range.least) + " to " + text(*range.most);
  }
  return (range.change.negative ? "≤ " : "≥ ") + text(range.change);
}

}  // namespace

std::string change_in_bytes(SignedCount change) {
  return with_sign(change, format_bytes(change.amount));
}

std::string change_in_count(SignedCount change) {
  return with_sign(change, grouped(change.amount));
}

std::string change_in_share(SignedCount basis_points) {
  return with_sign(basis_points, format_share(basis_points.amount));
}

std::string bytes_change(const ChangeRange& change) {
  return bounded_change(change, change_in_bytes);
}

std::string bytes_change(const DiffSeries& series) {
  return bytes_change(range_of(series));
}

std::string count_change(const ChangeRange& change) {
  return bounded_change(change, change_in_count);
}

std::string count_change(const DiffSeries& series) {
  return count_change(range_of(series));
}

std::string change_of_bytes(const DiffSeries& series) {
  return change_in_bytes(series.change) + (series.change_bp && series.change.amount != 0
                                               ? " (" + change_in_share(*series.change_bp) + ")"
                                               : "");
}

std::string bytes_at(const DiffSeries& series, std::size_t dump) {
  return bounded(series, dump, [](std::uint64_t value) { return format_bytes(value); });
}

std::string count_at(const DiffSeries& series, std::size_t dump) {
  return bounded(series, dump, [](std::uint64_t value) { return grouped(value); });
}

std::string told_change(const ChangeRange& range, const std::string& change) {
  return range.unknown      ? change + " in what was read"
         : range.is_exact() ? change
         : range.least      ? "at least " + change
                            : "at most " + change;
}

std::string total_change(const DiffTotal& total) {
  return total.is_bytes ? bytes_change(total.series) : count_change(total.series);
}

std::string total_at(const DiffTotal& total, std::size_t dump) {
  return total.is_bytes ? bytes_at(total.series, dump) : count_at(total.series, dump);
}

std::string copies_text(const DiffSeries& copies) {
  const auto first = count_at(copies, 0);
  const auto last = count_at(copies, copies.values.size() - 1);
  return first == last ? " ×" + last : " ×" + first + " → ×" + last;
}

std::string same_classes_text(const HeapDiff& diff) {
  return format_count(diff.same_classes, "class did not change", "classes did not change") +
         (is_whole(diff) ? "." : " in what was read.");
}

std::string field_words(const DiffField& field) {
  return std::string(field.largest_only ? "largest in " : "") + (field.is_static ? "static " : "");
}

std::string fields_text(const HeapDiff& diff) {
  const bool is_part =
      std::any_of(diff.fields_held.begin(), diff.fields_held.end(),
                  [](const DiffField& field) { return field.largest_only.has_value(); });
  return is_part ? "Not every report was made with --collections: of a field that may hold several "
                   "collections the largest one is compared, and together they may have changed "
                   "otherwise."
                 : "";
}

std::string duration_text(std::uint64_t milliseconds) {
  struct Unit {
    const char* name;
    std::uint64_t length;
  };
  constexpr std::array kUnits{Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"min", 60'000},
                              Unit{"s", 1000}, Unit{"ms", 1}};
  for (std::size_t i = 0; i + 1 < kUnits.size(); ++i) {
    const auto& unit = kUnits.at(i);
    if (milliseconds >= unit.length) {
      const auto& next = kUnits.at(i + 1);
      const std::uint64_t rest = milliseconds % unit.length / next.length;
      const bool whole = rest == 0 || i + 2 == kUnits.size();
      return grouped(milliseconds / unit.length) + " " + unit.name +
             (whole ? "" : " " + std::to_string(rest) + " " + next.name);
    }
  }
  return std::to_string(milliseconds) + " ms";
}

std::string trend_text(const DiffSeries& series) {
  if (series.values.size() < 3 || has_damage(series)) {
    return "";
  }
  switch (series.trend) {
    case Trend::monotonic:
      return "every step";
    case Trend::warm_up:
      return "first step only";
    case Trend::irregular:
      return "up and down";
    case Trend::grown:
      return "some steps";
    default:
      return "";
  }
}

std::string fate_text(Fate fate) {
  switch (fate) {
    case Fate::newly_listed:
      return "newly listed";
    case Fate::unlisted:
      return "no longer listed";
    default:
      return std::string(word_of(fate));
  }
}

std::string suspect_fate_text(Fate fate) {
  return fate == Fate::newly_listed ? "new suspect"
         : fate == Fate::unlisted   ? "below the threshold"
                                    : fate_text(fate);
}

}  // namespace hprof
