#include "formats/mat/html_page.h"

#include "common/error.h"
#include "tests/unit/mat-diff/mat_pages.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::test;

namespace {

HtmlPage parse(const std::string& content) {
  return HtmlPage::parse(mat_page("Title", content), "x.html");
}

}  // namespace

TEST_CASE("a page is sections by heading, with the header and footer left out") {
  const auto page = parse(
      "before<h1>One</h1>text <h5><a href=\"#\">x</a><a href=\"pages/t.html\">Two</a></h5>more");
  CHECK(page.title == "Title");
  REQUIRE(page.sections.size() == 3);
  CHECK(page.sections[0].prose.front().text == "before");
  CHECK(page.sections[1].heading == "One");
  CHECK(page.sections[2].heading == "xTwo");
  CHECK(page.sections[2].href == "pages/t.html");
  CHECK(page.section("One") == &page.sections[1]);
  CHECK(page.section("Three") == nullptr);
  CHECK(page.sections[2].prose.back().text == "more");
}

TEST_CASE("cells give art, first line, link and address") {
  const auto page = parse(mat_table(
      {"A", "B"}, {{object_cell(0x10, "a.B @ 0x10  two  blanks", "|.+") + " more", "1,234<br>x"}},
      {"Total: 1 entry", "9"}));
  REQUIRE(page.sections.front().tables.size() == 1);
  const auto& table = page.sections.front().tables.front();
  CHECK(table.columns == std::vector<std::string>{"A", "B"});
  REQUIRE(table.rows.size() == 2);
  const auto& cell = table.rows[0].cells[0];
  CHECK(cell.art == "|.+");
  CHECK(cell.name == "a.B @ 0x10  two  blanks");
  CHECK(cell.address == 0x10);
  CHECK(table.rows[0].cells[1].text == "1,234");
  CHECK_FALSE(table.rows[0].totals);
  CHECK(table.rows[1].totals);
  CHECK(table.rows[1].cells[0].text == "Total: 1 entry");
}

TEST_CASE("the variable parts of a sentence are marked, and entities are text") {
  const auto page = parse(
      "<p>3 of <strong><q>&lt;x&gt;</q></strong>, "
      "<strong>a<strong>b</strong></strong>.</p><ul><li>item</li></ul>");
  const auto& prose = page.sections.front().prose;
  REQUIRE(prose.size() == 2);
  CHECK(prose[0].text == "3 of \x01, \x01.");
  CHECK(prose[0].bold == std::vector<std::string>{"<x>", "ab"});
  CHECK_FALSE(prose[0].list_item);
  CHECK(prose[1].list_item);
}

TEST_CASE("a mark in the text itself cannot pass for a variable part") {
  const auto page = parse("a\x01 b<strong>c</strong>");
  const auto& text = page.sections.front().prose.front().text;
  CHECK(text.find(HtmlProse::kMark) == text.size() - 1);
}

TEST_CASE("tag soup is taken") {
  for (const auto* soup :
       {"<p><p></strong><h2>x<table><td>1<tr><td>2", "<strong>open <h3>h</strong></h3>",
        "</div></div></body>x", "<table><table><tr><td><table><td>x</table>",
        "&#0;&#x110000;&nosuch;&lt", "<a href=\"mat://object/0xzz\">x</a>"}) {
    CAPTURE(soup);
    CHECK_NOTHROW(parse(soup));
  }
}

TEST_CASE("deep nesting needs no deep stack") {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) {
    deep += "<div>";
  }
  CHECK_NOTHROW(parse(deep));
}

TEST_CASE("a cut page, an empty one and one without title give a sentence") {
  const auto whole = mat_page("Title", "content");
  for (const std::string& bytes :
       {std::string{}, std::string("</html>"), whole.substr(0, whole.size() - 1),
        whole.substr(0, 40), std::string("\0</html>", 8), std::string("<p>x</p></html>")}) {
    try {
      HtmlPage::parse(bytes, "x.html");
      FAIL("taken");
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::bad_data);
      CHECK(std::string(error.what()).starts_with("x.html: "));
    }
  }
}
