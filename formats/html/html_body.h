#pragma once

#include "formats/html/columns.h"
#include "formats/report/summary.h"

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// Tables longer than this continue in the data of the page, from where its script takes the rest.
inline constexpr std::size_t kMostRows = 500;

/// A table without the types of its rows.
struct TableRows {
  std::string path;
  std::size_t count = 0;
  std::vector<ColumnInfo> columns;
  std::function<CellValue(std::size_t row, std::size_t column)> value;
  bool numbered = false;    ///< a first column counts the rows
  std::string_view row_id;  ///< rows get ids of this kind, from their first address
};

/// Collects the HTML of a page's sections. Everything but add() escapes what it is given.
class HtmlBody {
 public:
  /// `classes`: addresses of the classes that the page has a row for.
  explicit HtmlBody(std::set<std::uint64_t> classes = {}) : classes_(std::move(classes)) {}

  /// Markup as it is.
  void add(std::string_view markup) { out_ += markup; }
  void text(std::string_view text);
  void code(std::string_view name);
  void sentence(const Sentence& sentence);
  void paragraph(const Sentence& words, std::string_view css_class = {});
  void note(std::string_view text);
  void link(const std::string& fragment, std::string_view text);

  void begin_section(const std::string& id, std::string_view title);
  void end_section();
  /// A heading of level 3 or 4 with an id made from its text.
  void heading(unsigned level, std::string_view title);
  /// The same with `id`.
  void heading(unsigned level, std::string_view title, const std::string& id);

  /// An object's name with its link; the first one in the page is the link's target.
  void object(std::string_view label, Address address);
  void class_link(std::string_view name, Address address);
  /// A small link to what the page tells of an object.
  void card_link(Address address);
  /// A figure outside tables, marked with the field that it shows.
  void figure(CellKind kind, std::uint64_t number, std::string_view field,
              std::uint64_t largest = 0);

  template <typename Row>
  void table(const Place<std::vector<Row>>& rows, const std::vector<Column<Row>>& columns,
             bool numbered = false, std::string_view row_id = {}) {
    TableRows out{rows.path(), rows->size(), {}, {}, numbered, row_id};
    out.columns.reserve(columns.size());
    for (const auto& column : columns) {
      out.columns.push_back(column.info);
    }
    out.value = [&](std::size_t row, std::size_t column) {
      return columns[column].value((*rows)[row]);
    };
    table(out);
  }
  void table(const TableRows& rows);

  void begin_facts();
  template <typename T>
  void facts(const Place<T>& place, const std::vector<Column<T>>& columns) {
    for (const auto& column : columns) {
      const auto value = column.value(*place);
      if (value.present) {
        fact(column.info, value, place.path());
      }
    }
  }
  void fact(const ColumnInfo& info, const CellValue& value, const std::string& path);
  void fact(std::string_view title, const std::function<void()>& content);
  void end_facts();

  /// What a column shows, as a <td>.
  void cell(const ColumnInfo& info, const CellValue& value, std::uint64_t largest);

  const std::string& html() const { return out_; }

 private:
  void table_head(const TableRows& rows);
  void cell_content(const ColumnInfo& info, const CellValue& value);
  void unique_id(const std::string& id);

  std::set<std::uint64_t> classes_;
  std::set<std::string> ids_;
  std::string section_;
  std::string out_;
};

/// How a figure of a kind is written.
std::string figure_text(CellKind kind, std::uint64_t number);

/// The CSS class of a bar (" b37") for an amount; empty where there is none.
std::string bar_class(std::uint64_t amount, std::uint64_t largest);

}  // namespace hprof
