// Cells carry the numbers of the JSON, with their sign, in data-v; what is shown is rounded, or
// says between which bounds a figure lies.
#include "common/text.h"
#include "formats/diff/diff_text.h"
#include "formats/html/diff_columns.h"
#include "formats/html/html_diff.h"
#include "formats/html/html_text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kSparkHeight = 18;
constexpr std::uint64_t kSparkWidth = 72;
constexpr std::uint64_t kSparkMargin = 2;
constexpr std::uint64_t kAllOfIt = 10'000;

std::string attribute_of(std::string_view name, std::string_view value) {
  return value.empty() ? "" : " " + std::string(name) + R"(=")" + html_attribute(value) + R"(")";
}

std::string signed_text(SignedCount number) {
  return (number.negative ? "-" : "") + std::to_string(number.amount);
}

bool is_number(CellKind kind) {
  return kind == CellKind::bytes || kind == CellKind::count || kind == CellKind::share;
}

std::uint64_t most_at(const DiffSeries& series, std::size_t dump) {
  return series.at_most ? (*series.at_most)[dump] : series.values[dump];
}

std::string exact_bytes(const DiffSeries& series, std::size_t dump) {
  const auto least = series.values[dump];
  const auto most = most_at(series, dump);
  const Worth worth = worth_at(series, dump);
  if (worth != Worth::told) {
    return grouped(least) + (worth == Worth::at_least ? " bytes at least" : " bytes were read");
  }
  if (least == most) {
    return least < 1024 ? "" : grouped(least) + " bytes";
  }
  return grouped(least) + " to " + format_count(most, "byte", "bytes");
}

std::string range_bytes(const ChangeRange& range) {
  const auto least = range.least ? change_in_count(*range.least) : "";
  const auto most = range.most ? change_in_count(*range.most) : "";
  return (!range.most    ? "at least " + least
          : !range.least ? "at most " + most
                         : least + " to " + most) +
         " bytes";
}

/// Sorted by what was read, without a bar.
DiffCell unknown_change(CellKind kind, SignedCount change) {
  return {"unknown", change,
          change_in_count(change) + (kind == CellKind::bytes ? " bytes" : "") + " in what was read",
          false};
}

std::string value_text(CellKind kind, const DiffSeries& series, std::size_t dump) {
  return kind == CellKind::bytes ? bytes_at(series, dump) : count_at(series, dump);
}

/// The largest figure that may be.
std::uint64_t scale_of(const DiffSeries& series) {
  std::uint64_t out = 0;
  for (std::size_t at = 0; at < series.values.size(); ++at) {
    out = std::max(out, most_at(series, at));
  }
  return out;
}

std::string spark_x(std::size_t dump, std::size_t dumps) {
  return std::to_string(kSparkMargin + dump * kSparkWidth / (dumps - 1));
}

std::string spark_y(std::uint64_t value, std::uint64_t scale) {
  const auto part = share_bp(std::min(value, scale), scale);
  const auto height = (part * kSparkHeight + kAllOfIt / 2) / kAllOfIt;
  return std::to_string(kSparkMargin + kSparkHeight - height);
}

/// Upright lines where only bounds are known.
std::string spark_bounds(const DiffSeries& series, std::uint64_t scale) {
  std::string out;
  for (std::size_t at = 0; at < series.values.size(); ++at) {
    if (most_at(series, at) != series.values[at]) {
      out += "M" + spark_x(at, series.values.size()) + " " + spark_y(series.values[at], scale) +
             "V" + spark_y(most_at(series, at), scale);
    }
  }
  return out.empty() ? "" : R"(<path stroke-dasharray="2 2" d=")" + out + R"("/>)";
}

std::uint64_t largest_rise(const DiffTable& table, std::size_t column, std::size_t rows) {
  std::uint64_t out = 0;
  for (std::size_t row = 0; table.columns[column].bar && row < rows; ++row) {
    const auto cell = table.cell(row, column);
    out = std::max(out, cell.bar ? rise(cell.number.value_or(SignedCount())) : 0);
  }
  return out;
}

std::string head_cell(const ColumnInfo& info) {
  return R"(<th scope="col")" + attribute_of("class", is_number(info.kind) ? "n" : "") +
         attribute_of("data-k", word_of(info.kind)) + attribute_of("data-f", info.field) +
         attribute_of("title", info.help) + ">" + html_text(info.title) + "</th>";
}

std::string body_cell(const ColumnInfo& info, const DiffCell& cell, std::uint64_t largest) {
  const std::string css_class =
      (is_number(info.kind) ? "n" : "") +
      (info.bar && cell.bar && cell.number ? bar_class(rise(*cell.number), largest) : "");
  return "<td" + attribute_of("class", css_class) +
         attribute_of("data-v", cell.number ? signed_text(*cell.number) : "") +
         attribute_of("title", cell.tooltip) + ">" + cell.markup + "</td>";
}

}  // namespace

