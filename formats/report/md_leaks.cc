#include "common/text.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

std::string facts(const Suspect& suspect) {
  MarkdownTable table({{"Fact"}, {"Value"}});
  if (suspect.address) {
    table.row({"Address", hex_address(suspect.address->value)});
  }
  table.row({"Class", md_cell(suspect.class_name)});
  table.row({"Class loader", md_cell(suspect.loader_label)});
  table.row({"Objects", grouped(suspect.instances)});
  table.row({"Shallow heap", format_bytes(suspect.shallow)});
  table.row({"Retained heap",
             format_bytes(suspect.retained) + " (" + format_share(suspect.retained_bp) + ")"});
  std::string roots;
  for (const auto& type : suspect.root_types) {
    roots += (roots.empty() ? "" : ", ") + md_cell(type);
  }
  table.row({"GC root", roots.empty() ? "none found" : roots});
  if (suspect.accumulation_point) {
    table.row({"Accumulation point", md_cell(suspect.accumulation_point->label)});
    table.row({"It retains", format_bytes(suspect.accumulation_point->retained)});
  } else {
    table.row({"Accumulation point", "none"});
  }
  return table.text();
}

std::string common_path(const Suspect& suspect, MarkdownStyle style) {
  if (suspect.common_path.empty()) {
    return "";
  }
  MarkdownTable table({{"Path from a GC root that most instances share"},
                       {"Shallow Heap", Align::right},
                       {"Retained Heap", Align::right}});
  for (const auto& step : suspect.common_path) {
    table.row({md_cell(step.label), format_bytes(step.shallow), format_bytes(step.retained)},
              step.retained);
  }
  return "\n" + table.text(style);
}

}  // namespace

std::string md_leaks(const Report& report, MarkdownStyle style) {
  const auto& leaks = report.leaks;
  if (leaks.suspects.empty()) {
    return "No object and no class of top-level objects retains more than " +
           format_share(leaks.threshold_bp) + " of the used heap.\n";
  }
  std::string out;
  for (std::size_t i = 0; i < leaks.suspects.size(); ++i) {
    const auto& suspect = leaks.suspects[i];
    out += (i == 0 ? "" : "\n") + ("### Suspect " + std::to_string(i + 1)) + "\n\n" +
           md_sentence(suspect_sentence(suspect)) + "\n\n" + facts(suspect) +
           common_path(suspect, style);
  }
  return out;
}

}  // namespace hprof
