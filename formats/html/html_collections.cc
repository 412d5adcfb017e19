#include "common/text.h"
#include "formats/html/html_parts.h"
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/report_words.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

template <typename Row, typename T>
Column<Row> filled(std::string title, T Row::*most_bp, bool full_is_apart) {
  auto out = column(CellKind::fill, std::move(title), most_bp);
  out.info.more = full_is_apart ? "apart" : "";
  return out;
}

void lengths(const Place<Arrays>& arrays, HtmlBody& body) {
  body.heading(3, "Arrays by Length");
  std::vector<ChartBar> bars;
  bars.reserve(arrays->lengths.size());
  for (const auto& row : arrays->lengths) {
    bars.push_back({row.object_shallow + row.primitive_shallow,
                    range_text(row.least, row.most) +
                        " elements: " + format_bytes(row.object_shallow + row.primitive_shallow)});
  }
  if (!arrays->lengths.empty()) {
    html_chart("Bytes of arrays by length", bars,
               grouped(arrays->lengths.front().least) + " elements",
               range_text(arrays->lengths.back().least, arrays->lengths.back().most), body);
  }
  body.begin_facts();
  body.facts(arrays, {count("Object arrays", &Arrays::object_arrays),
                      bytes("Their shallow heap", &Arrays::object_shallow),
                      count("Primitive arrays", &Arrays::primitive_arrays),
                      bytes("Their shallow heap", &Arrays::primitive_shallow),
                      count("Arrays without elements", &Arrays::zero_length),
                      bytes("They take", &Arrays::zero_length_shallow)});
  body.end_facts();
  body.table(arrays.sub(&Arrays::lengths),
             {range("Elements", &ArrayLengthRow::least, &ArrayLengthRow::most),
              count("Object Arrays", &ArrayLengthRow::object_arrays),
              bar(bytes("Their Bytes", &ArrayLengthRow::object_shallow)),
              count("Primitive Arrays", &ArrayLengthRow::primitive_arrays),
              bar(bytes("Their Bytes", &ArrayLengthRow::primitive_shallow))});
  if (!arrays->zero_length_classes.empty()) {
    body.heading(4, "Arrays without Elements");
    body.table(arrays.sub(&Arrays::zero_length_classes),
               {class_name("Class", &ArrayClassRow::class_address),
                count("Arrays", &ArrayClassRow::arrays),
                bar(bytes("Shallow Heap", &ArrayClassRow::shallow))});
  }
}

void constants(const Place<Arrays>& arrays, bool complete, HtmlBody& body) {
  body.heading(3, "Constant Arrays");
  if (arrays->constant->empty()) {
    body.note(as_far_as_read(complete,
                             "No primitive array of two elements or more has all of them equal."));
    return;
  }
  body.table(arrays.sub(&Arrays::constant), {code("Class", &ConstantArrays::class_name),
                                             count("All Elements Equal", &ConstantArrays::arrays),
                                             bar(bytes("Their Bytes", &ConstantArrays::shallow)),
                                             count("All Zero", &ConstantArrays::zero_arrays),
                                             bytes("Their Bytes", &ConstantArrays::zero_shallow)});
}

void array_rows(std::string_view title, const Place<std::vector<ArrayRow>>& rows, HtmlBody& body) {
  if (!rows->empty()) {
    body.heading(3, title);
    body.table(
        rows, {object("Array", &ArrayRow::label, &ArrayRow::address),
               count("Elements", &ArrayRow::length), bar(bytes("Shallow Heap", &ArrayRow::shallow)),
               bytes("Retained Heap", &ArrayRow::retained)});
  }
}

void arrays_part(const Place<Arrays>& arrays, bool complete, HtmlBody& body) {
  lengths(arrays, body);
  if (arrays->fill && !arrays->fill->empty()) {
    body.heading(3, "Object Arrays by Fill");
    body.table(arrays.sub(&Arrays::fill),
               {filled("Slots in Use", &ArrayFillRow::most_bp, true),
                count("Object Arrays", &ArrayFillRow::arrays), count("Slots", &ArrayFillRow::slots),
                count("In Use", &ArrayFillRow::used_slots), bytes("Bytes", &ArrayFillRow::shallow),
                bar(bytes("Unused Bytes", &ArrayFillRow::unused_bytes))});
  }
  if (arrays->constant) {
    constants(arrays, complete, body);
  }
  array_rows("Biggest Arrays", arrays.sub(&Arrays::biggest), body);
  if (arrays->biggest_constant) {
    array_rows("Biggest Constant Arrays", arrays.sub(&Arrays::biggest_constant), body);
  }
}

void totals(const Place<Collections>& all, HtmlBody& body) {
  body.begin_facts();
  body.facts(all, {count("Collections", &Collections::collections),
                   count("Elements", &Collections::elements),
                   count("Empty collections", &Collections::empty),
                   bytes("Without entries and contents they take", &Collections::shallow)});
  body.facts(
      all.sub(&Collections::savings),
      {bytes("You can save about", &CollectionSavings::total),
       share("Share of the used heap", &CollectionSavings::total_bp),
       count("Arrays of empty collections", &CollectionSavings::empty_arrays),
       bytes("They take", &CollectionSavings::empty_bytes),
       count("Arrays longer than their elements need", &CollectionSavings::over_capacity_arrays),
       bytes("Too long by", &CollectionSavings::over_capacity_bytes)});
  body.end_facts();
}

