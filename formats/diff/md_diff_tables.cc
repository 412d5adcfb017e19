// Tables show the first and the last dump; what lies between is told by the trend and is in the
// JSON.
#include "common/text.h"
#include "formats/diff/diff_markdown.h"
#include "formats/diff/diff_text.h"
#include "formats/report/markdown_text.h"

#include <algorithm>
#include <map>

namespace hprof {
namespace {

constexpr std::size_t kClassRows = 30;
constexpr std::size_t kOtherRows = 15;

bool is_series(const HeapDiff& diff) {
  return diff.dumps.size() > 2;
}

/// Columns for one number: before, after, change, and the trend of a series.
void add_columns(std::vector<MarkdownTable::Column>& columns, const HeapDiff& diff,
                 const std::string& title) {
  columns.push_back({title, Align::right});
  columns.push_back({"→ Now", Align::right});
  columns.push_back({"Change", Align::right});
  if (is_series(diff)) {
    columns.push_back({"Trend"});
  }
}

void add_bytes(std::vector<std::string>& cells, const DiffSeries& series) {
  cells.push_back(bytes_at(series, 0));
  cells.push_back(bytes_at(series, series.values.size() - 1));
  cells.push_back(bytes_change(series));
  if (series.values.size() > 2) {
    cells.push_back(trend_text(series));
  }
}

std::string further(std::size_t all, std::size_t shown) {
  return all > shown ? "\n" + format_count(all - shown, "further row is", "further rows are") +
                           " in the JSON.\n"
                     : "";
}

/// The first rows of a table that `cells` makes.
template <typename Row, typename Cells>
std::string table_of(std::vector<MarkdownTable::Column> columns, const std::vector<Row>& rows,
                     std::size_t most, Cells&& cells) {
  MarkdownTable table(std::move(columns));
  const std::size_t shown = std::min(rows.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    table.row(cells(rows[i]));
  }
  return table.text() + further(rows.size(), shown);
}

std::string held_by(const std::optional<std::string>& holder,
                    const std::optional<std::string>& anchor) {
  if (!holder) {
    return "";
  }
  return md_cell(*holder) + (anchor ? " on " + md_cell(*anchor) : "");
}

std::string suspect_name(const DiffSuspect& suspect) {
  const bool group = suspect.kind == SuspectKind::group;
  return md_cell(suspect.label) +
         (group ? " (" + count_at(suspect.instances, 0) + " → " +
                      count_at(suspect.instances, suspect.instances.values.size() - 1) +
                      (suspect.instances.values.back() == 1 ? " instance)" : " instances)")
                : "");
}

std::string path_lines(const std::vector<DiffPath>& paths, std::size_t shown) {
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    out += std::to_string(i + 1) + ". " + md_code(paths[i].path) + "\n";
  }
  return out;
}

std::string count_cell(const std::optional<DiffSeries>& series) {
  return series ? count_change(*series) : "";
}

std::string content_cell(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 2); ++i) {
    out += (i == 0 ? "" : ", ") + md_cell(names[i]);
  }
  return out;
}

std::map<std::string, unsigned> class_name_uses(const std::vector<DiffClass>& rows) {
  std::map<std::string, unsigned> uses;
  for (const auto& row : rows) {
    ++uses[row.class_name];
  }
  return uses;
}

}  // namespace

std::string md_diff_suspects(const HeapDiff& diff) {
  std::vector<MarkdownTable::Column> columns{{"Suspect"}, {"Fate"}};
  add_columns(columns, diff, "Retained");
  columns.push_back({"Kept by"});
  return table_of(std::move(columns), diff.suspects, kOtherRows, [](const DiffSuspect& row) {
    std::vector<std::string> cells{suspect_name(row),
                                   moved(row.fate) ? suspect_fate_text(row.fate) : ""};
    add_bytes(cells, row.retained);
    cells.push_back(held_by(row.holder, row.anchor));
    return cells;
  });
}

