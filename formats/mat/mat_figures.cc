// MAT's printed numbers. Everything is integer arithmetic in 128 bits, so that a band's ends are
// exact.
#include "formats/mat/mat_figures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <vector>

namespace hprof {
namespace {

__extension__ using Wide = unsigned __int128;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<std::uint64_t> parse_digits(std::string_view text) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || result.ec != std::errc{} || result.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

/// Digits of a decimal number without its point, and how many stood behind it.
struct Decimal {
  std::uint64_t digits = 0;
  unsigned decimals = 0;
};

std::optional<Decimal> parse_decimal(std::string_view text) {
  const auto point = text.find('.');
  const auto whole = parse_grouped(text.substr(0, point));
  if (!whole || *whole > 1'000'000'000'000) {
    return std::nullopt;
  }
  Decimal result{*whole, 0};
  if (point == std::string_view::npos) {
    return result;
  }
  const auto fraction = text.substr(point + 1);
  if (fraction.empty() || fraction.size() > 4 ||
      !std::all_of(fraction.begin(), fraction.end(), is_digit)) {
    return std::nullopt;
  }
  for (const char c : fraction) {
    result.digits = result.digits * 10 + static_cast<std::uint64_t>(c - '0');
    ++result.decimals;
  }
  return result;
}

std::uint64_t power_of_ten(unsigned exponent) {
  std::uint64_t power = 1;
  while (exponent-- > 0) {
    power *= 10;
  }
  return power;
}

/// What a number is counted in; from `limit` on MAT takes the next unit.
struct Unit {
  std::string_view name;
  std::uint64_t scale;
  std::uint64_t limit;
};
constexpr std::uint64_t kKilo = std::uint64_t{1} << 10U;
constexpr std::uint64_t kMega = kKilo << 10U;
constexpr std::uint64_t kGiga = kMega << 10U;
constexpr std::uint64_t kTera = kGiga << 10U;
constexpr std::array<Unit, 7> kUnits{{{" KB", kKilo, kMega},
                                      {" MB", kMega, kGiga},
                                      {" GB", kGiga, kTera},
                                      {" TB", kTera, UINT64_MAX},
                                      {" B", 1, kKilo},
                                      {"k", 1'000, 1'000'000},
                                      {"m", 1'000'000, UINT64_MAX}}};

/// The values that `number` of these units may stand for.
std::optional<MatFigure> band(std::string_view text, Decimal number, const Unit& unit) {
  if (number.decimals == 0) {
    number.digits *= 10;
    number.decimals = 1;
  }
  const Wide scale = unit.scale;
  const Wide parts = Wide{2} * power_of_ten(number.decimals);
  const Wide twice = Wide{2} * number.digits;
  Wide low = ((twice == 0 ? 0 : twice - 1) * scale + parts - 1) / parts;
  Wide high = (twice + 1) * scale / parts;
  if (number.digits >= power_of_ten(number.decimals)) {
    low = std::max(low, scale);
    high = std::min(high, Wide{unit.limit} - 1);
  }
  if (low > high || high > Wide{UINT64_MAX}) {
    return std::nullopt;
  }
  return MatFigure{std::string(text), static_cast<std::uint64_t>(low),
                   static_cast<std::uint64_t>(high), false};
}

std::optional<MatFigure> parse_unsigned_figure(std::string_view text) {
  for (const auto& unit : kUnits) {
    if (!text.ends_with(unit.name)) {
      continue;
    }
    const auto number = parse_decimal(text.substr(0, text.size() - unit.name.size()));
    if (!number || (unit.scale == 1 && number->decimals != 0)) {
      return std::nullopt;
    }
    return unit.scale == 1 ? MatFigure{std::string(text), number->digits, number->digits, false}
                           : band(text, *number, unit);
  }
  const auto value = parse_grouped(text);
  return value ? std::optional(MatFigure{std::string(text), *value, *value, false}) : std::nullopt;
}

/// What stands between blanks, commas and colons; the narrow blank before PM is one, too.
std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view kNarrowBlank = "\u202f";
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool narrow = text.substr(i).starts_with(kNarrowBlank);
    if (narrow || text[i] == ' ' || text[i] == ',' || text[i] == ':') {
      i += narrow ? kNarrowBlank.size() - 1 : 0;
      words.emplace_back();
    } else {
      words.back() += text[i];
    }
  }
  std::erase(words, std::string{});
  return words;
}

/// Days since 1970 of "Nov 29, 2026".
std::optional<std::uint64_t> parse_date(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto words = words_of(text);
  if (words.size() != 3) {
    return std::nullopt;
  }
  const auto* const month = std::find(kMonths.begin(), kMonths.end(), words[0]);
  const auto day = parse_digits(words[1]);
  const auto year = parse_digits(words[2]);
  if (month == kMonths.end() || !day || *day > 31 || !year || *year < 1970 || *year > 9999) {
    return std::nullopt;
  }
  const std::chrono::year_month_day when{
      std::chrono::year(static_cast<int>(*year)),
      std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
      std::chrono::day(static_cast<unsigned>(*day))};
  if (!when.ok()) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(std::chrono::sys_days(when).time_since_epoch().count());
}

/// Seconds since midnight of "9:26:11 PM UTC".
std::optional<std::uint64_t> parse_time(std::string_view text) {
  const auto words = words_of(text);
  if (words.size() != 5 || (words[3] != "AM" && words[3] != "PM") ||
      (words[4] != "UTC" && words[4] != "GMT")) {
    return std::nullopt;
  }
  const auto hour = parse_digits(words[0]);
  const auto minute = parse_digits(words[1]);
  const auto second = parse_digits(words[2]);
  if (!hour || *hour < 1 || *hour > 12 || !minute || *minute > 59 || !second || *second > 60) {
    return std::nullopt;
  }
  return ((*hour % 12 + (words[3] == "PM" ? 12 : 0)) * 60 + *minute) * 60 + *second;
}

}  // namespace

