#include "common/concat.h"
#include "common/text.h"
#include "formats/report/caveats.h"
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

std::string root_table(const Garbage& garbage, MarkdownStyle style) {
  MarkdownTable table({{"Garbage Root"},
                       {"Objects", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Reached First", Align::right},
                       {"Cycle"}});
  for (const auto& row : garbage.largest) {
    table.row({md_cell(row.label), grouped(row.objects), format_bytes(row.shallow),
               format_bytes(row.reached_shallow), row.in_cycle ? "yes" : ""},
              row.reached_shallow);
  }
  return table.text(style);
}

std::string root_class_table(const Garbage& garbage, MarkdownStyle style) {
  MarkdownTable table({{"Class"},
                       {"Roots", Align::right},
                       {"Objects", Align::right},
                       {"Reached First", Align::right}});
  for (const auto& row : garbage.root_classes) {
    table.row({md_cell(row.class_name), grouped(row.roots), grouped(row.objects),
               format_bytes(row.reached_shallow)},
              row.reached_shallow);
  }
  return table.text(style);
}

std::string how_many_of(std::uint64_t count, const char* class_name, std::uint64_t shallow) {
  return grouped(count) + " " + md_code(class_name) + " of " + format_bytes(shallow);
}

/// What nothing references is likely filler; only classes that nothing else is of are proof.
std::string filler(const Garbage& garbage) {
  std::string out;
  if (garbage.filler_objects != 0) {
    out += " The garbage collector itself made " +
           format_count(garbage.filler_objects, "object", "objects") + " of " +
           format_bytes(garbage.filler_shallow) + " to fill gaps.";
  }
  std::string likely;
  if (garbage.lone_int_arrays != 0) {
    likely = how_many_of(garbage.lone_int_arrays, "int[]", garbage.lone_int_arrays_shallow);
  }
  if (garbage.lone_objects != 0) {
    likely += (likely.empty() ? "" : " and ") +
              how_many_of(garbage.lone_objects, "java.lang.Object", garbage.lone_objects_shallow);
  }
  if (!likely.empty()) {
    out += (out.empty() ? " Likely the garbage collector itself made " : " Likely it also made ") +
           likely + ", which nothing references: gaps are filled with such.";
  }
  return out;
}

std::string garbage_text(const Garbage& garbage, MarkdownStyle style) {
  const std::string cycles =
      garbage.cycles == 0
          ? ""
          : "; " + format_count(garbage.cycles, "stands for a cycle", "stand for cycles");
  return "\n### Garbage Roots\n\n" + format_count(garbage.roots, "object", "objects") + " of " +
         format_count(garbage.root_class_count, "class", "classes") +
         (garbage.roots == 1 ? " is a garbage root" : " are garbage roots") +
         ", which no other unreachable object references" + cycles +
         "; what several of them lead to is counted with the first by address." + filler(garbage) +
         "\n\n" + root_table(garbage, style) + "\n### Garbage Roots by Class\n\n" +
         root_class_table(garbage, style);
}

std::string fate(const Report& report) {
  const auto caveats = caveats_of(report);
  return caveats.any()
             ? concat(" What no GC root reaches is ", fate_of_unreached(caveats, true), ".")
             : "";
}

}  // namespace

std::string md_unreachable(const Report& report, MarkdownStyle style) {
  const auto& unreachable = *report.unreachable;
  if (unreachable.objects == 0) {
    return "Every object of " + what_was_read(report.complete) + " is reachable.\n";
  }
  return "No GC root reaches " + format_count(unreachable.objects, "object", "objects") + " of " +
         format_bytes(unreachable.shallow) + " in all. No other section counts them." +
         fate(report) + "\n\n### Unreachable by Kind\n\n" +
         md_composition(unreachable.composition, style) + "\n### Unreachable by Class\n\n" +
         by_class(report.overview.unreachable_histogram, style) +
         (unreachable.garbage ? garbage_text(*unreachable.garbage, style) : "");
}

}  // namespace hprof
