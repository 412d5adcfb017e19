#include "common/text.h"
#include "formats/damage_words.h"
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/report_words.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

Column<Overview> when_not_zero(Column<Overview> column) {
  column.value = [value = column.value](const Overview& overview) {
    auto out = value(overview);
    out.present = out.present && out.number != 0;
    return out;
  };
  return column;
}

/// The lines of `java -version` behind one another.
void jvm_version(const std::string& lines, HtmlBody& body) {
  for (std::size_t at = 0; at < lines.size();) {
    const auto end = std::min(lines.find('\n', at), lines.size());
    body.add(at == 0 ? "" : ", ");
    body.code(lines.substr(at, end - at));
    at = end + 1;
  }
}

void file_facts(const Place<Overview>& overview, HtmlBody& body) {
  body.facts(overview,
             {code("File", &Overview::file_path), bytes("File size", &Overview::file_size),
              code("Format", &Overview::format)});
  if (overview->dumps_in_file > 1) {
    body.facts(overview, {count("Heap of the file", &Overview::dump_number),
                          count("Heaps in the file", &Overview::dumps_in_file)});
  }
  body.facts(overview, {column(CellKind::time, "Taken at", &Overview::dump_creation_ms)});
  if (overview->jvm_version) {
    body.fact("JVM version", [&] { jvm_version(*overview->jvm_version, body); });
  }
  body.facts(overview, {count("Identifier size, bits", &Overview::identifier_size_bits),
                        text("Compressed references", &Overview::compressed_oops),
                        count("Object alignment, bytes", &Overview::object_alignment)});
}

std::string bound_words(const Caveats& caveats) {
  return caveats.has_lower_bounds() ? ", at least" : "";
}

/// How objects are laid out, and the used heap by the sizes that the report does not use.
void layout_facts(const Place<Overview>& overview, const std::string& bound, HtmlBody& body) {
  if (overview->heap_layout) {
    const auto layout = overview.sub(&Overview::heap_layout);
    body.fact("Object layout", [&] {
      body.text(concat(layout->compact_headers ? "compact headers" : "ordinary headers",
                       layout->given ? ", told" : ", inferred", ", confidence ",
                       layout->confidence));
    });
    body.facts(layout, {count("Header, bytes", &HeapLayout::header),
                        count("Of them for the class", &HeapLayout::class_pointer),
                        count("Reference, bytes", &HeapLayout::reference),
                        count("Array base, bytes", &HeapLayout::array_base),
                        count("Alignment, bytes", &HeapLayout::alignment)});
    body.fact("Gaps of super classes",
              [&] { body.text(layout->field_packing == "filled" ? "filled" : "left"); });
    body.facts(layout, {count("Classes that agree", &HeapLayout::classes_equal),
                        count("Classes that contradict", &HeapLayout::classes_smaller),
                        count("Classes that do not tell", &HeapLayout::classes_larger)});
  }
  if (const auto doubt = sizes_in_doubt(*overview)) {
    body.fact("Sizes in doubt", [&] { body.text(*doubt); });
  }
  if (overview->size_model != "hotspot") {
    body.facts(overview,
               {bytes("Used heap by the JVM's own sizes" + bound, &Overview::used_heap_hotspot)});
  }
  if (overview->size_model != "mat") {
    body.facts(overview, {bytes("Used heap by MAT's sizes" + bound, &Overview::used_heap_mat)});
  }
}

void android_facts(const Place<Overview>& overview, HtmlBody& body) {
  body.facts(overview,
             {count("GC roots left out", &Overview::roots_left_out),
              bytes("Outside the heap (NativeAllocationRegistry)", &Overview::native_bytes)});
  if (overview->mapping) {
    body.facts(overview.sub(&Overview::mapping),
               {code("Names given back from", &NameMapping::file),
                count("Classes given a name back", &NameMapping::classes),
                count("Fields given a name back", &NameMapping::fields_named)});
  }
}

