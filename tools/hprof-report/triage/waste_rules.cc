// Memory that need not be taken.
#include "common/concat.h"
#include "common/text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/wording.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hprof::triage {
namespace {

constexpr std::uint64_t kTenth = 1000;
constexpr std::uint64_t kMiB = 1ULL << 20U;
constexpr std::uint64_t kLeastWaste = 4 * kMiB;

bool is_box(const HistogramRow& row) {
  constexpr std::array<std::string_view, 8> kBoxes{
      "java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Short",
      "java.lang.Integer", "java.lang.Long", "java.lang.Float",     "java.lang.Double"};
  return row.loader_address.value == 0 &&
         std::find(kBoxes.begin(), kBoxes.end(), row.class_name) != kBoxes.end();
}

}  // namespace

std::optional<Finding> boxed_numbers(const Facts& facts) {
  const auto& overview = facts.report.overview;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  const HistogramRow* largest = nullptr;
  for (const auto& row : overview.histogram) {
    if (is_box(row)) {
      objects += row.instances;
      bytes += row.shallow;
      largest = largest == nullptr || row.shallow > largest->shallow ? &row : largest;
    }
  }
  const auto share = share_bp(bytes, overview.total_shallow);
  if (share < kTenth || bytes < kLeastWaste) {
    return std::nullopt;
  }
  return Wording()
      .words(concat(grouped(objects), " boxed numbers, most of them "))
      .name(largest->class_name)
      .words(concat(", take ", format_bytes(bytes), " (", format_share(share),
                    "); primitive arrays or collections of primitives would need less."))
      .finding("boxed-numbers", Severity::info, "Boxed numbers", "overview");
}

std::optional<Finding> over_capacity(const Facts& facts) {
  const auto& collections = facts.report.collections;
  if (!collections || collections->savings.total_bp < kTenth ||
      collections->savings.total < kLeastWaste) {
    return std::nullopt;
  }
  const auto& savings = collections->savings;
  return Wording()
      .words(concat(
          "Collections take ", format_bytes(savings.total), " (", format_share(savings.total_bp),
          ") for slots that hold nothing: ", format_bytes(savings.empty_bytes), " in empty ones, ",
          format_bytes(savings.over_capacity_bytes), " in arrays that are too long."))
      .finding("over-capacity", Severity::info, "Collections larger than needed", "collections");
}

}  // namespace hprof::triage
