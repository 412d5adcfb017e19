#include "common/text.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kRows = 20;

std::string by_class(const std::vector<UnreachableRow>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Class"}, {"Instances", Align::right}, {"Shallow Heap", Align::right}});
  const std::size_t shown = std::min(rows.size(), kRows);
  for (std::size_t i = 0; i < shown; ++i) {
    table.row(
        {md_cell(rows[i].class_name), grouped(rows[i].instances), format_bytes(rows[i].shallow)},
        rows[i].shallow);
  }
  std::string out = table.text(style);
  if (rows.size() > shown) {
    out += "\n" + format_count(rows.size() - shown, "further class is", "further classes are") +
           " in the JSON.\n";
  }
  return out;
}

}  // namespace

std::string md_unreachable(const Report& report, MarkdownStyle style) {
  const auto& unreachable = *report.unreachable;
  if (unreachable.objects == 0) {
    return "Every object of the dump is reachable.\n";
  }
  return "No GC root reaches " + format_count(unreachable.objects, "object", "objects") + " of " +
         format_bytes(unreachable.shallow) +
         " in all. No other section counts them.\n\n### Unreachable by Kind\n\n" +
         md_composition(unreachable.composition, style) + "\n### Unreachable by Class\n\n" +
         by_class(report.overview.unreachable_histogram, style);
}

}  // namespace hprof
