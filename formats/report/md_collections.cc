#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/report_words.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kMostClasses = 30;
constexpr std::size_t kMostEntries = 10;

std::string lengths(const Arrays& arrays, bool complete, MarkdownStyle style) {
  if (arrays.lengths.empty()) {
    return as_far_as_read(complete, "There are no arrays with elements.\n");
  }
  MarkdownTable table({{"Elements"},
                       {"Object Arrays", Align::right},
                       {"Bytes", Align::right},
                       {"Primitive Arrays", Align::right},
                       {"Bytes", Align::right}});
  for (const auto& row : arrays.lengths) {
    table.row({range_text(row.least, row.most), grouped(row.object_arrays),
               format_bytes(row.object_shallow), grouped(row.primitive_arrays),
               format_bytes(row.primitive_shallow)},
              row.object_shallow + row.primitive_shallow);
  }
  return table.text(style);
}

std::string zero_length(const Arrays& arrays, bool complete) {
  if (arrays.zero_length == 0) {
    return as_far_as_read(complete, "There are no arrays without elements.\n");
  }
  std::string out = format_count(arrays.zero_length, "array", "arrays") +
                    " without elements take " + format_bytes(arrays.zero_length_shallow) +
                    ", most of them of the class" +
                    (arrays.zero_length_classes.size() == 1 ? " " : "es ");
  for (std::size_t i = 0; i < std::min<std::size_t>(3, arrays.zero_length_classes.size()); ++i) {
    const auto& row = arrays.zero_length_classes[i];
    out += (i == 0 ? "" : ", ") + md_code(row.class_name) + " (" + grouped(row.arrays) + ")";
  }
  return out + ".\n";
}

std::string fill(const std::vector<ArrayFillRow>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Slots in Use"},
                       {"Object Arrays", Align::right},
                       {"Slots", Align::right},
                       {"In Use", Align::right},
                       {"Bytes", Align::right},
                       {"Unused Bytes", Align::right}});
  for (const auto& row : rows) {
    table.row({fill_text(row.most_bp, true), grouped(row.arrays), grouped(row.slots),
               grouped(row.used_slots), format_bytes(row.shallow), format_bytes(row.unused_bytes)},
              row.unused_bytes);
  }
  return table.text(style);
}

std::string constants(const std::vector<ConstantArrays>& rows, bool complete, MarkdownStyle style) {
  if (rows.empty()) {
    return as_far_as_read(complete,
                          "No primitive array of two elements or more has all of them equal.\n");
  }
  MarkdownTable table({{"Class"},
                       {"All Elements Equal", Align::right},
                       {"Bytes", Align::right},
                       {"All Zero", Align::right},
                       {"Bytes", Align::right}});
  for (const auto& row : rows) {
    table.row({md_cell(row.class_name), grouped(row.arrays), format_bytes(row.shallow),
               grouped(row.zero_arrays), format_bytes(row.zero_shallow)},
              row.shallow);
  }
  return table.text(style);
}

