#include "formats/html/html_parts.h"
#include "formats/html/html_text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kHeight = 100;
constexpr std::uint64_t kStep = 12;
constexpr std::uint64_t kWidth = 10;
/// The largest bars of fewer than this many would look like walls.
constexpr std::uint64_t kLeastSteps = 24;
constexpr std::uint64_t kBasisPoints = 10'000;

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

std::uint64_t height_of(std::uint64_t amount, std::uint64_t largest) {
  if (amount == 0) {
    return 0;
  }
  return std::max<std::uint64_t>(1, share_bp(amount, largest) * kHeight / kBasisPoints);
}

std::string drawn(const ChartBar& bar, std::uint64_t index, std::uint64_t largest) {
  const auto height = height_of(bar.amount, largest);
  const auto x = R"( x=")" + number(index * kStep) + R"(" width=")" + number(kWidth) + R"(")";
  return "<g><title>" + svg_text(bar.tooltip) + R"(</title><rect class="hit")" + x +
         R"( y="0" height=")" + number(kHeight) + R"("/><rect class="bar")" + x + R"( y=")" +
         number(kHeight - height) + R"(" height=")" + number(height) + R"("/></g>)";
}

}  // namespace

void html_chart(const std::string& what, const std::vector<ChartBar>& bars,
                const std::string& first, const std::string& last, HtmlBody& body) {
  std::uint64_t largest = 0;
  for (const auto& bar : bars) {
    largest = std::max(largest, bar.amount);
  }
  if (bars.size() < 2 || largest == 0) {
    return;
  }
  const auto width = std::max<std::uint64_t>(bars.size(), kLeastSteps) * kStep;
  body.add(R"(<figure class="chart"><svg role="img" aria-label=")" + html_attribute(what) +
           R"(" viewBox="0 0 )" + number(width) + " " + number(kHeight) +
           R"(" preserveAspectRatio="none">)");
  for (std::size_t i = 0; i < bars.size(); ++i) {
    body.add(drawn(bars[i], i, largest));
  }
  body.add("</svg><figcaption>" + html_text(what) + ", from " + html_text(first) + " to " +
           html_text(last) + "</figcaption></figure>\n");
}

}  // namespace hprof
