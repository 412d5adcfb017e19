#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hprof {

/// A count or a size as MAT prints it: this text stands for any value from `low` to `high`, both
/// included.
struct MatFigure {
  std::string text;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool lower_bound = false;  ///< printed as ">= …": the least that MAT vouches for

  bool exact() const { return low == high; }
  bool operator==(const MatFigure&) const = default;
};

/// A share as MAT prints it: `digits` in units of 10^-decimals percent.
struct MatPercent {
  std::string text;
  std::uint64_t digits = 0;
  unsigned decimals = 0;

  bool operator==(const MatPercent&) const = default;
};

/// "1,234,567" in English grouping, or plain digits; nothing for any other text.
std::optional<std::uint64_t> parse_grouped(std::string_view text);

/// "344,908", ">= 22,286,464", "22.7 MB" or "11.8k". With a unit, the band is that of MAT's pattern
/// "#,##0.#": half a unit of the last digit (at least one decimal, as a zero is not printed) each
/// way, whichever way halves are rounded, and inside the unit, since MAT takes the next one from
/// 1024 on, for counts from 1000 on.
std::optional<MatFigure> parse_figure(std::string_view text);

/// "93.82%", "1%".
std::optional<MatPercent> parse_percent(std::string_view text);

/// Whether `part` of `whole` may be printed as `percent`, whichever way halves are rounded.
bool shows_share(const MatPercent& percent, std::uint64_t part, std::uint64_t whole);

/// "Nov 29, 2026" and "9:26:11 PM UTC" as seconds since 1970; nothing for other zones and
/// languages.
std::optional<std::uint64_t> parse_moment(std::string_view date, std::string_view time);

/// "0x7f3a" and nothing behind it.
std::optional<std::uint64_t> parse_hex_address(std::string_view text);

}  // namespace hprof