void android_heaps(const Place<Overview>& overview, HtmlBody& body) {
  body.heading(3, "Android Heaps");
  body.table(overview.sub(&Overview::android_heaps),
             {code("Heap", &AndroidHeap::name), count("Objects", &AndroidHeap::objects),
              bar(bytes("Shallow Heap", &AndroidHeap::shallow)),
              count("Unreachable Objects", &AndroidHeap::unreachable_objects),
              bytes("Unreachable Bytes", &AndroidHeap::unreachable_shallow)});
}

/// The totals, with what they are worth where that is not plain.
void total_facts(const Place<Overview>& overview, const Caveats& caveats, HtmlBody& body) {
  const std::string bound = bound_words(caveats);
  body.facts(overview, {count("Total objects" + bound, &Overview::total_objects),
                        bytes("Total shallow heap" + bound, &Overview::total_shallow),
                        count("GC roots" + bound, &Overview::gc_roots),
                        count("Classes" + bound, &Overview::classes_loaded),
                        count("Class loaders" + bound, &Overview::classloaders_loaded),
                        bytes("Unreachable", &Overview::unreachable_shallow),
                        count("Unreachable objects", &Overview::unreachable_count)});
  if (caveats.any() && overview->unreachable_count != 0) {
    body.fact("These are",
              [&] { body.text(fate_of_unreached(caveats, overview->unreachable_count != 1)); });
  }
  body.facts(overview, {bytes("Reachable and unreachable" + bound, &Overview::all_shallow),
                        count("Objects, reachable or not" + bound, &Overview::all_objects)});
}

void heap_facts(const Place<Overview>& overview, const Caveats& caveats, HtmlBody& body) {
  total_facts(overview, caveats, body);
  body.fact("Shallow sizes", [&] { body.text(size_model_text(*overview)); });
  layout_facts(overview, bound_words(caveats), body);
  body.fact("GC root policy", [&] { body.text(root_policy_text(*overview)); });
  if (overview->reference_policy) {
    body.fact("References followed",
              [&] { body.text(followed_text(*overview->reference_policy)); });
  }
  android_facts(overview, body);
  body.facts(
      overview,
      {when_not_zero(
           count("References to missing objects (dropped)", &Overview::dangling_references)),
       when_not_zero(count("GC roots that are no objects (dropped)", &Overview::dangling_roots)),
       when_not_zero(count("Locals of missing threads (dropped)", &Overview::lost_locals)),
       when_not_zero(count("Records with an id seen before (dropped)", &Overview::duplicate_ids)),
       when_not_zero(count("Classes used but not described (faked)", &Overview::fake_classes))});
}

void coverage(const Place<Overview>& overview, const Caveats& caveats, HtmlBody& body) {
  const auto covered = overview.sub(&Overview::coverage);
  body.heading(3, "Coverage");
  body.note(concat(damaged_words(caveats), ": ",
                   worth_of_damaged(caveats.root_policy != "fallback"), "."));
  body.begin_facts();
  body.facts(covered, {bytes("Bytes used", &Coverage::bytes_used), bytes("Of", &Coverage::bytes),
                       bytes("Of other dumps", &Coverage::bytes_of_others),
                       count("Heap records used", &Coverage::heap_records_used),
                       count("Damaged places", &Coverage::places)});
  body.end_facts();
  body.table(
      covered.sub(&Coverage::damage),
      {code("Damage", &DamageRow::kind), column(CellKind::tag, "At Byte", &DamageRow::position),
       bytes("Bytes Lost", &DamageRow::lost), text("What", &DamageRow::what)});
}

void roots_by_type(const Place<Overview>& overview, HtmlBody& body) {
  body.heading(3, "GC Roots by Type");
  body.table(overview.sub(&Overview::gc_roots_by_type),
             {code("Kind", &RootTypeRow::root_type), count("Roots", &RootTypeRow::count),
              bar(bytes("Retained Heap", &RootTypeRow::retained))});
  if (overview->held_by_several_roots) {
    body.begin_facts();
    body.facts(overview, {bytes("Held by several roots together, in no row",
                                &Overview::held_by_several_roots)});
    body.end_facts();
  }
}

