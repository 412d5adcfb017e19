#include "common/error.h"
#include "diff_reports.h"
#include "formats/diff/diff_json.h"
#include "formats/diff/diff_markdown.h"
#include "formats/diff/diff_sections.h"
#include "formats/diff_file.h"
#include "formats/html/diff_columns.h"
#include "formats/html/html_diff.h"
#include "sample_diff.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <regex>
#include <set>

namespace hprof {
namespace {

using namespace std::string_literals;
using test::class_row;
using test::diff_of;
using test::heap_report;
using test::sample_diff;

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// The page without style and script, which are no part of the comparison.
std::string page_of(const HeapDiff& diff) {
  std::string page = render_html(diff);
  const auto style = page.find("<style>");
  page.erase(style, page.find("</style>") - style);
  const auto script = page.rfind("<script>");
  page.erase(script, page.rfind("</script>") - script);
  return page;
}

std::string body_of(const HeapDiff& diff) {
  const std::string page = page_of(diff);
  const auto begin = page.find("<main");
  return page.substr(begin, page.find("</main>") - begin);
}

/// The text between the tags, each tag as a space.
std::string text_of(const std::string& html) {
  std::string out;
  bool in_tag = false;
  for (const char c : html) {
    if (c == '<' || c == '>') {
      out += c == '<' ? " " : "";
      in_tag = c == '<';
    } else if (!in_tag) {
      out += c;
    }
  }
  return out;
}

/// Numbers as they are written, "1,234" and "5.9" taken for one.
std::set<std::string> numbers_of(const std::string& text) {
  constexpr auto kDigits = "0123456789";
  std::set<std::string> out;
  for (auto at = text.find_first_of(kDigits); at != std::string::npos;) {
    const auto end = std::min(text.find_first_not_of("0123456789.,", at), text.size());
    auto number = text.substr(at, end - at);
    number.erase(number.find_last_not_of(".,") + 1);
    out.insert(number);
    at = text.find_first_of(kDigits, end);
  }
  return out;
}

nlohmann::json document_of(const HeapDiff& diff) {
  StringSink sink;
  write_json(diff, sink);
  return nlohmann::json::parse(sink.text());
}

void replace_strings(nlohmann::json& value, const std::string& text) {
  static const std::set<std::string> kWordsOfTheModel{"kind",     "fate",        "trend",
                                                      "severity", "holder_kind", "status"};
  for (auto& [key, item] : value.items()) {
    if (item.is_structured()) {
      replace_strings(item, text);
    } else if (item.is_string() && kWordsOfTheModel.count(key) == 0) {
      item = text;
    }
  }
}

void replace_numbers(nlohmann::json& value, std::uint64_t number) {
  for (auto& [key, item] : value.items()) {
    if (item.is_structured()) {
      replace_numbers(item, number);
    } else if (item.is_number() && key != "schema_version") {
      item = number;
    }
  }
}

HeapDiff with_all_strings(const std::string& text) {
  auto document = document_of(sample_diff());
  replace_strings(document, text);
  return parse_diff_json(document.dump(), "test");
}

/// What stands in a column, found by the field that its head names, of a table of the page.
std::vector<std::string> column_values(const std::string& page, const std::string& table,
                                       const std::string& field) {
  const auto begin = page.find("data-table=\"" + table + "\"");
  const auto head = page.find("<tr>", begin);
  const auto named = page.find("data-f=\"" + field + "\"", head);
  const auto end = page.find("</table>", begin);
  REQUIRE(begin != std::string::npos);
  REQUIRE(named < end);
  const auto column = occurrences(page.substr(head, named - head), "<th ") - 1;
  std::vector<std::string> out;
  for (auto row = page.find("<tr>", named); row < end; row = page.find("<tr>", row + 1)) {
    auto cell = row;
    for (std::size_t i = 0; i <= column; ++i) {
      cell = page.find("<td", cell + 1);
    }
    const auto tag = page.substr(cell, page.find('>', cell) - cell);
    const auto value = tag.find("data-v=\"");
    out.push_back(value == std::string::npos
                      ? ""
                      : tag.substr(value + 8, tag.find('"', value + 8) - value - 8));
  }
  return out;
}

TEST_CASE("every filled section is in the page and its navigation") {
  const std::string page = page_of(sample_diff());
  for (const auto& section : diff_sections()) {
    CHECK(occurrences(page, "<section id=\"" + std::string(section.id) + "\"") == 1);
    CHECK(page.find("<li><a href=\"#" + std::string(section.id) + "\">") != std::string::npos);
  }
  const std::string small = page_of(diff_of({heap_report(0, 1000), heap_report(1, 1000)}));
  CHECK(small.find("<section id=\"gate\"") == std::string::npos);
  CHECK(small.find("href=\"#gate\"") == std::string::npos);
  CHECK(small.find("href=\"#classes\"") == std::string::npos);
}

TEST_CASE("every number of a comparison's Markdown stands in the page's text") {
  const auto check_numbers = [](const HeapDiff& diff) {
    const auto in_page = numbers_of(text_of(body_of(diff)));
    const std::string markdown = render_markdown(diff);
    const std::string body = markdown.substr(markdown.find("## "));
    const std::regex list_number("\n[0-9]+\\. ");
    for (const auto& number : numbers_of(std::regex_replace(body, list_number, "\n"))) {
      CHECK_MESSAGE(in_page.count(number) == 1, number);
    }
  };
  check_numbers(sample_diff());
  check_numbers(diff_of({heap_report(0, 5'000'000), heap_report(1, 1'234'567)}));
}

TEST_CASE("tables have the numbers of the JSON") {
  const HeapDiff diff = sample_diff();
  const std::string page = body_of(diff);
  const auto document = document_of(diff);
  const auto expect = [&](const std::string& table, const std::string& series) {
    for (const std::string part : {"/values/0", "/values/2", "/change"}) {
      std::string field = series + part;
      std::replace(field.begin(), field.end(), '/', '.');
      std::vector<std::string> expected;
      for (const auto& row : document[table]) {
        expected.push_back(row.at(nlohmann::json::json_pointer("/" + series + part)).dump());
      }
      CHECK_FALSE(expected.empty());
      CHECK(column_values(page, table, field) == expected);
    }
  };
  expect("totals", "series");
  expect("suspects", "retained");
  expect("paths", "retained");
  expect("fields", "retained");
  expect("classes", "retained");
  expect("classes", "instances");
  expect("packages", "shallow");
  expect("loaders", "shallow");
  expect("threads", "retained");
}

TEST_CASE("what shrank is marked by a sign and a word") {
  const auto row = class_row("a.B", "<system class loader>", 500, 8'000'000, 8'000'000);
  const auto less = class_row("a.B", "<system class loader>", 200, 3'000'000, 3'000'000);
  const auto other = class_row("a.New", "<system class loader>", 1, 16, 16);
  const auto old = class_row("a.Old", "<system class loader>", 1, 16, 16);
  const std::string page = body_of(
      diff_of({heap_report(0, 9'000'000, {row, old}), heap_report(1, 4'000'000, {less, other})}));
  CHECK(column_values(page, "classes", "instances.change").front() == "-300");
  CHECK(page.find(">−300<") != std::string::npos);
  CHECK(page.find("<td>shrunk</td>") != std::string::npos);
  CHECK(page.find("<span class=\"badge\">new</span>") != std::string::npos);
  CHECK(page.find("<span class=\"badge\">gone</span>") != std::string::npos);
  CHECK(page.find("class=\"spark\"") == std::string::npos);
}

TEST_CASE("a figure that only bounds are known of shows them, in cells and lines") {
  const auto series = make_series({{0, 2000}, {0, 4000}, exactly(4000)});
  CHECK(value_cell(CellKind::bytes, series, 0).markup == "≤ 2.0 KiB");
  CHECK(value_cell(CellKind::bytes, series, 0).tooltip == "0 to 2,000 bytes");
  CHECK(value_cell(CellKind::count, series, 1).markup == "≤ 4,000");
  CHECK(change_cell(CellKind::bytes, series).markup == "≥ +2.0 KiB");
  CHECK(change_cell(CellKind::bytes, series).tooltip == "+2,000 to +4,000 bytes");
  CHECK(change_cell(CellKind::bytes, series).number == SignedCount{false, 2000});
  const auto line = sparkline_cell(CellKind::bytes, series).markup;
  CHECK(line.find("aria-label=\"≤ 2.0 KiB, ≤ 3.9 KiB, 3.9 KiB\"") != std::string::npos);
  CHECK(line.find("points=\"2,20 38,20 74,2\"") != std::string::npos);
  CHECK(line.find("d=\"M2 20V11M38 20V2\"") != std::string::npos);
  const auto nothing = sparkline_cell(CellKind::bytes, exact_series({0, 0, 0})).markup;
  CHECK(nothing.find("points=\"2,20 38,20 74,20\"") != std::string::npos);
}

TEST_CASE("growth at every step is marked, with a line over all dumps") {
  const std::string page =
      body_of(diff_of({heap_report(0, 1000), heap_report(1, 2000), heap_report(2, 3000)}));
  CHECK(page.find("<b><span class=\"brief\">every step</span></b>") != std::string::npos);
  CHECK(page.find("points=\"2,14 38,8 74,2\"") != std::string::npos);
  CHECK(page.find(">Dump 3</th>") != std::string::npos);
}

TEST_CASE("hostile text in every string of a comparison adds no element and no attribute") {
  const std::array kHostile{"<script>alert(1)</script>"s,
                            "</script><script>alert(1)</script>"s,
                            "<!--<script>"s,
                            "\" onmouseover=\"alert(1)"s,
                            "' onmouseover='alert(1)"s,
                            "</title><img src=x onerror=alert(1)>"s,
                            "</style></textarea></svg>"s,
                            "&lt;b&gt;&amp;"s,
                            "a\u2028b\u2029c"s,
                            "\u202egnp.exe"s,
                            "nul\0nul"s,
                            "line\nline\r\ttab"s,
                            std::string(70'000, 'x') + "<b>"};
  const std::string harmless = page_of(with_all_strings("x"));
  for (const auto& text : kHostile) {
    const std::string page = page_of(with_all_strings(text));
    CHECK(occurrences(page, "<script") == occurrences(harmless, "<script"));
    CHECK(occurrences(page, "<img") == 0);
    CHECK(page.find("\u202e") == std::string::npos);
    CHECK(page.find("\u2028") == std::string::npos);
    CHECK(page.find('\0') == std::string::npos);
    const std::string body = body_of(with_all_strings(text));
    CHECK(occurrences(body, "<") == occurrences(body_of(with_all_strings("x")), "<"));
    CHECK(occurrences(body, "\"") == occurrences(body_of(with_all_strings("x")), "\""));
  }
}

TEST_CASE("the page of a comparison loads nothing and has no style of its own") {
  const std::string page = page_of(sample_diff());
  for (const char* external : {"http://", "https://", "src=", "url(", "@import", "<link", "<base",
                               "<iframe", "<object", "<form", " style=", " onclick="}) {
    CHECK_MESSAGE(page.find(external) == std::string::npos, external);
  }
  CHECK(page.find("Content-Security-Policy\" content=\"default-src 'none'") != std::string::npos);
}

TEST_CASE("the page is the same whether it comes from a comparison or from its JSON") {
  const HeapDiff diff = sample_diff();
  CHECK(render_html(parse_diff_json(document_of(diff).dump(), "test")) == render_html(diff));
}

TEST_CASE("numbers of any size make a page of a comparison") {
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    auto document = document_of(sample_diff());
    replace_numbers(document, number);
    CHECK(render_html(parse_diff_json(document.dump(), "test")).ends_with("</html>\n"));
  }
}

TEST_CASE("a page of very many changed classes stays short and says how many it leaves out") {
  std::vector<HistogramRow> rows;
  for (unsigned i = 0; i < kMostDiffRows + 7; ++i) {
    rows.push_back(class_row("a.C" + std::to_string(i), "<system class loader>", 1, 16, 16 + i));
  }
  const auto diff = diff_of({heap_report(0, 1'000'000), heap_report(1, 2'000'000, rows)});
  const std::string page = body_of(diff);
  CHECK(page.find("7 further rows are in the data of this page.") != std::string::npos);
  CHECK(column_values(page, "classes", "retained.change").size() == kMostDiffRows);
}

TEST_CASE("links within the page of a comparison lead somewhere") {
  const std::string page = page_of(sample_diff());
  std::set<std::string> ids;
  for (auto at = page.find(" id=\""); at != std::string::npos; at = page.find(" id=\"", at + 1)) {
    const auto id = page.substr(at + 5, page.find('"', at + 5) - at - 5);
    CHECK_MESSAGE(ids.insert(id).second, id);
  }
  for (auto at = page.find("href=\"#"); at != std::string::npos;
       at = page.find("href=\"#", at + 1)) {
    const auto id = page.substr(at + 7, page.find('"', at + 7) - at - 7);
    CHECK_MESSAGE(ids.count(id) == 1, id);
  }
}

TEST_CASE("the format of a comparison follows -f or the file's name") {
  CHECK(diff_format("html", "x.md") == ReportFormat::html);
  CHECK(diff_format("", "x.html") == ReportFormat::html);
  CHECK(diff_format("", "x.html.gz") == ReportFormat::html);
  CHECK(diff_format("", "x.htm") == ReportFormat::html);
  CHECK(diff_format("md", "x.html") == ReportFormat::markdown);
  CHECK_THROWS_AS(diff_format("", "x.md-graphs"), Error);
}

}  // namespace
}  // namespace hprof
