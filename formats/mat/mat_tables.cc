// Ranked tables and the package tree. Columns are found by their headings, so that an added column
// does no harm.
#include "common/error.h"
#include "common/text.h"
#include "formats/mat/mat_reader.h"

#include <array>
#include <map>

namespace hprof {
namespace {

constexpr std::array<std::string_view, 5> kLabelColumns{"Class Name", "Label", "Package", "Length",
                                                        "Fill Ratio"};
constexpr std::array<std::string_view, 4> kObjectColumns{"Objects", "Number of Objects",
                                                         "# Top Dominators", "# Objects"};
constexpr std::array<std::string_view, 2> kShallowColumns{"Shallow Heap", "Used Heap Size"};
constexpr std::array<std::string_view, 2> kRetainedColumns{"Retained Heap", "Retained Heap Size"};
constexpr std::array<std::string_view, 2> kShareColumns{"Retained Heap, %", "Percentage"};

template <std::size_t N>
std::optional<std::size_t> column_of(const HtmlTable& table,
                                     const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    for (const auto name : names) {
      if (table.columns[i] == name) {
        return i;
      }
    }
  }
  return std::nullopt;
}

/// A table whose columns are known by what they mean.
struct Columns {
  std::optional<std::size_t> label;
  std::optional<std::size_t> objects;
  std::optional<std::size_t> shallow;
  std::optional<std::size_t> retained;
  std::optional<std::size_t> share;
};

Columns columns_of(const MatPage& page, const HtmlTable& table, const std::string& heading) {
  const Columns columns{column_of(table, kLabelColumns), column_of(table, kObjectColumns),
                        column_of(table, kShallowColumns), column_of(table, kRetainedColumns),
                        column_of(table, kShareColumns)};
  if (!columns.label) {
    std::string names;
    for (const auto& name : table.columns) {
      names += names.empty() ? name : ", " + name;
    }
    not_understood(page, concat("columns of \"", heading, "\""), names);
  }
  return columns;
}

const HtmlCell& cell_at(const HtmlRow& row, std::optional<std::size_t> column) {
  static const HtmlCell none;
  return column && *column < row.cells.size() ? row.cells[*column] : none;
}

std::optional<MatFigure> figure_at(const MatPage& page, const HtmlRow& row,
                                   std::optional<std::size_t> column) {
  const auto& text = cell_at(row, column).text;
  if (text.empty()) {
    return std::nullopt;
  }
  auto figure = parse_figure(text);
  if (!figure) {
    not_understood(page, "number", text);
  }
  return figure;
}

std::optional<MatPercent> share_at(const MatPage& page, const HtmlRow& row,
                                   std::optional<std::size_t> column) {
  const auto& text = cell_at(row, column).text;
  if (text.empty()) {
    return std::nullopt;
  }
  auto share = parse_percent(text);
  if (!share) {
    not_understood(page, "percentage", text);
  }
  return share;
}

/// The text before the link to an object.
std::string reference_in(const HtmlCell& cell) {
  return cell.address ? trimmed(cell.text.substr(0, cell.text.find(cell.name))) : "";
}

MatRow read_row(const MatPage& page, const HtmlRow& row, const Columns& columns) {
  const auto& label = cell_at(row, columns.label);
  return {label.name,
          label.address,
          figure_at(page, row, columns.objects),
          figure_at(page, row, columns.shallow),
          figure_at(page, row, columns.retained),
          share_at(page, row, columns.share),
          reference_in(label)};
}

const HtmlTable* table_below(const MatPage& page, const std::string& heading) {
  const auto* section = page.html.section(heading);
  return section == nullptr || section->tables.empty() ? nullptr : &section->tables.front();
}

/// Builds the package tree from rows whose depth is the length of their art.
class PackageReader {
 public:
  PackageReader(const MatPage& page, const Columns& columns) : page_(page), columns_(columns) {}

  void add(const HtmlRow& row) {
    const auto& label = cell_at(row, columns_.label);
    const auto depth = label.art.size();
    if (depth > path_.size()) {
      not_understood(page_, "tree row", label.art + label.text);
    }
    path_.resize(depth);
    const auto parent = path_.empty() ? std::nullopt : std::optional(path_.back());
    if (row.totals) {
      if (parent) {
        packages_[*parent].children = entries_of(page_, label.text);
      }
      return;
    }
    if (parent) {
      ++packages_[*parent].children;
    }
    path_.push_back(packages_.size());
    packages_.push_back({label.name, parent, figure_at(page_, row, columns_.retained),
                         share_at(page_, row, columns_.share),
                         figure_at(page_, row, columns_.objects), 0});
  }

  std::vector<MatPackage> take() { return std::move(packages_); }

 private:
  const MatPage& page_;
  Columns columns_;
  std::vector<MatPackage> packages_;
  std::vector<std::size_t> path_;
};

}  // namespace

std::uint64_t entries_of(const MatPage& page, const std::string& text) {
  constexpr std::string_view kTotal = "Total: ";
  constexpr std::string_view kOf = " of ";
  if (text.starts_with(kTotal)) {
    auto rest = text.substr(kTotal.size());
    const auto of = rest.find(kOf);
    rest = of == std::string::npos ? rest : rest.substr(of + kOf.size());
    const auto entries = parse_grouped(rest.substr(0, rest.find(' ')));
    if (entries) {
      return *entries;
    }
  }
  not_understood(page, "row of totals", text);
}

MatRanking read_ranking(const MatPage& page, const std::string& heading) {
  MatRanking ranking;
  const auto* table = table_below(page, heading);
  if (table == nullptr) {
    return ranking;
  }
  const auto columns = columns_of(page, *table, heading);
  for (const auto& row : table->rows) {
    if (row.totals) {
      ranking.totals = read_row(page, row, columns);
    } else {
      ranking.rows.push_back(read_row(page, row, columns));
    }
  }
  ranking.entries = ranking.totals ? entries_of(page, ranking.totals->label) : ranking.rows.size();
  if (ranking.entries < ranking.rows.size()) {
    not_understood(page, "row of totals", ranking.totals->label);
  }
  return ranking;
}

std::vector<MatRow> read_path_to_selected(const MatPage& page, const std::string& heading) {
  const auto* table = table_below(page, heading);
  if (table == nullptr) {
    return {};
  }
  const auto columns = columns_of(page, *table, heading);
  std::vector<MatRow> path;
  for (const auto& row : table->rows) {
    const auto depth = cell_at(row, columns.label).art.size();
    if (row.totals || depth > path.size()) {
      continue;
    }
    path.resize(depth);
    path.push_back(read_row(page, row, columns));
    if (row.selected) {
      return path;
    }
  }
  return {};
}

std::vector<MatPackage> read_packages(const MatPage& page, const std::string& heading) {
  const auto* table = table_below(page, heading);
  if (table == nullptr) {
    return {};
  }
  PackageReader reader(page, columns_of(page, *table, heading));
  for (const auto& row : table->rows) {
    reader.add(row);
  }
  return reader.take();
}

}  // namespace hprof
