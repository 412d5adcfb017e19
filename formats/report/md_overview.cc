#include "common/text.h"
#include "formats/damage_words.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/report_words.h"
#include "formats/report/units.h"

#include <algorithm>
#include <map>

namespace hprof {
namespace {

constexpr std::size_t kHistogramRows = 50;

std::string layout_text(const HeapLayout& layout) {
  const std::string header = layout.compact_headers ? "compact headers of " : "headers of ";
  const std::string class_pointer =
      layout.class_pointer ? " (" + grouped(*layout.class_pointer) + " of them name the class)"
                           : "";
  return header + format_count(layout.header, "byte", "bytes") + class_pointer +
         ", references of " + grouped(layout.reference) + ", arrays from " +
         grouped(layout.array_base) + ", aligned to " + grouped(layout.alignment) +
         ", gaps of super classes " + (layout.field_packing == "filled" ? "filled" : "left") +
         (layout.given ? " (told" : " (inferred") + ", confidence " + md_text(layout.confidence) +
         ": " + format_count(layout.classes_equal, "class agrees, ", "classes agree, ") +
         format_count(layout.classes_smaller, "contradicts, ", "contradict, ") +
         format_count(layout.classes_larger, "does not tell)", "do not tell)");
}

std::string mapping_text(const NameMapping& mapping) {
  return "of " + format_count(mapping.classes, "class", "classes") + " and " +
         format_count(mapping.fields_named, "field", "fields") + " from " + md_cell(mapping.file);
}

std::string android_heaps(const Overview& overview, MarkdownStyle style) {
  if (!overview.android_heaps) {
    return "";
  }
  MarkdownTable table({{"Heap"},
                       {"Objects", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Unreachable Objects", Align::right},
                       {"Unreachable Bytes", Align::right}});
  for (const auto& row : *overview.android_heaps) {
    table.row({md_cell(row.name), grouped(row.objects), format_bytes(row.shallow),
               grouped(row.unreachable_objects), format_bytes(row.unreachable_shallow)},
              row.shallow);
  }
  return "\n### Android Heaps\n\n" + table.text(style);
}

std::string bound_words(const Report& report) {
  return caveats_of(report).has_lower_bounds() ? "at least " : "";
}

/// The layout of objects, and the used heap by the sizes that the report does not use.
void layout_rows(const Report& report, MarkdownTable& table) {
  const auto& overview = report.overview;
  const std::string bound = bound_words(report);
  if (overview.heap_layout) {
    table.row({"Object layout", layout_text(*overview.heap_layout)});
  }
  if (const auto doubt = sizes_in_doubt(overview)) {
    table.row({"Sizes in doubt", md_text(*doubt)});
  }
  if (overview.used_heap_hotspot && overview.size_model != "hotspot") {
    table.row(
        {"Used heap by the JVM's own sizes", bound + format_bytes(*overview.used_heap_hotspot)});
  }
  if (overview.used_heap_mat && overview.size_model != "mat") {
    table.row({"Used heap by MAT's sizes", bound + format_bytes(*overview.used_heap_mat)});
  }
}

std::string heap_number(const Overview& overview) {
  return grouped(overview.dump_number) + " of " + grouped(overview.dumps_in_file) + " in the file";
}

void dropped_rows(const Overview& overview, MarkdownTable& table) {
  const auto row = [&](const char* title, std::uint64_t count) {
    if (count != 0) {
      table.row({title, grouped(count)});
    }
  };
  row("References to missing objects (dropped)", overview.dangling_references);
  row("GC roots that are no objects (dropped)", overview.dangling_roots);
  row("Locals of missing threads (dropped)", overview.lost_locals);
  row("Records with an id seen before (dropped)", overview.duplicate_ids);
  row("Classes used but not described (faked)", overview.fake_classes);
}

std::string coverage(const Report& report) {
  const auto& overview = report.overview;
  if (!overview.coverage) {
    return "";
  }
  const auto& covered = *overview.coverage;
  MarkdownTable table(
      {{"Damage"}, {"At Byte", Align::right}, {"Bytes Lost", Align::right}, {"What"}});
  for (const auto& row : covered.damage) {
    table.row(
        {md_cell(row.kind), hex_address(row.position), format_bytes(row.lost), md_text(row.what)});
  }
  return "\n### Coverage\n\n" + damaged_words(caveats_of(report)) + ": " +
         format_bytes(covered.bytes_used) + " of " + format_bytes(covered.bytes) + " are used, " +
         format_count(covered.heap_records_used, "heap record", "heap records") +
         (covered.bytes_of_others ? ", and " + format_bytes(*covered.bytes_of_others) +
                                        " are of other dumps in the file"
                                  : "") +
         (covered.ends_early.value_or(false) ? "; what the file lacks is not counted" : "") + "; " +
         std::string(worth_of_damaged(overview.root_policy != "fallback")) + ". " +
         format_count(covered.places, "place is", "places are") + " damaged" +
         (covered.places > covered.damage.size() ? ", the first ones:\n\n" : ":\n\n") +
         table.text();
}

/// Its lines as names behind one another.
std::string jvm_version(const std::string& lines) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const auto end = std::min(lines.find('\n', at), lines.size());
    out += (out.empty() ? "" : ", ") + md_cell(lines.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

void total_rows(const Report& report, MarkdownTable& table) {
  const auto& overview = report.overview;
  const std::string bound = bound_words(report);
  table.row({"Total objects", bound + grouped(overview.total_objects)});
  table.row({"Total shallow heap", bound + format_bytes(overview.total_shallow)});
  table.row({"GC roots", bound + grouped(overview.gc_roots)});
  table.row({"Classes", bound + grouped(overview.classes_loaded)});
  table.row({"Class loaders", bound + grouped(overview.classloaders_loaded)});
  table.row({"Unreachable", unreachable_text(report)});
  table.row(
      {"Reachable and unreachable", bound + format_bytes(overview.all_shallow) + " in " +
                                        format_count(overview.all_objects, "object", "objects")});
}

std::string heap_summary(const Report& report) {
  const auto& overview = report.overview;
  MarkdownTable table({{"Property"}, {"Value"}});
  table.row({"File", md_cell(overview.file_path)});
  table.row({"File size", format_bytes(overview.file_size)});
  table.row({"Format", md_cell(overview.format)});
  if (overview.dumps_in_file > 1) {
    table.row({"Heap", heap_number(overview)});
  }
  table.row({"Taken at", format_time(overview.dump_creation_ms)});
  if (overview.jvm_version) {
    table.row({"JVM version", jvm_version(*overview.jvm_version)});
  }
  table.row({"Identifier size", std::to_string(overview.identifier_size_bits) + " bits"});
  table.row({"Compressed references", overview.compressed_oops ? "yes" : "no"});
  table.row({"Object alignment", format_count(overview.object_alignment, "byte", "bytes")});
  total_rows(report, table);
  table.row({"Shallow sizes", md_text(size_model_text(overview))});
  layout_rows(report, table);
  if (overview.native_bytes) {
    table.row({"Outside the heap (NativeAllocationRegistry)",
               bound_words(report) + format_bytes(*overview.native_bytes)});
  }
  if (overview.mapping) {
    table.row({"Names given back", mapping_text(*overview.mapping)});
  }
  table.row({"GC root policy", root_policy_text(overview)});
  if (overview.reference_policy) {
    table.row({"References followed", md_text(followed_text(*overview.reference_policy))});
  }
  dropped_rows(overview, table);
  return table.text() + coverage(report);
}

std::string roots_by_type(const Overview& overview, MarkdownStyle style) {
  MarkdownTable table({{"Kind"}, {"Roots", Align::right}, {"Retained Heap", Align::right}});
  for (const auto& row : overview.gc_roots_by_type) {
    table.row({md_cell(row.root_type), grouped(row.count), format_bytes(row.retained)},
              row.retained);
  }
  if (overview.held_by_several_roots) {
    table.row({"several roots together", "", format_bytes(*overview.held_by_several_roots)},
              *overview.held_by_several_roots);
  }
  return table.text(style);
}

std::string record_census(const Overview& overview, MarkdownStyle style) {
  MarkdownTable table(
      {{"Record"}, {"Tag", Align::right}, {"Count", Align::right}, {"Bytes", Align::right}});
  for (const auto& row : overview.record_census) {
    table.row({md_cell(row.record), hex_address(row.tag), grouped(row.count),
               row.bytes ? format_bytes(*row.bytes) : ""},
              row.bytes);
  }
  return table.text(style);
}

/// How many rows of the whole histogram have each of the names that are shown.
std::map<std::string_view, unsigned> name_uses(const std::vector<HistogramRow>& histogram,
                                               std::size_t shown) {
  std::map<std::string_view, unsigned> uses;
  for (std::size_t i = 0; i < shown; ++i) {
    uses[histogram[i].class_name] = 0;
  }
  for (const auto& row : histogram) {
    const auto found = uses.find(row.class_name);
    if (found != uses.end()) {
      ++found->second;
    }
  }
  return uses;
}

std::string histogram(const Overview& overview, MarkdownStyle style) {
  const auto& rows = overview.histogram;
  const std::size_t shown = std::min(rows.size(), kHistogramRows);
  const auto uses = name_uses(rows, shown);
  const bool native = overview.native_bytes.has_value();
  std::vector<MarkdownTable::Column> columns{
      {"#", Align::right},         {"Class"},
      {"Instances", Align::right}, {"Shallow Heap", Align::right},
      {"Largest", Align::right},   {"Retained Heap", Align::right}};
  if (native) {
    columns.push_back({"Native", Align::right});
  }
  MarkdownTable table(columns);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = rows[i];
    const bool ambiguous = uses.at(row.class_name) > 1;
    std::vector<std::string> cells{
        std::to_string(i + 1),
        md_cell(row.class_name) + (ambiguous ? " by " + md_cell(row.loader_label) : ""),
        grouped(row.instances),
        format_bytes(row.shallow),
        row.instances == 0 ? "" : format_bytes(row.max_instance_shallow),
        format_bytes(row.retained)};
    if (native) {
      cells.push_back(row.native ? format_bytes(*row.native) : "");
    }
    table.row(std::move(cells), row.retained);
  }
  std::string out = table.text(style);
  if (rows.size() > shown) {
    out += "\n" + format_count(rows.size() - shown, "further class is", "further classes are") +
           " in the JSON.\n";
  }
  return out;
}

}  // namespace

std::string md_composition(const std::vector<CompositionRow>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Kind"}, {"Objects", Align::right}, {"Shallow Heap", Align::right}});
  for (const auto& row : rows) {
    table.row({md_text(row.kind), grouped(row.objects), format_bytes(row.shallow)}, row.shallow);
  }
  return table.text(style);
}

std::string md_overview(const Report& report, MarkdownStyle style) {
  const auto& overview = report.overview;
  return "### Heap Summary\n\n" + heap_summary(report) +                                    //
         "\n### GC Roots by Type\n\n" + roots_by_type(overview, style) +                    //
         "\n### Heap Composition\n\n" + md_composition(overview.heap_composition, style) +  //
         android_heaps(overview, style) +                                                   //
         "\n### Record Census\n\n" + record_census(overview, style) +                       //
         "\n### Class Histogram\n\n" + histogram(overview, style) +                         //
         md_class_loaders(overview, style) + md_jvm(overview, style);
}

}  // namespace hprof
