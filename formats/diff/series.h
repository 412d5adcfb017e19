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
/// report lists the largest only, so it may have been there before, or be there still.
enum class Fate { same, created, grown, shrunk, gone, newly_listed, unlisted };

template <>
struct Words<Fate> {
  static constexpr std::array<std::string_view, 7> kWords{
      "same", "new", "grown", "shrunk", "gone", "newly_listed", "unlisted"};
};

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
    visit("change", self.change, "from the first dump to the last; of bounds what is certain");
    visit("change_least", self.change_least,
          "the true change is no lower than this; absent: change is exact");
    visit("change_most", self.change_most, "nor higher than this");
    visit("change_bp", self.change_bp,
          "the same in basis points of the first, rounded towards zero; absent: it was 0, or "
          "change is not exact");
    visit("trend", self.trend,
          "monotonic: up at every step, of three dumps or more; warm_up: up at the first step and "
          "about the same from then on; irregular: up and down");
    visit("lasting", self.lasting,
          "growth that is no warm-up: from the second dump on where there are three or more");
  }
};

/// A change that is exact, or between bounds of which one may be unknown.
struct ChangeRange {
  SignedCount change;
  std::optional<SignedCount> least;
  std::optional<SignedCount> most;

  bool is_exact() const { return !least && !most; }
};

/// The change of a series from the first dump to the last.
ChangeRange range_of(const DiffSeries& series);

/// A change of no less than `least` and no more than `most`, of which it tells what is certain.
ChangeRange range_between(SignedCount least, SignedCount most);

/// The series of a figure with one value per dump, of which there are two or more.
DiffSeries make_series(const std::vector<Bounds>& values);

/// The same where every value is exact.
DiffSeries exact_series(const std::vector<std::uint64_t>& values);

/// 10000 · change / base towards zero, at most 2^64 − 1; `base` > 0.
SignedCount change_in_bp(SignedCount change, std::uint64_t base);

}  // namespace hprof
