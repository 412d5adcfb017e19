#include "common/concat.h"
#include "common/text.h"
#include "formats/report/derived.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kLoaderRows = 20;
constexpr std::size_t kDuplicateRows = 20;
constexpr std::size_t kNamedLoaders = 3;

std::string further(std::uint64_t rows, const char* singular, const char* plural) {
  return rows == 0 ? "" : "\n" + format_count(rows, singular, plural) + "\n";
}

std::string label_with_name(const ClassLoaderRow& row) {
  return md_cell(row.label) + (row.name ? " named " + md_cell(*row.name) : "");
}

std::string loaders(const Overview& overview, MarkdownStyle style) {
  MarkdownTable table({{"Class Loader"},
                       {"Parent"},
                       {"Classes", Align::right},
                       {"Duplicates", Align::right},
                       {"Instances", Align::right},
                       {"Component Heap", Align::right},
                       {"Share", Align::right}});
  const auto& rows = *overview.class_loaders;
  const std::size_t shown = std::min(rows.size(), kLoaderRows);
  for (std::size_t i = 0; i < shown; ++i) {
    table.row(
        {label_with_name(rows[i]), rows[i].parent_label ? md_cell(*rows[i].parent_label) : "",
         grouped(rows[i].classes), grouped(rows[i].duplicate_classes), grouped(rows[i].instances),
         format_bytes(rows[i].retained), format_share(rows[i].retained_bp)},
        rows[i].retained);
  }
  return table.text(style) + further(rows.size() - shown, "further class loader is in the JSON.",
                                     "further class loaders are in the JSON.");
}

std::string first_loaders(const DuplicateClass& row) {
  std::string out;
  const std::size_t shown = std::min(row.loaders.size(), kNamedLoaders);
  for (std::size_t i = 0; i < shown; ++i) {
    out += (i == 0 ? "" : ", ") + md_cell(row.loaders[i].label);
  }
  return out + (row.count > shown ? ", …" : "");
}

std::string duplicates(const Overview& overview, MarkdownStyle style) {
  MarkdownTable table({{"Class"},
                       {"Loaders", Align::right},
                       {"Instances", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Class Loaders"}});
  const auto& rows = *overview.duplicate_classes;
  const std::size_t shown = std::min(rows.size(), kDuplicateRows);
  for (std::size_t i = 0; i < shown; ++i) {
    table.row({md_cell(rows[i].class_name), grouped(rows[i].count), grouped(rows[i].instances),
               format_bytes(rows[i].shallow), first_loaders(rows[i])},
              rows[i].count);
  }
  return table.text(style) + further(rows.size() - shown, "further name is in the JSON.",
                                     "further names are in the JSON.");
}

}  // namespace

std::string md_class_loaders(const Overview& overview, MarkdownStyle style) {
  std::string out;
  if (overview.class_loaders) {
    out += concat("\n### Class Loaders\n\n", kComponentHeapNote, "\n\n") + loaders(overview, style);
  }
  if (overview.duplicate_classes && !overview.duplicate_classes->empty()) {
    out += "\n### Duplicate Classes\n\n" +
           format_count(overview.duplicate_class_names.value_or(0), "name has", "names have") +
           " been defined by more than one class loader.\n\n" + duplicates(overview, style);
  }
  return out;
}

}  // namespace hprof
