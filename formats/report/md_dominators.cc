#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kHolderRows = 10;

std::string child_cell(const BigDrop& row) {
  return row.largest_child ? md_cell(row.largest_child->label) : "";
}

std::string child_bytes(const BigDrop& row) {
  return row.largest_child ? format_bytes(row.largest_child->retained) : "";
}

std::string big_drops(const Dominators& dominators, bool complete, MarkdownStyle style) {
  if (dominators.big_drops.empty()) {
    return as_far_as_read(complete, "No object retains over " +
                                        format_bytes(dominators.drop_threshold) +
                                        " more than the largest object below it.\n");
  }
  MarkdownTable table({{"Object"},
                       {"Retained Heap", Align::right},
                       {"Drop", Align::right},
                       {"Share", Align::right},
                       {"Children", Align::right},
                       {"Largest Child"},
                       {"It Retains", Align::right}});
  for (const auto& row : dominators.big_drops) {
    table.row({md_cell(row.label), format_bytes(row.retained), format_bytes(row.drop),
               format_share(row.drop_bp), grouped(row.children), child_cell(row), child_bytes(row)},
              row.drop);
  }
  return "Here the memory spreads out: each of these retains over " +
         format_bytes(dominators.drop_threshold) + " more than the largest object below it.\n\n" +
         table.text(style) +
         (dominators.further_drops == 0
              ? ""
              : "\n" +
                    format_count(dominators.further_drops, "smaller drop is", "smaller drops are") +
                    " left out.\n");
}

std::string holder_name(const HolderRow& row) {
  const auto name =
      row.is_class_object ? md_cell("class " + row.class_name) : md_cell(row.class_name);
  return row.classes > 1 ? name + " (" + grouped(row.classes) + " classes)" : name;
}

std::string holders_of(const DominatedClass& dominated, MarkdownStyle style) {
  MarkdownTable table({{"Held by"}, {"Objects", Align::right}, {"Shallow Heap", Align::right}});
  const std::size_t shown = std::min(dominated.holders.size(), kHolderRows);
  std::uint64_t objects = dominated.further_objects;
  std::uint64_t shallow = dominated.further_shallow;
  for (std::size_t i = 0; i < dominated.holders.size(); ++i) {
    const auto& row = dominated.holders[i];
    if (i < shown) {
      table.row({holder_name(row), grouped(row.objects), format_bytes(row.shallow)}, row.shallow);
    } else {
      objects += row.objects;
      shallow += row.shallow;
    }
  }
  const auto others = dominated.holders.size() - shown + dominated.further_holders;
  if (others != 0) {
    table.row({format_count(others, "other", "others"), grouped(objects), format_bytes(shallow)},
              shallow);
  }
  return table.text(style);
}

std::string holders(const Dominators& dominators, MarkdownStyle style) {
  std::string out =
      "For each class, what holds its objects: the class of the nearest dominator "
      "that " +
      (dominators.skipped_classes.empty()
           ? "is no array"
           : md_code(dominators.skipped_classes) + " does not match and that is no array") +
      ".\n";
  for (const auto& row : dominators.dominated_classes) {
    out += "\n" + md_code(row.class_name) + ": " + format_count(row.objects, "object", "objects") +
           " of " + format_bytes(row.shallow) + " (" + format_share(row.shallow_bp) + ")\n\n" +
           holders_of(row, style);
  }
  return out;
}

std::string levels(const DepthRow& row) {
  return row.from == row.to ? grouped(row.from) : grouped(row.from) + "–" + grouped(row.to);
}

std::string depths(const Dominators& dominators, MarkdownStyle style) {
  MarkdownTable table(
      {{"Level", Align::right}, {"Objects", Align::right}, {"Shallow Heap", Align::right}});
  for (const auto& row : merged_levels(dominators.depths)) {
    table.row({levels(row), grouped(row.objects), format_bytes(row.shallow)}, row.objects);
  }
  return "90 % of the objects lie no deeper than level " + grouped(dominators.depth_p90) +
         ", the deepest at level " + grouped(dominators.depth_max) + ".\n\n" + table.text(style);
}

std::string concentration(const Dominators& dominators, MarkdownStyle style) {
  MarkdownTable table({{"Largest Objects", Align::right},
                       {"Retained Heap", Align::right},
                       {"Share", Align::right}});
  for (const auto& row : dominators.concentration) {
    table.row({grouped(row.objects), format_bytes(row.retained), format_share(row.retained_bp)},
              row.retained);
  }
  return format_count(dominators.objects_over_one_percent, "top-level object retains",
                      "top-level objects retain") +
         " over 1 % of the used heap.\n\n" + table.text(style);
}

}  // namespace

std::string md_dominators(const Report& report, MarkdownStyle style) {
  const auto& dominators = *report.dominators;
  return "### Big Drops\n\n" + big_drops(dominators, report.complete, style) +  //
         "\n### Holders by Class\n\n" + holders(dominators, style) +            //
         "\n### Depth of the Tree\n\n" + depths(dominators, style) +            //
         "\n### Concentration\n\n" + concentration(dominators, style);
}

}  // namespace hprof
