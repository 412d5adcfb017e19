#pragma once

#include "formats/diff/series.h"
#include "formats/html/html_body.h"
#include "formats/html/place.h"
#include "formats/report/signed_count.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof {

/// A cell of a comparison's table: markup, the number that it is sorted by, what a tooltip says,
/// and whether a column of bars draws the number.
struct DiffCell {
  std::string markup;
  std::optional<SignedCount> number;
  std::string tooltip;
  bool bar = true;
};

template <typename Row>
struct DiffColumn {
  ColumnInfo info;
  std::function<DiffCell(const Row&)> cell;
};
template <typename Row>
using DiffColumns = std::vector<DiffColumn<Row>>;

/// A table without the types of its rows. `what` says what the page's search calls a row.
struct DiffTable {
  std::string path;
  std::string_view what;
  std::size_t count = 0;
  std::vector<ColumnInfo> columns;
  std::function<DiffCell(std::size_t row, std::size_t column)> cell;
  bool numbered = false;  ///< a first column counts the rows
};
void html_diff_table(const DiffTable& table, HtmlBody& body);

/// Adds a table. The script takes it as it stands, since bounds are no plain numbers of the JSON.
template <typename Row>
void html_diff_table(const Place<std::vector<Row>>& rows, std::string_view what,
                     const DiffColumns<Row>& columns, HtmlBody& body, bool numbered = false) {
  DiffTable out{rows.path(), what, rows->size(), {}, {}, numbered};
  out.columns.reserve(columns.size());
  for (const auto& column : columns) {
    out.columns.push_back(column.info);
  }
  out.cell = [&](std::size_t row, std::size_t column) {
    return columns[column].cell((*rows)[row]);
  };
  html_diff_table(out, body);
}

/// A name from the dump, escaped.
std::string diff_name(std::string_view name);

// What cells show of a figure; `kind` is bytes or count.
DiffCell number_cell(CellKind kind, std::uint64_t number);
DiffCell value_cell(CellKind kind, const DiffSeries& series, std::size_t dump);
DiffCell change_cell(CellKind kind, SignedCount change);
DiffCell change_cell(CellKind kind, const ChangeRange& range);
DiffCell change_cell(CellKind kind, const DiffSeries& series);
DiffCell change_share_cell(const DiffSeries& series);
DiffCell trend_cell(const DiffSeries& series);
/// All values as a line in an inline SVG image, with the values as its text.
DiffCell sparkline_cell(CellKind kind, const DiffSeries& series);
DiffCell fate_cell(Fate fate);
DiffCell fate_cell(Fate fate, const std::string& words);
/// What became of something by its figures alone.
Fate fate_by(const DiffSeries& series);

/// A column of any other content.
template <typename Row>
DiffColumn<Row> diff_column(std::string title, CellKind kind, std::string_view field,
                            std::string_view help, std::function<DiffCell(const Row&)> cell) {
  return {{std::move(title), kind, std::string(field), "", std::string(help), false},
          std::move(cell)};
}

template <typename Row>
DiffColumn<Row> name_column(std::string title, std::string Row::*member) {
  const auto field = field_info(member);
  return diff_column<Row>(std::move(title), CellKind::code, field.name, field.help,
                          [member](const Row& row) {
                            return DiffCell{diff_name(row.*member), {}, {}};
                          });
}

template <typename Row>
DiffColumn<Row> fate_column(Fate Row::*member) {
  const auto field = field_info(member);
  return diff_column<Row>("Fate", CellKind::text, field.name, field.help,
                          [member](const Row& row) { return fate_cell(row.*member); });
}

/// The same of rows that do not say it: by how many there are, then by their size.
template <typename Row>
DiffColumn<Row> fate_column(DiffSeries Row::*number, DiffSeries Row::*size) {
  return diff_column<Row>("Fate", CellKind::text, "",
                          "new: none of it in the first dump; gone: none in the last; newly "
                          "listed, no longer listed: likewise, but that dump is damaged",
                          [number, size](const Row& row) {
                            const Fate fate = fate_by(row.*number);
                            return fate_cell(moved(fate) ? fate : fate_by(row.*size));
                          });
}

inline const DiffSeries* series_in(const DiffSeries& series) {
  return &series;
}
inline const DiffSeries* series_in(const std::optional<DiffSeries>& series) {
  return series ? &*series : nullptr;
}

/// Columns for a figure with a value per dump: before, now, change, and for bytes its share; with
/// three dumps or more the trend, and a line over all of them.
template <typename Row, typename Series>
void add_series(DiffColumns<Row>& columns, const std::string& title, CellKind kind,
                Series Row::*member, std::size_t dumps) {
  const auto field = field_info(member);
  const auto name = std::string(field.name);
  const auto help = std::string(field.help);
  const auto add = [&](std::string head, CellKind shown, const std::string& part,
                       const std::string& about, auto cell) {
    columns.push_back(diff_column<Row>(std::move(head), shown, name + "." + part, about,
                                       [member, cell](const Row& row) {
                                         const DiffSeries* series = series_in(row.*member);
                                         return series == nullptr ? DiffCell{} : cell(*series);
                                       }));
  };
  const std::size_t last = dumps - 1;
  add(title + " Before", kind, "values.0", "first dump: " + help,
      [kind](const DiffSeries& series) { return value_cell(kind, series, 0); });
  add("Now", kind, "values." + std::to_string(last), "last dump: " + help,
      [kind, last](const DiffSeries& series) { return value_cell(kind, series, last); });
  add("Change", kind, "change", "from the first dump to the last; of bounds what is certain",
      [kind](const DiffSeries& series) { return change_cell(kind, series); });
  if (kind != CellKind::bytes) {
    return;
  }
  columns.back().info.bar = true;
  add("Share", CellKind::share, "change_bp", "the change as a part of the first dump's value",
      change_share_cell);
  if (dumps > 2) {
    add("Trend", CellKind::text, "trend", "how it moved from dump to dump", trend_cell);
    add("Over Time", CellKind::text, "values", "all dumps, by time",
        [kind](const DiffSeries& series) { return sparkline_cell(kind, series); });
  }
}

/// One column for the change of a figure that matters less.
template <typename Row>
DiffColumn<Row> change_column(std::string title, CellKind kind, DiffSeries Row::*member) {
  const auto field = field_info(member);
  return diff_column<Row>(
      std::move(title), kind, std::string(field.name) + ".change",
      "change from the first dump to the last: " + std::string(field.help),
      [kind, member](const Row& row) { return change_cell(kind, row.*member); });
}

}  // namespace hprof
