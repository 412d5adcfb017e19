#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

#include <algorithm>
#include <span>

namespace hprof {
namespace {

constexpr std::size_t kRows = 20;

template <typename Row>
std::span<const Row> first_rows(const std::vector<Row>& rows) {
  return std::span(rows).first(std::min(rows.size(), kRows));
}

std::string address_cell(Address address) {
  return md_cell(hex_address(address.value));
}

std::string text_or_hash(const DuplicateStringRow& row) {
  if (row.text) {
    return md_cell(*row.text);
  }
  return row.hash.empty() ? "" : md_cell(row.hash);
}

std::string length_range(const StringLengthRow& row) {
  return row.at_least == row.at_most ? grouped(row.at_least)
                                     : grouped(row.at_least) + "–" + grouped(row.at_most);
}

std::string totals(const Strings& strings, bool complete) {
  if (strings.instances == 0) {
    return as_far_as_read(complete, "There are no Strings.\n");
  }
  std::string out = format_count(strings.instances, "String", "Strings") + " of " +
                    format_bytes(strings.shallow) + " have " +
                    format_count(strings.arrays, "array", "arrays") + " of " +
                    format_bytes(strings.array_shallow) + ".";
  if (strings.sharing_array != 0) {
    out += " " + format_count(strings.sharing_array, "String shares", "Strings share") +
           " an array with another one.";
  }
  if (strings.without_array != 0) {
    out += " " + format_count(strings.without_array, "String has", "Strings have") + " no array" +
           (complete ? "." : " in what was read of the dump.");
  }
  return out + "\n";
}

std::string savings(const DuplicateSavings& savings, bool complete) {
  if (savings.total == 0) {
    return "\n" + as_far_as_read(complete, "Nothing is there twice.\n");
  }
  std::vector<std::string> ways;
  const auto way = [&](std::uint64_t bytes, const char* how) {
    if (bytes != 0) {
      ways.push_back(format_bytes(bytes) + how);
    }
  };
  way(savings.string_arrays, " by giving equal Strings one array");
  way(savings.string_objects, " by making equal Strings one");
  way(savings.other_arrays, " by keeping one of other equal arrays");
  way(savings.boxed_numbers, " by keeping one of equal boxed numbers");
  return "\nYou can save about " + format_bytes(savings.total) + " (" +
         format_share(savings.total_bp) + " of the used heap): " + md_joined(ways, ", ") + ".\n";
}

std::string holder_list(const std::vector<TextHolder>& holders) {
  constexpr std::size_t kShown = 2;
  std::string out;
  for (std::size_t i = 0; i < std::min(holders.size(), kShown); ++i) {
    out += (out.empty() ? "" : ", ") + md_cell(holders[i].holder) + " × " +
           grouped(holders[i].references);
  }
  return out + (holders.size() > kShown ? ", …" : "");
}

std::string duplicate_totals(const StringDuplicates& duplicates) {
  const std::string texts = (duplicates.values == 1 ? "There is " : "There are ") +
                            format_count(duplicates.values, "text", "texts");
  if (duplicates.surplus_strings == 0) {
    return texts + ", none of them more than once.\n";
  }
  return texts + "; " + format_count(duplicates.duplicated_values, "text is", "texts are") +
         " there more than once. " + format_count(duplicates.surplus_strings, "String", "Strings") +
         " of " + format_bytes(duplicates.surplus_string_shallow) + " and " +
         format_count(duplicates.surplus_arrays, "array", "arrays") + " of " +
         format_bytes(duplicates.surplus_array_shallow) +
         " are surplus: string deduplication by the JVM saves the arrays, interning saves both.\n";
}

std::string duplicate_table(const StringDuplicates& duplicates, MarkdownStyle style) {
  const bool has_texts = std::any_of(duplicates.top.begin(), duplicates.top.end(),
                                     [](const auto& row) { return row.text.has_value(); });
  MarkdownTable table({{has_texts ? "Text" : "Hash"},
                       {"Example"},
                       {"Length", Align::right},
                       {"Strings", Align::right},
                       {"Arrays", Align::right},
                       {"Deduplication Saves", Align::right},
                       {"Interning Saves", Align::right},
                       {"Held By"}});
  for (const auto& row : first_rows(duplicates.top)) {
    table.row({text_or_hash(row), address_cell(row.address), grouped(row.length),
               grouped(row.strings), grouped(row.arrays), format_bytes(row.deduplication_saves),
               format_bytes(row.interning_saves), holder_list(row.holders)},
              row.interning_saves);
  }
  return table.text(style);
}

std::string string_duplicates(const StringDuplicates& duplicates, MarkdownStyle style) {
  return "\n### Equal Strings\n\n" + duplicate_totals(duplicates) +
         (duplicates.top.empty() ? "" : "\n" + duplicate_table(duplicates, style));
}

std::string holders(const std::vector<TextHolder>& holders, MarkdownStyle style) {
  MarkdownTable table({{"Field"},
                       {"References", Align::right},
                       {"Held Alone", Align::right},
                       {"Retained Heap", Align::right}});
  for (const auto& row : first_rows(holders)) {
    table.row({md_cell(row.holder), grouped(row.references), grouped(row.held_alone),
               format_bytes(row.retained)},
              row.retained);
  }
  return holders.empty() ? "" : "\n### Who Holds Strings\n\n" + table.text(style);
}

std::string lengths(const Strings& strings, MarkdownStyle style) {
  MarkdownTable table({{"Array Length", Align::right},
                       {"Strings", Align::right},
                       {"Arrays", Align::right},
                       {"Shallow Heap", Align::right}});
  for (const auto& row : strings.lengths) {
    table.row({length_range(row), grouped(row.strings), grouped(row.arrays),
               format_bytes(row.array_shallow)},
              row.array_shallow);
  }
  return strings.lengths.empty() ? "" : "\n### Strings by Length\n\n" + table.text(style);
}

std::string longest(const Strings& strings, MarkdownStyle style) {
  MarkdownTable table(
      {{"String"}, {"Array"}, {"Array Length", Align::right}, {"Array Bytes", Align::right}});
  for (const auto& row : first_rows(strings.longest)) {
    table.row({address_cell(row.address), address_cell(row.array_address), grouped(row.length),
               format_bytes(row.array_shallow)},
              row.array_shallow);
  }
  return strings.longest.empty() ? "" : "\n### Longest Strings\n\n" + table.text(style);
}

std::string slices(const SlicedArrays& slices, MarkdownStyle style) {
  MarkdownTable table({{"Array"},
                       {"Array Length", Align::right},
                       {"Strings", Align::right},
                       {"Longest", Align::right},
                       {"Wasted", Align::right}});
  for (const auto& row : first_rows(slices.top)) {
    table.row({address_cell(row.address), grouped(row.length), grouped(row.strings),
               grouped(row.longest), format_bytes(row.wasted)},
              row.wasted);
  }
  const std::string text = "\n### Arrays That Substrings Keep\n\n" +
                           format_count(slices.arrays, "array has", "arrays have") +
                           " elements that no String uses: " + format_bytes(slices.wasted) +
                           " in all.\n";
  return text + (slices.top.empty() ? "" : "\n" + table.text(style));
}

std::string loose_arrays(const Strings& strings, MarkdownStyle style) {
  MarkdownTable table({{"Class"}, {"Arrays", Align::right}, {"Shallow Heap", Align::right}});
  for (const auto& row : strings.loose_arrays) {
    table.row({md_cell(row.class_name), grouped(row.arrays), format_bytes(row.shallow)},
              row.shallow);
  }
  return strings.loose_arrays.empty() ? "" : "\n### Arrays under No String\n\n" + table.text(style);
}

std::string verification(const ArrayDuplicates& duplicates) {
  if (duplicates.compared_by_bytes + duplicates.compared_by_digest + duplicates.without_content ==
      0) {
    return "No two arrays have equal hashes.\n";
  }
  std::string out = "Equal hashes were verified: " +
                    format_count(duplicates.compared_by_bytes, "array", "arrays") +
                    " byte by byte, " +
                    format_count(duplicates.compared_by_digest, "array", "arrays") +
                    " by further hashes of 128 bits; " + grouped(duplicates.hash_collisions) +
                    " turned out to differ.";
  if (duplicates.without_content != 0) {
    out += " The dump leaves out the elements of " +
           format_count(duplicates.without_content, "array", "arrays") + ".";
  }
  return out + "\n";
}

std::string content_table(const ArrayDuplicates& duplicates, MarkdownStyle style) {
  MarkdownTable table({{"Class"},
                       {"Arrays", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Contents", Align::right},
                       {"Duplicated", Align::right},
                       {"Surplus", Align::right},
                       {"Surplus Bytes", Align::right}});
  for (const auto& row : duplicates.by_class) {
    table.row({md_cell(row.class_name), grouped(row.arrays), format_bytes(row.shallow),
               grouped(row.contents), grouped(row.duplicated_contents), grouped(row.surplus_arrays),
               format_bytes(row.surplus_shallow)},
              row.surplus_shallow);
  }
  return table.text(style);
}

std::string equal_arrays(const ArrayDuplicates& duplicates, MarkdownStyle style) {
  MarkdownTable table({{"Hash"},
                       {"Class"},
                       {"Example"},
                       {"Length", Align::right},
                       {"Arrays", Align::right},
                       {"Saves", Align::right},
                       {"Held By"}});
  for (const auto& row : first_rows(duplicates.top)) {
    table.row(
        {md_cell(row.hash), md_cell(row.class_name), address_cell(row.address), grouped(row.length),
         grouped(row.arrays), format_bytes(row.saves), holder_list(row.holders)},
        row.saves);
  }
  return duplicates.top.empty() ? "" : "\nWithout those under Strings:\n\n" + table.text(style);
}

std::string loose_surplus(const ArrayDuplicates& duplicates) {
  return duplicates.loose_surplus_arrays == 0
             ? ""
             : format_count(duplicates.loose_surplus_arrays, "surplus array", "surplus arrays") +
                   " of " + format_bytes(duplicates.loose_surplus_shallow) +
                   (duplicates.loose_surplus_arrays == 1 ? " is" : " are") + " under no String.\n";
}

std::string array_duplicates(const ArrayDuplicates& duplicates, MarkdownStyle style) {
  return "\n### Equal Primitive Arrays\n\n" + content_table(duplicates, style) + "\n" +
         loose_surplus(duplicates) + verification(duplicates) + equal_arrays(duplicates, style);
}

std::string boxes(const std::vector<BoxRow>& boxes, MarkdownStyle style) {
  MarkdownTable table({{"Class"},
                       {"Instances", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Values", Align::right},
                       {"Surplus", Align::right},
                       {"Surplus Bytes", Align::right},
                       {"JVM's Cache", Align::right},
                       {"Bypass Cache", Align::right},
                       {"Their Bytes", Align::right}});
  for (const auto& row : boxes) {
    table.row({md_cell(row.class_name), grouped(row.instances), format_bytes(row.shallow),
               grouped(row.values), grouped(row.surplus_instances),
               format_bytes(row.surplus_shallow), grouped(row.cached), grouped(row.bypassing_cache),
               format_bytes(row.bypassing_cache_shallow)},
              row.shallow);
  }
  return boxes.empty() ? "" : "\n### Boxed Numbers\n\n" + table.text(style);
}

std::string headers(const Strings& strings, MarkdownStyle style) {
  MarkdownTable table({{"Kind"},
                       {"Objects", Align::right},
                       {"Bytes Each", Align::right},
                       {"Bytes", Align::right},
                       {"Share", Align::right}});
  for (const auto& row : strings.headers) {
    table.row({row.kind, grouped(row.objects), grouped(row.header), format_bytes(row.bytes),
               format_share(row.share_bp)},
              row.bytes);
  }
  const bool none = std::all_of(strings.headers.begin(), strings.headers.end(),
                                [](const HeaderRow& row) { return row.header == 0; });
  return "\n### Object Headers\n\n" +
         (none ? "Shallow sizes are as the dump states them, without headers.\n"
               : table.text(style));
}

}  // namespace

std::string md_strings(const Report& report, MarkdownStyle style) {
  const auto& strings = *report.strings;
  std::string out = totals(strings, report.complete);
  if (strings.savings) {
    out += savings(*strings.savings, report.complete);
  } else {
    out += "\nEqual texts, arrays and boxed numbers are looked for with `--find-duplicates`.\n";
  }
  if (strings.duplicates) {
    out += string_duplicates(*strings.duplicates, style);
  }
  if (strings.holders) {
    out += holders(*strings.holders, style);
  }
  out += lengths(strings, style) + longest(strings, style);
  if (strings.slices) {
    out += slices(*strings.slices, style);
  }
  out += loose_arrays(strings, style);
  if (strings.array_duplicates) {
    out += array_duplicates(*strings.array_duplicates, style);
  }
  if (strings.boxes) {
    out += boxes(*strings.boxes, style);
  }
  return out + headers(strings, style);
}

}  // namespace hprof