std::string diff_name(std::string_view name) {
  return "<code>" + html_text(shown_name(name)) + "</code>";
}

DiffCell number_cell(CellKind kind, std::uint64_t number) {
  return {figure_text(kind, number), SignedCount{false, number},
          kind == CellKind::bytes && number >= 1024 ? grouped(number) + " bytes" : ""};
}

DiffCell value_cell(CellKind kind, const DiffSeries& series, std::size_t dump) {
  return {html_text(value_text(kind, series, dump)), SignedCount{false, series.values[dump]},
          kind == CellKind::bytes ? exact_bytes(series, dump) : ""};
}

DiffCell change_cell(CellKind kind, SignedCount change) {
  const bool bytes = kind == CellKind::bytes;
  return {html_text(bytes ? change_in_bytes(change) : change_in_count(change)), change,
          bytes && change.amount >= 1024 ? change_in_count(change) + " bytes" : ""};
}

DiffCell change_cell(CellKind kind, const ChangeRange& range) {
  if (range.unknown) {
    return unknown_change(kind, range.change);
  }
  if (range.is_exact()) {
    return change_cell(kind, range.change);
  }
  const bool bytes = kind == CellKind::bytes;
  return {html_text(bytes ? bytes_change(range) : count_change(range)), range.change,
          bytes ? range_bytes(range) : ""};
}

DiffCell change_cell(CellKind kind, const DiffSeries& series) {
  return change_cell(kind, range_of(series));
}

DiffCell change_share_cell(const DiffSeries& series) {
  if (!series.change_bp) {
    return {};
  }
  const bool moved = series.change.amount != 0;
  return {moved ? html_text(change_in_share(*series.change_bp)) : "", *series.change_bp, ""};
}

DiffCell trend_cell(const DiffSeries& series) {
  const auto words = R"(<span class="brief">)" + html_text(trend_text(series)) + "</span>";
  const bool marked = series.trend == Trend::monotonic && !has_damage(series);
  return {marked ? "<b>" + words + "</b>" : words, std::nullopt, ""};
}

DiffCell sparkline_cell(CellKind kind, const DiffSeries& series) {
  const auto scale = scale_of(series);
  std::string values;
  std::string points;
  for (std::size_t at = 0; at < series.values.size(); ++at) {
    values += (at == 0 ? "" : ", ") + value_text(kind, series, at);
    points += (at == 0 ? "" : " ") + spark_x(at, series.values.size()) + "," +
              spark_y(series.values[at], scale);
  }
  return {R"(<svg class="spark" role="img" aria-label=")" + html_attribute(values) +
              R"(" width="76" height="22" viewBox="0 0 76 22" fill="none" stroke="currentColor">)" +
              "<title>" + svg_text(values) + R"(</title><polyline stroke-width="1.5" points=")" +
              points + R"("/>)" + spark_bounds(series, scale) + "</svg>",
          std::nullopt, ""};
}

DiffCell fate_cell(Fate fate, const std::string& words) {
  return {moved(fate) ? R"(<span class="badge">)" + words + "</span>" : words, std::nullopt, ""};
}

DiffCell fate_cell(Fate fate) {
  return fate_cell(fate, fate_text(fate));
}

Fate fate_by(const DiffSeries& series) {
  if (series.change.amount == 0) {
    return told_fate(Fate::same, series);
  }
  if (series.change.negative) {
    return told_fate(most_at(series, series.values.size() - 1) == 0 ? Fate::gone : Fate::shrunk,
                     series);
  }
  return told_fate(most_at(series, 0) == 0 ? Fate::created : Fate::grown, series);
}

void html_diff_table(const DiffTable& table, HtmlBody& body) {
  const std::size_t shown = std::min(table.count, kMostDiffRows);
  std::vector<std::uint64_t> largest(table.columns.size());
  body.add("<div class=\"scroll\" tabindex=\"0\">\n<table" +
           attribute_of("data-table", table.path) + attribute_of("data-search", table.what) +
           R"( data-rows=")" + std::to_string(table.count) + "\"><thead><tr>" +
           (table.numbered ? R"(<th scope="col" class="n" data-k="number">#</th>)" : ""));
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    largest[column] = largest_rise(table, column, shown);
    body.add(head_cell(table.columns[column]));
  }
  body.add("</tr></thead>\n<tbody>\n");
  for (std::size_t row = 0; row < shown; ++row) {
    body.add("<tr>" + (table.numbered ? R"(<td class="n">)" + grouped(row + 1) + "</td>" : ""));
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      body.add(body_cell(table.columns[column], table.cell(row, column), largest[column]));
    }
    body.add("</tr>\n");
  }
  body.add("</tbody></table></div>\n");
  if (table.count > shown) {
    body.note(format_count(table.count - shown, "further row is", "further rows are") +
              " in the data of this page.");
  }
}

}  // namespace hprof
