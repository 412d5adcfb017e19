// An object ends before the next one begins, and in a heap that was compacted most end just there.
// So every layout that a JVM can have is tried: the right one never makes a class larger than the
// least distance that was seen behind its instances, and mostly just as large.
#include "tools/hprof-graph/layout_guess.h"

#include "common/comma_list.h"
#include "common/error.h"
#include "common/text.h"
#include "tools/hprof-graph/jvm_sizes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>
#include <vector>

namespace hprof {
namespace {

constexpr std::uint32_t kLeastAlignment = 8;

struct Heading {
  std::uint32_t header;
  std::uint32_t array_base;
};

/// Ids of 8 bytes: compressed class pointers, compact headers (JDK 24+), full class pointers with
/// arrays as before JDK 23 and since.
constexpr std::array kWideHeadings{Heading{12, 16}, Heading{8, 12}, Heading{16, 24},
                                   Heading{16, 20}};
constexpr std::array kNarrowHeadings{Heading{8, 12}};

std::vector<Heading> headings(const HeapIndex& index) {
  if (index.summary.identifier_size == 4) {
    return {kNarrowHeadings.begin(), kNarrowHeadings.end()};
  }
  return {kWideHeadings.begin(), kWideHeadings.end()};
}

std::vector<std::uint32_t> reference_widths(const HeapIndex& index) {
  if (index.summary.identifier_size == 4) {
    return {4};
  }
  return index.summary.reference_size == 4 ? std::vector<std::uint32_t>{4, 8}
                                           : std::vector<std::uint32_t>{8, 4};
}

/// The greatest power of two that divides all distances between objects.
std::uint32_t alignment(const HeapIndex& index) {
  const std::uint32_t step = index.summary.object_alignment;
  return std::max(step & (~step + 1), kLeastAlignment);
}

/// Every layout that is possible, the likeliest first.
std::vector<JvmLayout> candidates(const HeapIndex& index, const LayoutWishes& wishes) {
  std::vector<JvmLayout> out;
  for (const auto packing : {FieldPacking::filled, FieldPacking::stacked}) {
    for (const std::uint32_t reference : reference_widths(index)) {
      for (const auto& heading : headings(index)) {
        if (wishes.header && heading.header != *wishes.header) {
          continue;
        }
        out.push_back({.header = heading.header,
                       .reference = wishes.reference.value_or(reference),
                       .word = index.summary.identifier_size,
                       .alignment = wishes.alignment.value_or(alignment(index)),
                       .array_base = wishes.array_base.value_or(heading.array_base),
                       .packing = wishes.packing.value_or(packing)});
      }
    }
  }
  return out;
}

/// Bytes that the layout says an object takes beside its elements; 0: the row does not apply.
std::uint64_t expected_bytes(const Spacing& row, const JvmLayout& layout, const JvmSizes& sizes) {
  switch (row.kind) {
    case RecordKind::instance:
      return sizes.instance(row.class_index);
    case RecordKind::object_array:
      return row.width == layout.reference ? sizes.array_base(row.width) : 0;
    default:
      return sizes.array_base(row.width);
  }
}

LayoutSupport support_of(const HeapIndex& index, const JvmLayout& layout, const JvmSizes& sizes) {
  LayoutSupport support;
  for (const auto& row : index.spacings) {
    const auto expected = static_cast<std::int64_t>(expected_bytes(row, layout, sizes));
    if (expected == 0) {
      continue;
    }
    ++(row.least == expected  ? support.equal
       : row.least > expected ? support.larger
                              : support.smaller);
  }
  return support;
}

std::int64_t merit(const LayoutSupport& support) {
  return static_cast<std::int64_t>(support.equal) - static_cast<std::int64_t>(support.smaller);
}

std::uint32_t number(const std::string& key, std::string_view text,
                     std::initializer_list<std::uint32_t> allowed) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
    std::string list;
    for (const std::uint32_t each : allowed) {
      list += (list.empty() ? "" : ", ") + std::to_string(each);
    }
    fail(ExitCode::usage, "--layout: ", key, " is one of ", list, ", not \"",
         printable(std::string(text)), "\"");
  }
  return value;
}

FieldPacking packing_of(std::string_view text) {
  if (text != "filled" && text != "stacked") {
    fail(ExitCode::usage,
         "--layout: fields is filled (JDK 15 and later) or stacked (before), not \"",
         printable(std::string(text)), "\"");
  }
  return text == "filled" ? FieldPacking::filled : FieldPacking::stacked;
}

void set_wish(LayoutWishes& wishes, const std::string& key, std::string_view value) {
  if (key == "header") {
    wishes.header = number(key, value, {8, 12, 16});
  } else if (key == "ref") {
    wishes.reference = number(key, value, {4, 8});
  } else if (key == "align") {
    wishes.alignment = number(key, value, {8, 16, 32, 64, 128, 256});
  } else if (key == "array") {
    wishes.array_base = number(key, value, {12, 16, 20, 24});
  } else if (key == "fields") {
    wishes.packing = packing_of(value);
  } else {
    fail(ExitCode::usage, "--layout: \"", printable(key),
         "\" is none of header, ref, align, array, fields");
  }
}

}  // namespace

LayoutWishes parse_layout(const std::string& text) {
  LayoutWishes wishes;
  std::set<std::string> seen;
  const auto items = comma_list(text);
  for (const std::string& item : items.empty() && !text.empty() ? std::vector{text} : items) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) {
      fail(ExitCode::usage,
           "--layout takes KEY=VALUE,… with the keys header, ref, align, array and ",
           "fields, not \"", printable(item), "\"");
    }
    const std::string key = item.substr(0, equals);
    if (!seen.insert(key).second) {
      fail(ExitCode::usage, "--layout names ", printable(key), " twice; say it once");
    }
    set_wish(wishes, key, std::string_view(item).substr(equals + 1));
  }
  return wishes;
}

bool has_jvm_layout(const HeapIndex& index) {
  return !index.summary.format.ends_with("1.0.3");
}

InferredLayout guess_layout(const HeapIndex& index, const LayoutWishes& wishes) {
  const ClassFields fields(index);
  InferredLayout best;
  bool any = false;
  for (const auto& layout : candidates(index, wishes)) {
    const auto support = support_of(index, layout, JvmSizes(fields, layout));
    if (!any || merit(support) > merit(best.support)) {
      best = {.layout = layout, .support = support};
      any = true;
    }
  }
  best.support.given = wishes.any();
  return best;
}

}  // namespace hprof
