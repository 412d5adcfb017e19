#pragma once

#include "formats/html/place.h"
#include "formats/report/fields.h"
#include "formats/report/leaks.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// How a figure or name is shown, and sorted by the page's script, which knows the same words.
enum class CellKind {
  text,
  code,
  object,
  class_name,
  thread,
  count,
  bytes,
  share,
  address,
  time,
  tag,
  plain,
  range,
  fill,
  list
};

template <>
struct Words<CellKind> {
  static constexpr std::array<std::string_view, 15> kWords{
      "text",    "code", "object", "class", "thread", "count", "bytes", "share",
      "address", "time", "tag",    "plain", "range",  "fill",  "list"};
};

/// An entry of a short list within a cell: "demo.Cache × 3 (12.00 %)".
struct ListItem {
  std::string name;
  std::optional<std::uint64_t> count;
  std::optional<std::uint64_t> share_bp;
};

/// What stands in one cell.
struct CellValue {
  bool present = false;
  std::uint64_t number = 0;
  std::uint64_t last = 0;  ///< of a range
  std::string text;
  std::optional<Address> address;
  std::vector<ListItem> items;
};

/// A column of a table, or a line of a list of facts: what its head says, and which fields of the
/// JSON it shows (`more`: the fields besides the first, separated by spaces).
struct ColumnInfo {
  std::string title;
  CellKind kind = CellKind::text;
  std::string field;
  std::string more;
  std::string help;
  bool bar = false;
};

template <typename Row>
struct Column {
  ColumnInfo info;
  std::function<CellValue(const Row&)> value;
};

inline CellValue cell_value(std::uint64_t value) {
  return {.present = true, .number = value, .text = {}, .address = {}, .items = {}};
}
inline CellValue cell_value(const std::string& value) {
  return {.present = true, .text = value, .address = {}, .items = {}};
}
inline CellValue cell_value(Address value) {
  return {.present = true, .text = {}, .address = value, .items = {}};
}
inline CellValue cell_value(bool value) {
  return cell_value(std::string(value ? "yes" : "no"));
}
template <ReportEnum Enum>
CellValue cell_value(Enum value) {
  return cell_value(std::string(word_of(value)));
}
template <typename T>
CellValue cell_value(const std::optional<T>& value) {
  return value ? cell_value(*value) : CellValue{};
}

/// A column that shows one field.
template <typename Row, typename T>
Column<Row> column(CellKind kind, std::string title, T Row::*member) {
  const auto field = field_info(member);
  return {{std::move(title), kind, std::string(field.name), "", std::string(field.help), false},
          [member](const Row& row) { return cell_value(row.*member); }};
}

template <typename Row, typename T>
Column<Row> text(std::string title, T Row::*member) {
  return column(CellKind::text, std::move(title), member);
}
template <typename Row, typename T>
Column<Row> code(std::string title, T Row::*member) {
  return column(CellKind::code, std::move(title), member);
}
template <typename Row, typename T>
Column<Row> count(std::string title, T Row::*member) {
  return column(CellKind::count, std::move(title), member);
}
template <typename Row, typename T>
Column<Row> bytes(std::string title, T Row::*member) {
  return column(CellKind::bytes, std::move(title), member);
}
template <typename Row, typename T>
Column<Row> share(std::string title, T Row::*member) {
  return column(CellKind::share, std::move(title), member);
}
template <typename Row, typename T>
Column<Row> address(std::string title, T Row::*member) {
  return column(CellKind::address, std::move(title), member);
}

/// A name that leads to an address.
template <typename Row, typename Name, typename Where>
Column<Row> named_address(CellKind kind, std::string title, Name Row::*name, Where Row::*where) {
  auto out = column(kind, std::move(title), name);
  out.info.more = field_info(where).name;
  out.value = [name, where](const Row& row) {
    auto value = cell_value(row.*name);
    value.address = cell_value(row.*where).address;
    return value;
  };
  return out;
}

/// An object with a link to where the page tells more of it.
template <typename Row, typename Name, typename Where>
Column<Row> object(std::string title, Name Row::*label, Where Row::*where) {
  return named_address(CellKind::object, std::move(title), label, where);
}

/// A class with a link to its row of the histogram.
template <typename Row, typename Where>
Column<Row> class_name(std::string title, Where Row::*where) {
  return named_address(CellKind::class_name, std::move(title), &Row::class_name, where);
}

/// A range of numbers, ends included.
template <typename Row, typename T>
Column<Row> range(std::string title, T Row::*least, T Row::*most) {
  auto out = column(CellKind::range, std::move(title), least);
  out.info.more = field_info(most).name;
  out.value = [least, most](const Row& row) {
    auto value = cell_value(row.*least);
    value.last = row.*most;
    return value;
  };
  return out;
}

/// A field of a struct within the row.
template <typename Row, typename Part>
Column<Row> within(std::optional<Part> Row::*part, Column<Part> inner) {
  const std::string prefix = std::string(field_info(part).name) + ".";
  inner.info.field.insert(0, prefix);
  if (!inner.info.more.empty()) {
    inner.info.more.insert(0, prefix);
  }
  return {inner.info, [part, value = inner.value](const Row& row) {
            return row.*part ? value(*(row.*part)) : CellValue{};
          }};
}
template <typename Row, typename Part>
Column<Row> within(Part Row::*part, Column<Part> inner) {
  const std::string prefix = std::string(field_info(part).name) + ".";
  inner.info.field.insert(0, prefix);
  if (!inner.info.more.empty()) {
    inner.info.more.insert(0, prefix);
  }
  return {inner.info, [part, value = inner.value](const Row& row) { return value(row.*part); }};
}

/// A short list of named things within the row, with the figures that are given.
template <typename Row, typename Item>
Column<Row> list(std::string title, std::vector<Item> Row::*items, std::string Item::*name,
                 std::uint64_t Item::*count = nullptr, std::uint64_t Item::*share = nullptr) {
  auto out =
      Column<Row>{{std::move(title), CellKind::list, std::string(field_info(items).name),
                   std::string(field_info(name).name), std::string(field_info(items).help), false},
                  {}};
  out.info.more += count == nullptr ? "" : " " + std::string(field_info(count).name);
  out.info.more += share == nullptr ? "" : " " + std::string(field_info(share).name);
  out.value = [items, name, count, share](const Row& row) {
    CellValue value{.present = true, .text = {}, .address = {}, .items = {}};
    value.items.reserve((row.*items).size());
    for (const auto& item : row.*items) {
      value.items.push_back({item.*name, std::nullopt, std::nullopt});
      if (count != nullptr) {
        value.items.back().count = item.*count;
      }
      if (share != nullptr) {
        value.items.back().share_bp = item.*share;
      }
    }
    return value;
  };
  return out;
}

/// The same column with a bar behind each figure, as long as its part of the largest one.
template <typename Row>
Column<Row> bar(Column<Row> column) {
  column.info.bar = true;
  return column;
}

}  // namespace hprof
