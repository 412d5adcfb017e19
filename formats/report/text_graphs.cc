#include "formats/report/text_graphs.h"

#include "common/error.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hprof {
namespace {

constexpr std::array<std::string_view, 9> kLevels{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
constexpr std::string_view kFullBlock = "█";
constexpr std::uint64_t kPartsPerBlock = 8;
/// Amounts of more bits lose their lowest ones, so that the product with the parts fits.
constexpr unsigned kExactBits = 48;

/// amount / largest of `parts`, rounded down, but at least one of them unless the amount is 0.
std::uint64_t parts_of(std::uint64_t amount, std::uint64_t largest, std::uint64_t parts) {
  if (amount == 0) {
    return 0;
  }
  check(amount <= largest, "a graph with an amount above its largest");
  const unsigned shift = largest >> kExactBits == 0 ? 0 : 64 - kExactBits;
  return std::max<std::uint64_t>(1, (amount >> shift) * parts / (largest >> shift));
}

std::uint64_t largest_of(const std::vector<std::uint64_t>& amounts) {
  return amounts.empty() ? 0 : *std::max_element(amounts.begin(), amounts.end());
}

}  // namespace

std::string text_bar(std::uint64_t amount, std::uint64_t largest, std::size_t width) {
  const auto eighths = parts_of(amount, largest, width * kPartsPerBlock);
  std::string out;
  for (std::uint64_t i = 0; i < eighths / kPartsPerBlock; ++i) {
    out += kFullBlock;
  }
  out += kEighths.at(eighths % kPartsPerBlock);
  return out;
}

std::string sparkline(const std::vector<std::uint64_t>& amounts) {
  const auto largest = largest_of(amounts);
  std::string out;
  for (const auto amount : amounts) {
    out += kLevels.at(parts_of(amount, largest, kPartsPerBlock));
  }
  return out;
}

std::string md_sparkline(MarkdownStyle style, const std::string& what,
                         const std::vector<std::uint64_t>& amounts) {
  if (style == MarkdownStyle::plain || amounts.size() < 2 || largest_of(amounts) == 0) {
    return "";
  }
  return "\n`" + sparkline(amounts) + "` " + what + "\n";
}

}  // namespace hprof
