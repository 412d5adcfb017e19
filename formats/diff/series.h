#pragma once

#include "formats/report/fields.h"
#include "formats/report/signed_count.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hprof {

/// How a figure moved from dump to dump: "monotonic" rose at every step of two or more, "warm_up"
/// at the first one only, "irregular" rose and fell.
enum class Trend { same, grown, monotonic, warm_up, irregular, shrunk };

template <>
struct Words<Trend> {
  static constexpr std::array<std::string_view, 6> kWords{"same",    "grown",     "monotonic",
                                                          "warm_up", "irregular", "shrunk"};
};

/// What became of something between the first and the last dump. "newly_listed" and "unlisted": a
/// report lists the largest only and of a damaged dump a part, so it may have been there before, or
/// be there still. "unknown": a damaged dump does not tell.
enum class Fate { same, created, grown, shrunk, gone, newly_listed, unlisted, unknown };

template <>
struct Words<Fate> {
  static constexpr std::array<std::string_view, 8> kWords{
      "same", "new", "grown", "shrunk", "gone", "newly_listed", "unlisted", "unknown"};
};

/// Whether it is told besides the change: what came or went.
constexpr bool moved(Fate fate) {
  return fate != Fate::same && fate != Fate::grown && fate != Fate::shrunk && fate != Fate::unknown;
}

/// A figure that a report tells exactly, or only between two bounds because it lists no more.
struct Bounds {
  std::uint64_t least = 0;
  std::uint64_t most = 0;

  bool is_exact() const { return least == most; }
  bool operator==(const Bounds&) const = default;
};

/// A figure that is known exactly.
constexpr Bounds exactly(std::uint64_t value) {
  return {value, value};
}

/// A figure over all dumps.
struct DiffSeries {
  std::vector<std::uint64_t> values;
  std::optional<std::vector<std::uint64_t>> at_most;
  std::optional<std::vector<std::uint64_t>> at_least_in;
  std::optional<std::vector<std::uint64_t>> unsure_in;
  SignedCount change;
  std::optional<SignedCount> change_least;
  std::optional<SignedCount> change_most;
  std::optional<SignedCount> change_bp;
  Trend trend = Trend::same;
  std::uint64_t lasting = 0;

  bool operator==(const DiffSeries&) const = default;
  static constexpr auto kName = "DiffSeries";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("values", self.values, "one per dump, by time");
    visit("at_most", self.at_most,
          "one per dump: values are lower bounds and these are upper bounds, since a report lists "
          "the largest only; absent: values are exact");
    visit("at_least_in", self.at_least_in,
          "dumps, counted from 1, that are damaged: their values are lower bounds; absent: none");
    visit("unsure_in", self.unsure_in,
          "dumps, counted from 1, that are damaged: their values are what was read and may be "
          "higher or lower; absent: none");
    visit("change", self.change,
          "from the first dump to the last, of damaged ones in what was read; of bounds what is "
          "certain");
    visit("change_least", self.change_least,
          "the true change is no lower than this; absent: change is exact, or the first or the "
          "last dump is damaged");
    visit("change_most", self.change_most, "nor higher than this; absent likewise");
    visit("change_bp", self.change_bp,
          "the same in basis points of the first, rounded towards zero; absent: it was 0, or "
          "change is not exact");
    visit("trend", self.trend,
          "monotonic: up at every step, of three dumps or more; warm_up: up at the first step and "
          "about the same from then on; irregular: up and down; damaged dumps between others and "
          "repetitions of a dump are passed over");
    visit("lasting", self.lasting,
          "growth that is no warm-up: from the second dump on where there are three or more that "
          "trend does not pass over");
  }
};

/// What the value of a dump, counted from 0, is worth.
enum class Worth { told, at_least, unsure };
Worth worth_at(const DiffSeries& series, std::size_t dump);

/// Whether any of its dumps is damaged.
inline bool has_damage(const DiffSeries& series) {
  return series.at_least_in || series.unsure_in;
}

/// Whether its first or its last dump is damaged.
inline bool is_read_in_part(const DiffSeries& series) {
  return worth_at(series, 0) != Worth::told ||
         worth_at(series, series.values.size() - 1) != Worth::told;
}

/// A change that is exact, or between bounds of which one may be unknown; `unknown`: `change` is
/// that of what was read of damaged dumps.
struct ChangeRange {
  SignedCount change;
  std::optional<SignedCount> least;
  std::optional<SignedCount> most;
  bool unknown = false;

  bool is_exact() const { return !least && !most && !unknown; }
};

/// The change of a series from the first dump to the last.
ChangeRange range_of(const DiffSeries& series);

/// A change of no less than `least` and no more than `most`, of which it tells what is certain.
ChangeRange range_between(SignedCount least, SignedCount most);

/// The series of a figure with one value per dump, of which there are two or more.
DiffSeries make_series(const std::vector<Bounds>& values);

/// The same where every value is exact.
DiffSeries exact_series(const std::vector<std::uint64_t>& values);

/// Dumps, counted from 1, that are damaged, by what their values of a figure are worth.
struct DamagedDumps {
  std::vector<std::uint64_t> at_least;
  std::vector<std::uint64_t> unsure;
};

/// Marks values of damaged dumps, and takes from the change what they leave open.
void mark_damage(DiffSeries& series, const DamagedDumps& dumps);

/// Takes trend and lasting growth from these dumps only, of which the first and the last are two.
void take_steps_of(DiffSeries& series, const std::vector<std::size_t>& dumps);

/// What is certain of the fate of something with these sizes, as it was read.
Fate told_fate(Fate as_read, const DiffSeries& size);

/// 10000 · change / base towards zero, at most 2^64 − 1; `base` > 0.
SignedCount change_in_bp(SignedCount change, std::uint64_t base);

}  // namespace hprof