std::optional<std::uint64_t> parse_grouped(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) {
    return parse_digits(text);
  }
  if (comma == 0 || comma > 3) {
    return std::nullopt;
  }
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool separator = i >= comma && (i - comma) % 4 == 0;
    if (separator ? text[i] != ',' : !is_digit(text[i])) {
      return std::nullopt;
    }
    if (!separator) {
      digits += text[i];
    }
  }
  return (text.size() - comma) % 4 == 0 ? parse_digits(digits) : std::nullopt;
}

std::optional<MatFigure> parse_figure(std::string_view text) {
  constexpr std::string_view kAtLeast = ">= ";
  const bool lower_bound = text.starts_with(kAtLeast);
  auto figure = parse_unsigned_figure(lower_bound ? text.substr(kAtLeast.size()) : text);
  if (figure) {
    figure->text = text;
    figure->lower_bound = lower_bound;
  }
  return figure;
}

std::optional<MatPercent> parse_percent(std::string_view text) {
  if (!text.ends_with("%")) {
    return std::nullopt;
  }
  const auto number = parse_decimal(text.substr(0, text.size() - 1));
  return number ? std::optional(MatPercent{std::string(text), number->digits, number->decimals})
                : std::nullopt;
}

bool shows_share(const MatPercent& percent, std::uint64_t part, std::uint64_t whole) {
  if (whole == 0 || percent.digits > 1'000'000'000'000) {
    return false;
  }
  const Wide twice = Wide{2} * part * power_of_ten(percent.decimals + 2);
  const Wide low = (percent.digits == 0 ? Wide{0} : Wide{2} * percent.digits - 1) * whole;
  const Wide high = (Wide{2} * percent.digits + 1) * whole;
  return low <= twice && twice <= high;
}

std::optional<std::uint64_t> parse_moment(std::string_view date, std::string_view time) {
  const auto days = parse_date(date);
  const auto seconds = parse_time(time);
  return days && seconds ? std::optional(*days * 86'400 + *seconds) : std::nullopt;
}

std::optional<std::uint64_t> parse_hex_address(std::string_view text) {
  if (!text.starts_with("0x")) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  if (text.size() == 2 || result.ec != std::errc{} || result.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace hprof
