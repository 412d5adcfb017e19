// The two Markdown formats say the same; one of them also draws it.
#include "common/error.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/markdown_tree.h"
#include "sample_report.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace hprof {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Every run of digits, in reading order.
std::vector<std::string> numbers_of(const std::string& text) {
  std::vector<std::string> numbers;
  bool inside = false;
  for (const char c : text) {
    if (is_digit(c) && !inside) {
      numbers.emplace_back();
    }
    inside = is_digit(c);
    if (inside) {
      numbers.back() += c;
    }
  }
  return numbers;
}

std::vector<std::string> headings_of(const std::string& text) {
  std::vector<std::string> headings;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text[at] == '#') {
      headings.push_back(text.substr(at, end - at));
    }
    at = end + 1;
  }
  return headings;
}

TEST_CASE("md and md-graphs have the same headings and the same numbers") {
  const Report report = test::sample_report();
  const std::string plain = render_markdown(report, MarkdownStyle::plain);
  const std::string graphs = render_markdown(report, MarkdownStyle::graphs);
  CHECK(plain != graphs);
  CHECK(headings_of(plain).size() > 15);
  CHECK(headings_of(plain) == headings_of(graphs));
  CHECK(numbers_of(plain).size() > 200);
  CHECK(numbers_of(plain) == numbers_of(graphs));
}

TEST_CASE("a bar is as long as its share of the largest, and never nothing for something") {
  CHECK(text_bar(0, 0) == "");
  CHECK(text_bar(0, 8) == "");
  CHECK(text_bar(8, 8, 2) == "██");
  CHECK(text_bar(5, 8, 2) == "█▎");
  CHECK(text_bar(4, 8, 2) == "█");
  CHECK(text_bar(1, 1'000'000, 2) == "▏");
  const std::uint64_t huge = 0xffffffffffffffffULL;
  CHECK(text_bar(huge, huge, 3) == "███");
  CHECK(text_bar(huge / 2, huge, 2) == "▉");
  CHECK(text_bar(huge / 2 + 1, huge, 2) == "█");
  CHECK_THROWS_AS(text_bar(2, 1), Error);
}

TEST_CASE("a sparkline has one character per amount") {
  CHECK(sparkline({}) == "");
  CHECK(sparkline({8, 4, 1, 0, 8}) == "█▄▁ █");
  CHECK(sparkline({0, 0}) == "  ");
  CHECK(md_sparkline(MarkdownStyle::graphs, "By rank", {2, 1}) == "\n`█▄` By rank\n");
  CHECK(md_sparkline(MarkdownStyle::plain, "By rank", {2, 1}) == "");
  CHECK(md_sparkline(MarkdownStyle::graphs, "By rank", {2}) == "");
  CHECK(md_sparkline(MarkdownStyle::graphs, "By rank", {0, 0}) == "");
}

TEST_CASE("bars are a last column of tables whose rows have amounts") {
  MarkdownTable table({{"Name"}, {"Bytes", Align::right}});
  table.row({"`a`", "16 B"}, 16);
  table.row({"`b`", ""});
  table.row({"`c`", "8 B"}, 8);
  CHECK(table.text(MarkdownStyle::plain) ==
        "| Name | Bytes |\n"
        "|------|------:|\n"
        "| `a`  |  16 B |\n"
        "| `b`  |       |\n"
        "| `c`  |   8 B |\n");
  CHECK(table.text(MarkdownStyle::graphs) ==
        "| Name | Bytes | Bar                  |\n"
        "|------|------:|----------------------|\n"
        "| `a`  |  16 B | ████████████████████ |\n"
        "| `b`  |       |                      |\n"
        "| `c`  |   8 B | ██████████           |\n");
  MarkdownTable facts({{"Fact"}, {"Value"}});
  facts.row({"a", "0 B"}, 0);
  CHECK(facts.text(MarkdownStyle::graphs) == facts.text(MarkdownStyle::plain));
}

MarkdownTree small_tree() {
  MarkdownTree tree;
  tree.node(0, "<all>", "8 B", 8);
  tree.node(1, "a_b", "6 B", 6);
  tree.node(2, "c", "4 B", 4);
  tree.node(3, "d", "1 B", 1);
  tree.node(2, "e", "2 B", 2);
  tree.node(1, "f", "2 B", 2);
  tree.node(2, "g", "0 B", 0);
  return tree;
}

TEST_CASE("a tree is a nested list, or lines with branches") {
  CHECK(small_tree().text(MarkdownStyle::plain) ==
        "- `<all>`: 8 B\n"
        "  - `a_b`: 6 B\n"
        "    - `c`: 4 B\n"
        "      - `d`: 1 B\n"
        "    - `e`: 2 B\n"
        "  - `f`: 2 B\n"
        "    - `g`: 0 B\n");
  CHECK(small_tree().text(MarkdownStyle::graphs) ==
        "```\n"
        "<all>       8 B  ████████████████████\n"
        "├─ a_b      6 B  ███████████████\n"
        "│  ├─ c     4 B  ██████████\n"
        "│  │  └─ d  1 B  ██▌\n"
        "│  └─ e     2 B  █████\n"
        "└─ f        2 B  █████\n"
        "   └─ g     0 B\n"
        "```\n");
  MarkdownTree orphan;
  CHECK_THROWS_AS(orphan.node(1, "a", "", 0), Error);
}

TEST_CASE("a hostile name stays inside its line of a drawn tree") {
  MarkdownTree tree;
  tree.node(0, "````\n# heading", "1 B", 1);
  tree.node(1, "", "1 B", 1);
  CHECK(tree.text(MarkdownStyle::graphs) ==
        "`````\n"
        "````\\u000a# heading  1 B  ████████████████████\n"
        "└─ (no name)         1 B  ████████████████████\n"
        "`````\n");
}

}  // namespace
}  // namespace hprof