void class_table(const Place<Collections>& all, HtmlBody& body) {
  body.heading(3, "Collection Classes");
  body.table(
      all.sub(&Collections::classes),
      {class_name("Class", &CollectionClass::class_address), text("Kind", &CollectionClass::kind),
       count("Collections", &CollectionClass::collections), count("Empty", &CollectionClass::empty),
       count("Elements", &CollectionClass::elements), count("Largest", &CollectionClass::largest),
       bar(bytes("Objects", &CollectionClass::shallow)),
       bar(bytes("Arrays", &CollectionClass::array_shallow)),
       share("Collisions", &CollectionClass::collision_bp),
       bytes("Wasted, Empty", &CollectionClass::wasted_empty),
       bytes("Wasted, Capacity", &CollectionClass::wasted_capacity)});
  if (const std::string uncounted = uncounted_text(all->classes); !uncounted.empty()) {
    body.paragraph({{.text = uncounted}});
  }
}

/// What the figures of the table before rest on.
void arrays_of_classes(const Place<Collections>& all, HtmlBody& body) {
  body.add("<details><summary>Their arrays</summary>\n");
  body.table(all.sub(&Collections::classes),
             {class_name("Class", &CollectionClass::class_address),
              count("Size Not Known", &CollectionClass::unknown_size),
              count("Arrays", &CollectionClass::arrays), count("Slots", &CollectionClass::slots),
              count("Elements in Buckets", &CollectionClass::bucket_entries),
              count("Buckets in Use", &CollectionClass::used_buckets),
              count("Empty, with an Array", &CollectionClass::empty_with_array),
              count("Arrays Too Long", &CollectionClass::over_capacity)});
  body.add("</details>\n");
}

void distributions(const std::vector<CollectionClass>& classes, HtmlBody& body) {
  const auto sizes = sizes_of_all(classes);
  body.heading(3, "Collections by Size");
  body.table(Place(sizes), {range("Elements", &CollectionSizeRow::least, &CollectionSizeRow::most),
                            bar(count("Collections", &CollectionSizeRow::collections))});
  const auto fills = fill_of_all(classes);
  if (!fills.empty()) {
    body.heading(3, "Collections by Fill");
    body.table(Place(fills), {filled("Fill", &CollectionFillRow::most_bp, false),
                              bar(count("Collections", &CollectionFillRow::collections))});
  }
}

Column<BigCollection> owner(Column<CollectionOwner> inner) {
  return within(&BigCollection::owner, std::move(inner));
}

void biggest(const Place<Collections>& all, HtmlBody& body) {
  body.heading(3, "Biggest Collections");
  body.table(
      all.sub(&Collections::biggest),
      {object("Collection", &BigCollection::label, &BigCollection::address),
       text("Kind", &BigCollection::kind), count("Elements", &BigCollection::size),
       bytes("Shallow Heap", &BigCollection::shallow),
       bar(bytes("Retained Heap", &BigCollection::retained)),
       share("Share", &BigCollection::retained_bp), owner(code("Held by", &CollectionOwner::field)),
       owner(address("At", &CollectionOwner::address)),
       owner(text("Nested", &CollectionOwner::nested))});
}

void by_field(const Place<Collections>& all, HtmlBody& body) {
  body.heading(3, "Collections by Field");
  body.note(kContentsOfFields);
  body.table(
      all.sub(&Collections::by_field),
      {code("Field", &CollectionField::field), count("Collections", &CollectionField::collections),
       count("Empty", &CollectionField::empty), count("Elements", &CollectionField::elements),
       bar(bytes("Retained Heap", &CollectionField::retained)),
       share("Share", &CollectionField::retained_bp), bytes("Wasted", &CollectionField::wasted),
       list("Contents (Share of All of the Class)", &CollectionField::contents,
            &HeldContent::class_name, &HeldContent::objects, &HeldContent::share_bp)});
}

void collections_part(const Place<Collections>& all, bool complete, HtmlBody& body) {
  if (all->classes.empty()) {
    body.note(as_far_as_read(complete,
                             "There are no collections of the classes that the rule file knows."));
    return;
  }
  totals(all, body);
  class_table(all, body);
  arrays_of_classes(all, body);
  distributions(all->classes, body);
  if (!all->biggest.empty()) {
    biggest(all, body);
  }
  if (all->by_field) {
    by_field(all, body);
  }
  if (!all->entries.empty()) {
    body.heading(3, "Entries");
    body.table(all.sub(&Collections::entries),
               {class_name("Entry Class", &CollectionEntries::class_address),
                count("Objects", &CollectionEntries::objects),
                bar(bytes("Bytes", &CollectionEntries::shallow))});
  }
}

}  // namespace

void html_collections(const Place<Report>& report, HtmlBody& body) {
  if (report->collections) {
    collections_part(report.sub(&Report::collections), report->complete, body);
  }
  if (report->arrays) {
    arrays_part(report.sub(&Report::arrays), report->complete, body);
  }
}

}  // namespace hprof