std::string md_diff_paths(const HeapDiff& diff) {
  std::vector<MarkdownTable::Column> columns{{"#", Align::right}, {"Largest Object"}};
  add_columns(columns, diff, "Retained");
  columns.push_back({"Unshared", Align::right});
  columns.push_back({"Kept by"});
  std::size_t number = 0;
  const std::size_t shown = std::min(diff.paths.size(), kOtherRows);
  return table_of(
             std::move(columns), diff.paths, kOtherRows,
             [&](const DiffPath& row) {
               std::vector<std::string> cells{std::to_string(++number), md_cell(row.class_name)};
               add_bytes(cells, row.retained);
               cells.push_back(bytes_change(unshared_range(row)));
               cells.push_back(held_by(row.holder, row.anchor));
               return cells;
             }) +
         "\n" + path_lines(diff.paths, shown);
}

std::string md_diff_fields(const HeapDiff& diff) {
  std::vector<MarkdownTable::Column> columns{
      {"Field"}, {"Collections", Align::right}, {"Elements", Align::right}};
  add_columns(columns, diff, "Retained");
  columns.push_back({"Holds"});
  const auto lead = fields_text(diff);
  return (lead.empty() ? "" : md_text(lead) + "\n\n") +
         table_of(std::move(columns), diff.fields_held, kOtherRows, [](const DiffField& row) {
           std::vector<std::string> cells{field_words(row) + md_cell(row.field),
                                          count_cell(row.collections), count_cell(row.elements)};
           add_bytes(cells, row.retained);
           cells.push_back(content_cell(row.contents));
           return cells;
         });
}

std::string md_diff_classes(const HeapDiff& diff) {
  const auto uses = class_name_uses(diff.classes);
  bool added_up = false;
  std::vector<MarkdownTable::Column> columns{
      {"Class"}, {"Instances", Align::right}, {"Change", Align::right}, {"Shallow", Align::right}};
  add_columns(columns, diff, "Retained");
  const std::string table =
      table_of(std::move(columns), diff.classes, kClassRows, [&](const DiffClass& row) {
        const bool ambiguous = uses.at(row.class_name) > 1;
        added_up = added_up || row.added_up;
        std::vector<std::string> cells{
            md_cell(row.class_name) + (ambiguous ? " by " + md_cell(row.loader) : "") +
                (row.added_up ? copies_text(row.copies) : "") +
                (moved(row.fate) ? " (" + fate_text(row.fate) + ")" : ""),
            count_at(row.instances, row.instances.values.size() - 1), count_change(row.instances),
            bytes_change(row.shallow)};
        add_bytes(cells, row.retained);
        return cells;
      });
  return table + (added_up ? "\n" + std::string(kCopiesNote) + "\n" : "") + "\n" +
         same_classes_text(diff) + "\n";
}

std::string md_diff_packages(const HeapDiff& diff) {
  std::vector<MarkdownTable::Column> columns{
      {"Package"}, {"Classes", Align::right}, {"Instances", Align::right}};
  add_columns(columns, diff, "Shallow");
  return table_of(std::move(columns), diff.packages, kOtherRows, [](const DiffPackage& row) {
    std::vector<std::string> cells{md_cell(row.package), count_change(row.classes),
                                   count_change(row.instances)};
    add_bytes(cells, row.shallow);
    return cells;
  });
}

std::string md_diff_loaders(const HeapDiff& diff) {
  std::vector<MarkdownTable::Column> columns{{"Loaders of Class"},
                                             {"Loaders", Align::right},
                                             {"Change", Align::right},
                                             {"Classes", Align::right}};
  add_columns(columns, diff, "Retained");
  return table_of(std::move(columns), diff.loaders, kOtherRows, [](const DiffLoader& row) {
    std::vector<std::string> cells{md_cell(row.class_name),
                                   count_at(row.loaders, row.loaders.values.size() - 1),
                                   count_change(row.loaders), count_change(row.classes)};
    add_bytes(cells, row.retained ? *row.retained : row.shallow);
    return cells;
  });
}

std::string md_diff_threads(const HeapDiff& diff) {
  std::vector<MarkdownTable::Column> columns{
      {"Threads"}, {"Number", Align::right}, {"Change", Align::right}};
  add_columns(columns, diff, "Retained");
  return table_of(std::move(columns), *diff.threads, kOtherRows, [](const DiffThread& row) {
    std::vector<std::string> cells{md_cell(row.name),
                                   count_at(row.threads, row.threads.values.size() - 1),
                                   count_change(row.threads)};
    add_bytes(cells, row.retained);
    return cells;
  });
}

}  // namespace hprof
