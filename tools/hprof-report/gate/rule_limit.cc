#include "common/error.h"
#include "common/text.h"
#include "common/utf8.h"
#include "tools/hprof-report/gate/rule_parts.h"

#include <algorithm>
#include <array>
#include <limits>

namespace hprof {
namespace {

struct LimitSuffix {
  std::string_view word;
  LimitUnit unit;
  unsigned shift;
};

constexpr std::array kSuffixes{
    LimitSuffix{"", LimitUnit::count, 0},     LimitSuffix{"%", LimitUnit::share, 0},
    LimitSuffix{"b", LimitUnit::bytes, 0},    LimitSuffix{"k", LimitUnit::bytes, 10},
    LimitSuffix{"kb", LimitUnit::bytes, 10},  LimitSuffix{"kib", LimitUnit::bytes, 10},
    LimitSuffix{"m", LimitUnit::bytes, 20},   LimitSuffix{"mb", LimitUnit::bytes, 20},
    LimitSuffix{"mib", LimitUnit::bytes, 20}, LimitSuffix{"g", LimitUnit::bytes, 30},
    LimitSuffix{"gb", LimitUnit::bytes, 30},  LimitSuffix{"gib", LimitUnit::bytes, 30},
    LimitSuffix{"t", LimitUnit::bytes, 40},   LimitSuffix{"tb", LimitUnit::bytes, 40},
    LimitSuffix{"tib", LimitUnit::bytes, 40},
};

constexpr std::size_t kMostDecimals = 6;

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

/// The number of a limit in units of 10^-decimals.
struct Decimal {
  std::uint64_t digits = 0;
  std::size_t decimals = 0;
};

void add_digit(Decimal& out, char c, const std::string& rule) {
  const auto digit = static_cast<std::uint64_t>(c - '0');
  if (__builtin_mul_overflow(out.digits, std::uint64_t{10}, &out.digits) ||
      __builtin_add_overflow(out.digits, digit, &out.digits)) {
    refuse_rule(rule, "the limit is too large");
  }
}

Decimal take_decimal(std::string_view& text, const std::string& rule) {
  Decimal out;
  bool any = false;
  bool point = false;
  while (!text.empty() && (is_decimal(text.front()) || (text.front() == '.' && any && !point))) {
    if (text.front() == '.') {
      point = true;
    } else {
      any = true;
      out.decimals += point ? 1 : 0;
      if (out.decimals > kMostDecimals) {
        refuse_rule(rule, "a limit has six decimals at most");
      }
      add_digit(out, text.front(), rule);
    }
    text.remove_prefix(1);
  }
  if (!any || (point && out.decimals == 0)) {
    refuse_rule(rule, "the limit must be a number, like 1000, 10MiB, 25%, +10% or +0");
  }
  return out;
}

/// digits · factor / 10^decimals; nothing may be lost but parts of a byte.
std::uint64_t scaled(const Decimal& number, std::uint64_t factor, bool exact,
                     const std::string& rule) {
  __extension__ using Wide = unsigned __int128;
  Wide value = Wide{number.digits} * factor;
  Wide divisor = 1;
  for (std::size_t i = 0; i < number.decimals; ++i) {
    divisor *= 10;
  }
  if (exact && value % divisor != 0) {
    refuse_rule(rule,
                factor == 1 ? "a number of things is whole" : "a share has two decimals at most");
  }
  value /= divisor;
  if (value > std::numeric_limits<std::uint64_t>::max()) {
    refuse_rule(rule, "the limit is too large");
  }
  return static_cast<std::uint64_t>(value);
}

}  // namespace

void take_limit(GateRule& rule, const std::string& text) {
  std::string_view rest = text;
  if (!rest.empty() && (rest.front() == '+' || rest.front() == '-')) {
    rule.growth = true;
    rule.negative = rest.front() == '-';
    rest.remove_prefix(1);
  }
  const Decimal number = take_decimal(rest, rule.text);
  const std::string word = lower_case(trimmed(rest));
  const auto* suffix = std::find_if(kSuffixes.begin(), kSuffixes.end(),
                                    [&](const LimitSuffix& each) { return each.word == word; });
  if (suffix == kSuffixes.end()) {
    refuse_rule(rule.text, "\"" + printable(rest) + "\" is no unit; units are %, B, K, M, G, T");
  }
  rule.unit = suffix->unit;
  const bool share = rule.unit == LimitUnit::share;
  rule.limit = scaled(number, share ? 100 : std::uint64_t{1} << suffix->shift,
                      rule.unit != LimitUnit::bytes, rule.text);
}

}  // namespace hprof