std::string array_table(const std::vector<ArrayRow>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Array"},
                       {"Elements", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Retained Heap", Align::right}});
  for (const auto& row : rows) {
    table.row({md_cell(row.label), grouped(row.length), format_bytes(row.shallow),
               format_bytes(row.retained)},
              row.shallow);
  }
  return table.text(style);
}

std::string arrays_text(const Arrays& arrays, bool complete, MarkdownStyle style) {
  std::string out = "### Arrays by Length\n\n" + lengths(arrays, complete, style) + "\n" +
                    zero_length(arrays, complete);
  if (arrays.fill && !arrays.fill->empty()) {
    out += "\n### Object Arrays by Fill\n\n" + fill(*arrays.fill, style);
  }
  if (arrays.constant) {
    out += "\n### Constant Arrays\n\n" + constants(*arrays.constant, complete, style);
  }
  if (!arrays.biggest.empty()) {
    out += "\n### Biggest Arrays\n\n" + array_table(arrays.biggest, style);
  }
  return out;
}

std::string savings_line(const Collections& all, bool complete) {
  const auto& savings = all.savings;
  if (savings.total == 0) {
    return as_far_as_read(complete, "No array of a collection is larger than it needs to be.\n");
  }
  std::vector<std::string> ways;
  if (savings.empty_bytes != 0) {
    ways.push_back("by not allocating the arrays of " +
                   format_count(savings.empty_arrays, "empty collection", "empty collections") +
                   " (" + format_bytes(savings.empty_bytes) + ")");
  }
  if (savings.over_capacity_bytes != 0) {
    ways.push_back("by sizing " + format_count(savings.over_capacity_arrays, "array", "arrays") +
                   " to the elements (" + format_bytes(savings.over_capacity_bytes) + ")");
  }
  return "You can save about " + format_bytes(savings.total) + " (" +
         format_share(savings.total_bp) + " of the used heap) " + md_joined(ways, " and ") + ".\n";
}

std::string collisions(const CollectionClass& row) {
  return row.collision_bp ? format_share(*row.collision_bp) : "";
}

std::string class_table(const std::vector<CollectionClass>& classes, MarkdownStyle style) {
  MarkdownTable table({{"Class"},
                       {"Kind"},
                       {"Collections", Align::right},
                       {"Empty", Align::right},
                       {"Elements", Align::right},
                       {"Largest", Align::right},
                       {"Objects", Align::right},
                       {"Arrays", Align::right},
                       {"Collisions", Align::right},
                       {"Wasted, Empty", Align::right},
                       {"Wasted, Capacity", Align::right}});
  for (std::size_t i = 0; i < std::min(kMostClasses, classes.size()); ++i) {
    const auto& row = classes[i];
    table.row({md_cell(row.class_name), md_text(row.kind), grouped(row.collections),
               grouped(row.empty), grouped(row.elements), grouped(row.largest),
               format_bytes(row.shallow), format_bytes(row.array_shallow), collisions(row),
               format_bytes(row.wasted_empty), format_bytes(row.wasted_capacity)},
              row.shallow + row.array_shallow);
  }
  const auto left = classes.size() - std::min(kMostClasses, classes.size());
  return table.text(style) +
         (left == 0 ? "" : "\nAnd " + format_count(left, "class", "classes") + " more.\n");
}

std::string distributions(const std::vector<CollectionClass>& classes, MarkdownStyle style) {
  const auto sizes = sizes_of_all(classes);
  const auto fills = fill_of_all(classes);
  MarkdownTable by_size({{"Elements"}, {"Collections", Align::right}});
  for (const auto& row : sizes) {
    by_size.row({range_text(row.least, row.most), grouped(row.collections)}, row.collections);
  }
  MarkdownTable by_fill({{"Size ÷ Capacity"}, {"Collections", Align::right}});
  for (const auto& row : fills) {
    by_fill.row({fill_text(row.most_bp, false), grouped(row.collections)}, row.collections);
  }
  return "\n### Collections by Size\n\n" + by_size.text(style) +
         (fills.empty() ? "" : "\n### Collections by Fill\n\n" + by_fill.text(style));
}

std::string entries(const std::vector<CollectionEntries>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Entry Class"}, {"Objects", Align::right}, {"Bytes", Align::right}});
  for (std::size_t i = 0; i < std::min(kMostEntries, rows.size()); ++i) {
    table.row(
        {md_cell(rows[i].class_name), grouped(rows[i].objects), format_bytes(rows[i].shallow)},
        rows[i].shallow);
  }
  return table.text(style);
}

std::string biggest(const std::vector<BigCollection>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Collection"},
                       {"Elements", Align::right},
                       {"Retained Heap", Align::right},
                       {"Share", Align::right},
                       {"Held by"}});
  for (const auto& row : rows) {
    table.row({md_cell(row.label), row.size ? grouped(*row.size) : "?", format_bytes(row.retained),
               format_share(row.retained_bp),
               md_cell(row.owner.field) + (row.owner.nested ? " (nested)" : "")},
              row.retained);
  }
  return table.text(style);
}

std::string contents(const std::vector<HeldContent>& rows) {
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, rows.size()); ++i) {
    out += (i == 0 ? "" : ", ") + grouped(rows[i].objects) + " × " + md_cell(rows[i].class_name) +
           " (" + format_share(rows[i].share_bp) + ")";
  }
  return out;
}

std::string by_field(const std::vector<CollectionField>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Field"},
                       {"Collections", Align::right},
                       {"Empty", Align::right},
                       {"Elements", Align::right},
                       {"Retained Heap", Align::right},
                       {"Wasted", Align::right},
                       {"Contents (Share of All of the Class)"}});
  for (const auto& row : rows) {
    table.row(
        {md_cell(row.field), grouped(row.collections), grouped(row.empty), grouped(row.elements),
         format_bytes(row.retained), format_bytes(row.wasted), contents(row.contents)},
        row.retained);
  }
  return std::string(kContentsOfFields) + "\n\n" + table.text(style);
}

std::string collections_text(const Collections& all, bool complete, MarkdownStyle style) {
  if (all.classes.empty()) {
    return as_far_as_read(complete,
                          "There are no collections of the classes that the rule file knows.\n");
  }
  std::string out = format_count(all.collections, "collection", "collections") + " with " +
                    format_count(all.elements, "element", "elements") +
                    (all.empty == 0 ? "" : ", " + grouped(all.empty) + " of them empty,") +
                    (all.collections == 1 ? " takes " : " take ") + format_bytes(all.shallow) +
                    " without their entries and contents. " + savings_line(all, complete) +
                    "\n### Collection Classes\n\n" + class_table(all.classes, style);
  if (const std::string uncounted = uncounted_text(all.classes); !uncounted.empty()) {
    out += "\n" + uncounted + "\n";
  }
  out += distributions(all.classes, style);
  if (!all.entries.empty()) {
    out += "\n### Entries\n\n" + entries(all.entries, style);
  }
  if (!all.biggest.empty()) {
    out += "\n### Biggest Collections\n\n" + biggest(all.biggest, style);
  }
  if (all.by_field) {
    out += "\n### Collections by Field\n\n" + by_field(*all.by_field, style);
  }
  return out;
}

}  // namespace

std::string md_collections(const Report& report, MarkdownStyle style) {
  const std::string collections =
      report.collections ? collections_text(*report.collections, report.complete, style) + "\n"
                         : "";
  return collections + (report.arrays ? arrays_text(*report.arrays, report.complete, style) : "");
}

}  // namespace hprof
