#include "common/text.h"
#include "formats/html/html_parts.h"
#include "formats/html/html_report.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

void totals(const Place<Strings>& strings, HtmlBody& body) {
  body.begin_facts();
  body.facts(strings,
             {count("Strings", &Strings::instances), bytes("Their shallow heap", &Strings::shallow),
              count("Their arrays", &Strings::arrays),
              bytes("Shallow heap of the arrays", &Strings::array_shallow),
              count("Strings that share an array with another", &Strings::sharing_array),
              count("Strings without an array", &Strings::without_array)});
  body.end_facts();
}

void savings(const Place<DuplicateSavings>& savings, bool complete, HtmlBody& body) {
  if (savings->total == 0) {
    body.note(as_far_as_read(complete, "Nothing is there twice."));
    return;
  }
  body.heading(3, "What Can Be Saved");
  body.begin_facts();
  body.facts(savings,
             {bytes("You can save about", &DuplicateSavings::total),
              share("Share of the used heap", &DuplicateSavings::total_bp),
              bytes("By giving equal Strings one array", &DuplicateSavings::string_arrays),
              bytes("By making them one String", &DuplicateSavings::string_objects),
              bytes("By keeping one of other equal arrays", &DuplicateSavings::other_arrays),
              bytes("By keeping one of equal boxed numbers", &DuplicateSavings::boxed_numbers)});
  body.end_facts();
}

void duplicate_table(const Place<StringDuplicates>& duplicates, HtmlBody& body) {
  std::vector<Column<DuplicateStringRow>> columns{
      code("Hash", &DuplicateStringRow::hash),
      address("Example", &DuplicateStringRow::address),
      count("Length", &DuplicateStringRow::length),
      count("Strings", &DuplicateStringRow::strings),
      count("Arrays", &DuplicateStringRow::arrays),
      bytes("Deduplication Saves", &DuplicateStringRow::deduplication_saves),
      bar(bytes("Interning Saves", &DuplicateStringRow::interning_saves)),
      list("Held By", &DuplicateStringRow::holders, &TextHolder::holder, &TextHolder::references)};
  const bool has_texts = std::any_of(duplicates->top.begin(), duplicates->top.end(),
                                     [](const auto& row) { return row.text.has_value(); });
  if (has_texts) {
    columns.insert(columns.begin(), code("Text", &DuplicateStringRow::text));
  }
  body.table(duplicates.sub(&StringDuplicates::top), columns);
}

void string_duplicates(const Place<StringDuplicates>& duplicates, HtmlBody& body) {
  body.heading(3, "Equal Strings");
  body.begin_facts();
  body.facts(duplicates, {count("Texts", &StringDuplicates::values),
                          count("There more than once", &StringDuplicates::duplicated_values),
                          count("Surplus Strings", &StringDuplicates::surplus_strings),
                          bytes("They take", &StringDuplicates::surplus_string_shallow),
                          count("Surplus arrays", &StringDuplicates::surplus_arrays),
                          bytes("They take", &StringDuplicates::surplus_array_shallow)});
  body.end_facts();
  body.note("String deduplication by the JVM saves the arrays, interning saves both.");
  if (!duplicates->top.empty()) {
    duplicate_table(duplicates, body);
  }
}

void holders(const Place<std::vector<TextHolder>>& rows, HtmlBody& body) {
  if (!rows->empty()) {
    body.heading(3, "Who Holds Strings");
    body.table(rows,
               {code("Field", &TextHolder::holder), count("References", &TextHolder::references),
                count("Held Alone", &TextHolder::held_alone),
                bar(bytes("Retained Heap", &TextHolder::retained))});
  }
}

void lengths(const Place<std::vector<StringLengthRow>>& rows, HtmlBody& body) {
  if (rows->empty()) {
    return;
  }
  std::vector<ChartBar> bars;
  bars.reserve(rows->size());
  for (const auto& row : *rows) {
    bars.push_back({row.strings, range_text(row.at_least, row.at_most) + " elements: " +
                                     format_count(row.strings, "String", "Strings") + ", " +
                                     format_bytes(row.array_shallow)});
  }
  body.heading(3, "Strings by Length");
  html_chart("Strings by the length of their arrays", bars, grouped(rows->front().at_least),
             range_text(rows->back().at_least, rows->back().at_most), body);
  body.table(
      rows, {range("Array Length", &StringLengthRow::at_least, &StringLengthRow::at_most),
             count("Strings", &StringLengthRow::strings), count("Arrays", &StringLengthRow::arrays),
             bar(bytes("Shallow Heap", &StringLengthRow::array_shallow))});
}

void longest(const Place<std::vector<LongString>>& rows, HtmlBody& body) {
  if (!rows->empty()) {
    body.heading(3, "Longest Strings");
    body.table(rows, {address("String", &LongString::address),
                      address("Array", &LongString::array_address),
                      count("Array Length", &LongString::length),
                      bar(bytes("Array Bytes", &LongString::array_shallow))});
  }
}

void slices(const Place<SlicedArrays>& slices, HtmlBody& body) {
  body.heading(3, "Arrays That Substrings Keep");
  body.begin_facts();
  body.facts(slices, {count("Arrays with elements that no String uses", &SlicedArrays::arrays),
                      bytes("These elements take", &SlicedArrays::wasted)});
  body.end_facts();
  if (!slices->top.empty()) {
    body.table(
        slices.sub(&SlicedArrays::top),
        {address("Array", &SlicedArrayRow::address), count("Array Length", &SlicedArrayRow::length),
         count("Strings", &SlicedArrayRow::strings), count("Longest", &SlicedArrayRow::longest),
         bar(bytes("Wasted", &SlicedArrayRow::wasted))});
  }
}

