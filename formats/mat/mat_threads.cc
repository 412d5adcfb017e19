// The pages on threads and system properties.
#include "common/error.h"
#include "formats/mat/mat_reader.h"

#include <algorithm>

namespace hprof {
namespace {

/// The table below a heading, cell by cell under its column's heading.
class NamedCells {
 public:
  NamedCells(const MatPage& page, const HtmlTable& table) : page_(page), table_(table) {}

  const HtmlCell& at(const HtmlRow& row, std::string_view column) const {
    static const HtmlCell none;
    const auto found = std::find(table_.columns.begin(), table_.columns.end(), column);
    const auto place = static_cast<std::size_t>(found - table_.columns.begin());
    return found != table_.columns.end() && place < row.cells.size() ? row.cells[place] : none;
  }

  std::optional<MatFigure> figure(const HtmlRow& row, std::string_view column) const {
    const auto& text = at(row, column).text;
    if (text.empty()) {
      return std::nullopt;
    }
    auto figure = parse_figure(text);
    if (!figure) {
      not_understood(page_, "number", text);
    }
    return figure;
  }

 private:
  const MatPage& page_;
  const HtmlTable& table_;
};

/// Reads the rows of the table below `heading`; none where there is no such table.
template <typename Row, typename ReadRow>
MatList<Row> read_list(const MatPage& page, const std::string& heading, ReadRow&& read_row) {
  MatList<Row> list;
  const auto* section = page.html.section(heading);
  if (section == nullptr || section->tables.empty()) {
    return list;
  }
  const auto& table = section->tables.front();
  const NamedCells cells(page, table);
  for (const auto& row : table.rows) {
    if (!row.totals) {
      list.rows.push_back(read_row(cells, row));
    } else if (!row.cells.empty() && row.cells.front().text.starts_with("Total")) {
      list.entries = entries_of(page, row.cells.front().text);
    }
  }
  list.entries = std::max<std::uint64_t>(list.entries, list.rows.size());
  return list;
}

MatThread read_thread(const NamedCells& cells, const HtmlRow& row) {
  const auto& object = cells.at(row, "Object / Stack Frame");
  return {.label = object.name,
          .address = object.address,
          .name = cells.at(row, "Name").text,
          .shallow = cells.figure(row, "Shallow Heap"),
          .retained = cells.figure(row, "Retained Heap"),
          .context_class_loader = cells.at(row, "Context Class Loader").text,
          .daemon = cells.at(row, "Is Daemon").text,
          .priority = cells.at(row, "Priority").text,
          .state = cells.at(row, "State").text,
          .state_value = cells.at(row, "State value").text};
}

}  // namespace

void read_threads(const MatPage& page, MatExport& result) {
  take_section(result.threads, read_list<MatThread>(page, "Thread Overview", read_thread), page);
}

void read_system_properties(const MatPage& page, MatExport& result) {
  const auto read_property = [](const NamedCells& cells, const HtmlRow& row) {
    return MatProperty{cells.at(row, "Key").text, cells.at(row, "Value").text};
  };
  take_section(result.system_properties,
               read_list<MatProperty>(page, "System Properties", read_property), page);
}

}  // namespace hprof
