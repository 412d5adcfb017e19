#include "common/text.h"
#include "formats/report/derived.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/report_words.h"
#include "formats/report/units.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace hprof {
namespace {

constexpr std::size_t kClassRows = 10;
constexpr std::size_t kLoaderClassRows = 20;

std::string all(const Components& components, MarkdownStyle style) {
  MarkdownTable table({{"Component"},
                       {"Top-Level Objects", Align::right},
                       {"Objects", Align::right},
                       {"Size", Align::right},
                       {"Share", Align::right}});
  for (const auto& row : components.components) {
    table.row({md_cell(row.label), grouped(row.top_level_objects), grouped(row.objects),
               format_bytes(row.retained), format_share(row.retained_bp)},
              row.retained);
  }
  if (components.others != 0) {
    table.row(
        {format_count(components.others, "other", "others"), "", grouped(components.others_objects),
         format_bytes(components.others_retained), format_share(components.others_retained_bp)},
        components.others_retained);
  }
  return table.text(style);
}

std::string further_classes(std::size_t all, std::size_t shown) {
  return all == shown
             ? ""
             : "\n" + format_count(all - shown, "further class is", "further classes are") +
                   " in the JSON.\n";
}

std::string loader_classes(const std::vector<LoaderClassRow>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Class of the Loader"},
                       {"Loaders", Align::right},
                       {"Objects", Align::right},
                       {"Size", Align::right},
                       {"Share", Align::right}});
  const std::size_t shown = std::min(rows.size(), kLoaderClassRows);
  for (std::size_t i = 0; i < shown; ++i) {
    table.row(
        {md_cell(rows[i].class_name), grouped(rows[i].class_loaders), grouped(rows[i].objects),
         format_bytes(rows[i].retained), format_share(rows[i].retained_bp)},
        rows[i].retained);
  }
  return table.text(style) + further_classes(rows.size(), shown);
}

std::string classes(const Component& component, MarkdownStyle style) {
  MarkdownTable table({{"Class"},
                       {"Top-Level Objects", Align::right},
                       {"Retained Heap", Align::right},
                       {"Share of It", Align::right}});
  const std::size_t shown = std::min(component.top_classes.size(), kClassRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = component.top_classes[i];
    table.row({md_cell(row.class_name), grouped(row.instances), format_bytes(row.retained),
               format_share(row.retained_bp)},
              row.retained);
  }
  return table.text(style);
}

std::string class_rows(const std::vector<ComponentClass>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Class"}, {"Instances", Align::right}, {"Shallow Heap", Align::right}});
  const std::size_t shown = std::min(rows.size(), kClassRows);
  for (std::size_t i = 0; i < shown; ++i) {
    table.row(
        {md_cell(rows[i].class_name), grouped(rows[i].instances), format_bytes(rows[i].shallow)},
        rows[i].shallow);
  }
  return table.text(style);
}

std::string array_rows(const std::vector<ComponentArrays>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Class"},
                       {"Arrays", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Without Elements", Align::right},
                       {"Their Shallow Heap", Align::right}});
  const std::size_t shown = std::min(rows.size(), kClassRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = rows[i];
    table.row({md_cell(row.class_name), grouped(row.arrays), format_bytes(row.shallow),
               grouped(row.zero_length), format_bytes(row.zero_length_shallow)},
              row.shallow);
  }
  return table.text(style);
}

std::string fill(const std::vector<ComponentArrays>& arrays, MarkdownStyle style) {
  MarkdownTable table({{"Slots in Use"},
                       {"Object Arrays", Align::right},
                       {"Bytes", Align::right},
                       {"Unused Bytes", Align::right}});
  const auto rows = fill_of_arrays(arrays);
  for (const auto& row : rows) {
    table.row({fill_text(row.most_bp, true), grouped(row.arrays), format_bytes(row.shallow),
               format_bytes(row.unused_bytes)},
              row.unused_bytes);
  }
  return rows.empty() ? "" : "\nObject arrays in it by fill:\n\n" + table.text(style);
}

/// The table of a list under its caption, and how many rows it leaves out.
template <typename Row, typename Table>
std::string captioned(const std::string& caption, const std::optional<std::vector<Row>>& rows,
                      Table table, MarkdownStyle style) {
  return !rows || rows->empty()
             ? ""
             : "\n" + caption + ":\n\n" + table(*rows, style) +
                   further_classes(rows->size(), std::min(rows->size(), kClassRows));
}

std::string retained_set(const RetainedSet& set, MarkdownStyle style) {
  return "\nThe whole component would take along " + format_bytes(set.shallow) + " (" +
         format_share(set.shallow_bp) + ") in " + format_count(set.objects, "object", "objects") +
         " of " + format_count(set.classes, "class", "classes") + " by " +
         format_count(set.class_loaders, "class loader", "class loaders") +
         ", what its top-level objects share with each other included:\n\n" +
         class_rows(set.histogram, style) +
         captioned("Arrays in it", set.arrays, array_rows, style) +
         (set.arrays ? fill(*set.arrays, style) : "") +
         captioned("Soft references in it", set.soft_references, class_rows, style) +
         captioned("What they refer to", set.softly_referenced, class_rows, style) +
         captioned("Weak references in it", set.weak_references, class_rows, style) +
         captioned("What they refer to", set.weakly_referenced, class_rows, style) +
         captioned("Objects in it that finalizers watch", set.with_finalizer, class_rows, style);
}

}  // namespace

std::string md_components(const Report& report, MarkdownStyle style) {
  const auto& components = *report.components;
  std::string out = components_note(components) + "\n\n" + all(components, style) +
                    "\n### By Class of the Loader\n\n" +
                    loader_classes(components.loader_classes, style);
  for (const auto& component : components.components) {
    if (component.retained >= components.threshold) {
      out += "\n### Component " + md_code(component.label) + "\n\n" + classes(component, style);
      if (component.retained_set) {
        out += retained_set(*component.retained_set, style);
      }
    }
  }
  return out;
}

}  // namespace hprof