void loose_arrays(const Place<std::vector<LooseArrayRow>>& rows, HtmlBody& body) {
  if (!rows->empty()) {
    body.heading(3, "Arrays under No String");
    body.table(rows,
               {code("Class", &LooseArrayRow::class_name), count("Arrays", &LooseArrayRow::arrays),
                bar(bytes("Shallow Heap", &LooseArrayRow::shallow))});
  }
}

void verification(const Place<ArrayDuplicates>& duplicates, HtmlBody& body) {
  body.begin_facts();
  body.facts(duplicates,
             {count("Surplus arrays under no String", &ArrayDuplicates::loose_surplus_arrays),
              bytes("They take", &ArrayDuplicates::loose_surplus_shallow),
              count("Verified byte by byte", &ArrayDuplicates::compared_by_bytes),
              count("Verified by further hashes of 128 bits", &ArrayDuplicates::compared_by_digest),
              count("Equal hashes that turned out to differ", &ArrayDuplicates::hash_collisions),
              count("Arrays of which the dump leaves out the elements",
                    &ArrayDuplicates::without_content)});
  body.end_facts();
}

void array_duplicates(const Place<ArrayDuplicates>& duplicates, HtmlBody& body) {
  body.heading(3, "Equal Primitive Arrays");
  body.table(
      duplicates.sub(&ArrayDuplicates::by_class),
      {code("Class", &ArrayContentRow::class_name), count("Arrays", &ArrayContentRow::arrays),
       bytes("Shallow Heap", &ArrayContentRow::shallow),
       count("Contents", &ArrayContentRow::contents),
       count("Duplicated", &ArrayContentRow::duplicated_contents),
       count("Surplus", &ArrayContentRow::surplus_arrays),
       bar(bytes("Surplus Bytes", &ArrayContentRow::surplus_shallow))});
  verification(duplicates, body);
  if (!duplicates->top.empty()) {
    body.note("Without those under Strings:");
    body.table(
        duplicates.sub(&ArrayDuplicates::top),
        {code("Hash", &DuplicateArrayRow::hash), code("Class", &DuplicateArrayRow::class_name),
         address("Example", &DuplicateArrayRow::address),
         count("Length", &DuplicateArrayRow::length), count("Arrays", &DuplicateArrayRow::arrays),
         bar(bytes("Saves", &DuplicateArrayRow::saves)),
         list("Held By", &DuplicateArrayRow::holders, &TextHolder::holder,
              &TextHolder::references)});
  }
}

void boxes(const Place<std::vector<BoxRow>>& rows, HtmlBody& body) {
  if (!rows->empty()) {
    body.heading(3, "Boxed Numbers");
    body.table(
        rows,
        {code("Class", &BoxRow::class_name), count("Instances", &BoxRow::instances),
         bar(bytes("Shallow Heap", &BoxRow::shallow)), count("Values", &BoxRow::values),
         count("Surplus", &BoxRow::surplus_instances),
         bytes("Surplus Bytes", &BoxRow::surplus_shallow), count("JVM's Cache", &BoxRow::cached),
         count("Bypass Cache", &BoxRow::bypassing_cache),
         bytes("Their Bytes", &BoxRow::bypassing_cache_shallow)});
  }
}

void headers(const Place<std::vector<HeaderRow>>& rows, HtmlBody& body) {
  body.heading(3, "Object Headers");
  const bool none =
      std::all_of(rows->begin(), rows->end(), [](const HeaderRow& row) { return row.header == 0; });
  if (none) {
    body.note("Shallow sizes are as the dump states them, without headers.");
    return;
  }
  body.table(rows, {text("Kind", &HeaderRow::kind), count("Objects", &HeaderRow::objects),
                    count("Bytes Each", &HeaderRow::header), bar(bytes("Bytes", &HeaderRow::bytes)),
                    share("Share", &HeaderRow::share_bp)});
}

void duplicates_part(const Place<Strings>& strings, bool complete, HtmlBody& body) {
  if (strings->savings) {
    savings(strings.sub(&Strings::savings), complete, body);
  } else {
    body.add(R"(<p class="note">Equal texts, arrays and boxed numbers are looked for with )"
             "<code>--find-duplicates</code>.</p>\n");
  }
  if (strings->duplicates) {
    string_duplicates(strings.sub(&Strings::duplicates), body);
  }
  if (strings->holders) {
    holders(strings.sub(&Strings::holders), body);
  }
}

}  // namespace

void html_strings(const Place<Report>& report, HtmlBody& body) {
  const auto strings = report.sub(&Report::strings);
  totals(strings, body);
  duplicates_part(strings, report->complete, body);
  lengths(strings.sub(&Strings::lengths), body);
  longest(strings.sub(&Strings::longest), body);
  if (strings->slices) {
    slices(strings.sub(&Strings::slices), body);
  }
  loose_arrays(strings.sub(&Strings::loose_arrays), body);
  if (strings->array_duplicates) {
    array_duplicates(strings.sub(&Strings::array_duplicates), body);
  }
  if (strings->boxes) {
    boxes(strings.sub(&Strings::boxes), body);
  }
  headers(strings.sub(&Strings::headers), body);
}

}  // namespace hprof