void record_census(const Place<Overview>& overview, HtmlBody& body) {
  body.heading(3, "Record Census");
  body.table(overview.sub(&Overview::record_census),
             {code("Record", &CensusRow::record), column(CellKind::tag, "Tag", &CensusRow::tag),
              count("Count", &CensusRow::count), bar(bytes("Bytes", &CensusRow::bytes))});
}

void histogram(const Place<Overview>& overview, HtmlBody& body) {
  auto largest = bytes("Largest", &HistogramRow::max_instance_shallow);
  largest.value = [value = largest.value](const HistogramRow& row) {
    return row.instances == 0 ? CellValue{} : value(row);
  };
  body.heading(3, "Class Histogram");
  std::vector<Column<HistogramRow>> columns{class_name("Class", &HistogramRow::class_address),
                                            count("Instances", &HistogramRow::instances),
                                            bytes("Shallow Heap", &HistogramRow::shallow), largest,
                                            bar(bytes("Retained Heap", &HistogramRow::retained))};
  if (overview->native_bytes) {
    columns.push_back(bytes("Native", &HistogramRow::native));
  }
  columns.push_back(
      object("Class Loader", &HistogramRow::loader_label, &HistogramRow::loader_address));
  body.table(overview.sub(&Overview::histogram), columns, true, "class");
}

void class_loaders(const Place<Overview>& overview, HtmlBody& body) {
  body.heading(3, "Class Loaders");
  body.note(kComponentHeapNote);
  body.table(overview.sub(&Overview::class_loaders),
             {object("Class Loader", &ClassLoaderRow::label, &ClassLoaderRow::address),
              code("Name", &ClassLoaderRow::name),
              object("Parent", &ClassLoaderRow::parent_label, &ClassLoaderRow::parent_address),
              count("Classes", &ClassLoaderRow::classes),
              count("Duplicates", &ClassLoaderRow::duplicate_classes),
              count("Instances", &ClassLoaderRow::instances),
              bytes("Shallow Heap", &ClassLoaderRow::shallow),
              bar(bytes("Component Heap", &ClassLoaderRow::retained)),
              share("Share", &ClassLoaderRow::retained_bp)});
}

void duplicate_classes(const Place<Overview>& overview, HtmlBody& body) {
  body.heading(3, "Duplicate Classes");
  body.begin_facts();
  body.facts(overview, {count("Names that more than one class loader has defined",
                              &Overview::duplicate_class_names)});
  body.end_facts();
  body.table(
      overview.sub(&Overview::duplicate_classes),
      {code("Class", &DuplicateClass::class_name), bar(count("Loaders", &DuplicateClass::count)),
       count("Instances", &DuplicateClass::instances),
       bytes("Shallow Heap", &DuplicateClass::shallow),
       list("Class Loaders", &DuplicateClass::loaders, &LoaderName::label)});
}

}  // namespace

void html_composition(const Place<std::vector<CompositionRow>>& rows, HtmlBody& body) {
  body.table(rows, {text("Kind", &CompositionRow::kind), count("Objects", &CompositionRow::objects),
                    bar(bytes("Shallow Heap", &CompositionRow::shallow))});
}

void html_overview(const Place<Report>& report, HtmlBody& body) {
  const auto overview = report.sub(&Report::overview);
  const auto caveats = caveats_of(*report);
  body.heading(3, "Heap Summary");
  body.begin_facts();
  file_facts(overview, body);
  heap_facts(overview, caveats, body);
  body.end_facts();
  if (overview->coverage) {
    coverage(overview, caveats, body);
  }
  if (overview->android_heaps) {
    android_heaps(overview, body);
  }
  histogram(overview, body);
  body.heading(3, "Heap Composition");
  html_composition(overview.sub(&Overview::heap_composition), body);
  roots_by_type(overview, body);
  if (overview->class_loaders) {
    class_loaders(overview, body);
  }
  if (overview->duplicate_classes && !overview->duplicate_classes->empty()) {
    duplicate_classes(overview, body);
  }
  html_jvm(overview, body);
  record_census(overview, body);
}

}  // namespace hprof
