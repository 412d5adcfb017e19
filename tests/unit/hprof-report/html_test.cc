#include "common/error.h"
#include "formats/html/bundle_bytes.h"
#include "formats/html/html_page.h"
#include "formats/html/html_parts.h"
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/gzip.h"
#include "formats/report/markdown.h"
#include "formats/report/report_json.h"
#include "formats/report/units.h"
#include "formats/report_file.h"
#include "sample_report.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <set>

namespace hprof {
namespace {

using namespace std::string_literals;

const std::array kHostile{
    "<script>alert(1)</script>"s,
    "</script><script>alert(1)</script>"s,
    "<!--<script>"s,
    "-->"s,
    "]]>"s,
    "\" onmouseover=\"alert(1)"s,
    "' onmouseover='alert(1)"s,
    "</title><img src=x onerror=alert(1)>"s,
    "</style></textarea></svg>"s,
    "javascript:alert(1)"s,
    "&lt;b&gt;&amp;"s,
    "a\u2028b\u2029c"s,
    "\u202egnp.exe"s,
    "nul\0nul"s,
    "\xed\xa0\x80 lone"s,
    "\xff\xfe stray"s,
    "line\nline\r\ttab"s,
    std::string(70'000, 'x') + "<b>",
};

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// What a browser would take for markup, or people could not see.
bool is_harmless(const std::string& text) {
  const bool markup = text.find_first_of("<>\"'") != std::string::npos;
  const bool unseen =
      text.find('\0') != std::string::npos || text.find('\n') != std::string::npos ||
      text.find("\u202e") != std::string::npos || text.find("\u2028") != std::string::npos;
  return !markup && !unseen;
}

std::string page_without_bundle(const Report& report) {
  std::string page = render_html(report);
  const auto style = page.find("<style>");
  page.erase(style, page.find("</style>") - style);
  const auto script = page.rfind("<script>");
  page.erase(script, page.rfind("</script>") - script);  // leaves that of the data
  return page;
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

std::string body_of(const Report& report) {
  const std::string page = page_without_bundle(report);
  const auto begin = page.find("<main");
  return page.substr(begin, page.find("</main>") - begin);
}

/// All strings of a JSON document become `text`.
void replace_strings(nlohmann::json& value, const std::string& text) {
  static const std::set<std::string> kWordsOfTheModel{
      "kind", "severity", "via", "strength", "out_of_memory", "section", "detail", "sections"};
  for (auto& [key, item] : value.items()) {
    const bool address = item.is_string() && item.get<std::string>().starts_with("0x");
    if (item.is_structured()) {
      replace_strings(item, text);
    } else if (item.is_string() && !address && kWordsOfTheModel.count(key) == 0) {
      item = text;
    }
  }
}

Report with_all_strings(const std::string& text) {
  StringSink sink;
  write_json(test::sample_report(), sink);
  auto document = nlohmann::json::parse(sink.text());
  replace_strings(document, text);
  return parse_json(document.dump(), "test");
}

TEST_CASE("every place of a page has its escaping, and none lets markup through") {
  for (const auto& text : kHostile) {
    CHECK(is_harmless(html_text(text)));
    CHECK(is_harmless(html_attribute(text)));
    CHECK(is_harmless(html_title(text)));
    CHECK(is_harmless(svg_text(text)));
    CHECK(
        html_fragment(text).find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789-_.") == std::string::npos);
  }
  CHECK(html_text("a<b>&\"'é😀") == "a&lt;b&gt;&amp;&quot;&#39;é😀");
  CHECK(html_text("\0\u202e\n"s) == "\\u0000\\u202e\\u000a");
  CHECK(html_text("\xed\xa0\x80") == "\ufffd\ufffd\ufffd");
  CHECK(html_fragment("class-0x1f <x>") == "class-0x1f.20.3cx.3e");
}

TEST_CASE("JSON in a script block stays the same JSON and cannot end the block") {
  for (const auto& text : kHostile) {
    const bool valid =
        text.find('\xed') == std::string::npos && text.find('\xff') == std::string::npos;
    const auto json = valid ? nlohmann::json{{"a", text}}.dump() : "{\"a\":\"" + text + "\"}";
    const auto written = html_json(json);
    CHECK(written.find_first_of("<>&") == std::string::npos);
    CHECK(written.find("\u2028") == std::string::npos);
    if (valid) {
      CHECK(nlohmann::json::parse(written) == nlohmann::json::parse(json));
    }
  }
}

TEST_CASE("names are shown whole up to a length, never empty, never cut within a character") {
  CHECK(shown_name("") == "(no name)");
  CHECK(shown_name("  ") == "(no name)");
  CHECK(shown_name("é") == "é");
  const std::string longest(300, 'x');
  CHECK(shown_name(longest) == longest);
  CHECK(shown_name(longest + "yz") == longest + "…");
}

TEST_CASE("base64") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("\xff\xfe\xfd\x00"s) == "//79AA==");
}

TEST_CASE("hostile text in every string of the model adds no element and no attribute") {
  const auto tags = occurrences(body_of(with_all_strings("x")), "<");
  for (const auto& text : kHostile) {
    if (text.find('\xed') != std::string::npos || text.find('\xff') != std::string::npos) {
      continue;
    }
    const std::string page = page_without_bundle(with_all_strings(text));
    CHECK(occurrences(page, "<script") == 1);
    CHECK(occurrences(page, "<img") == 0);
    CHECK(page.find("\u202e") == std::string::npos);
    CHECK(page.find('\0') == std::string::npos);
    const bool plain = text.find_first_of("\n<>") == std::string::npos;
    if (plain) {
      CHECK(occurrences(body_of(with_all_strings(text)), "<") == tags);
    }
  }
}

TEST_CASE("the page loads nothing, and its policy names its own script and style") {
  const std::string page = page_without_bundle(test::sample_report());
  for (const char* external : {"http://", "https://", "src=", "url(", "@import", "<link", "<base",
                               "<iframe", "<object", "<form", " style=", " onclick="}) {
    CHECK_MESSAGE(page.find(external) == std::string::npos, external);
  }
  const std::string policy(reinterpret_cast<const char*>(kPagePolicy), sizeof kPagePolicy);
  CHECK(policy.starts_with("default-src 'none'; script-src 'sha256-"));
  CHECK(policy.find("unsafe") == std::string::npos);
  CHECK(page.find("content=\"" + policy + "\"") != std::string::npos);
}

/// Numbers as they are written, "1,234" and "5.9" taken for one.
std::set<std::string> numbers_of(const std::string& text) {
  std::set<std::string> out;
  for (auto at = text.find_first_of("0123456789"); at != std::string::npos;) {
    const auto end = std::min(text.find_first_not_of("0123456789.,", at), text.size());
    auto number = text.substr(at, end - at);
    number.erase(number.find_last_not_of(".,") + 1);
    out.insert(number);
    at = text.find_first_of("0123456789", end);
  }
  return out;
}

TEST_CASE("every number of the Markdown stands in the page's text") {
  const auto in_page = numbers_of(text_of(body_of(test::sample_report())));
  const std::string markdown = render_markdown(test::sample_report());
  for (const auto& number : numbers_of(markdown.substr(markdown.find("## ")))) {
    CHECK_MESSAGE(in_page.count(number) == 1, number);
  }
}

TEST_CASE("data of a small report stands there as JSON, of a large one deflated") {
  HtmlPage page;
  page.data = R"({"a": "</script>"})";
  CHECK(html_page(page).find(R"(id="data">{"a": "\u003c/script\u003e"}</script>)") !=
        std::string::npos);
  page.data = "[\"" + std::string(100'000, '<') + "\"]";
  const std::string large = html_page(page);
  const std::string mark = "type=\"text/plain\" id=\"data\">";
  const auto begin = large.find(mark) + mark.size();
  std::string deflated;
  GzipEncoder encoder([&](std::string_view piece) { deflated.append(piece); });
  encoder.add(page.data);
  encoder.finish();
  CHECK(large.substr(begin, large.find("</script>", begin) - begin) == base64(deflated));
}

TEST_CASE("a page is the same whether it comes from the report or from its JSON") {
  const Report report = test::sample_report();
  StringSink json;
  write_json(report, json);
  CHECK(render_html(parse_json(json.text(), "test")) == render_html(report));
}

nlohmann::json sample_document() {
  StringSink sink;
  write_json(test::sample_report(), sink);
  return nlohmann::json::parse(sink.text());
}

void replace_numbers(nlohmann::json& value, std::uint64_t number) {
  for (auto& [key, item] : value.items()) {
    if (item.is_structured()) {
      replace_numbers(item, number);
    } else if (item.is_number() && key != "schema_version" && key != "stack") {
      item = number;
    }
  }
}

/// Renders the page of a document unless it is refused as no report.
bool renders(const nlohmann::json& document) {
  try {
    const auto report = parse_json(document.dump(), "test");
    return render_html(report).ends_with("</html>\n");
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::bad_data);
    return false;
  }
}

TEST_CASE("numbers of any size make a page") {
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    auto document = sample_document();
    replace_numbers(document, number);
    CHECK(renders(document));
  }
}

TEST_CASE("a report with any part left out or emptied makes a page or is refused") {
  const auto whole = sample_document();
  std::size_t rendered = 0;
  for (const auto& [section, content] : whole.items()) {
    for (const auto& [part, value] : content.is_object() ? content.items() : whole.items()) {
      auto document = whole;
      auto& parent = content.is_object() ? document[section] : document;
      parent.erase(part);
      rendered += renders(document) ? 1 : 0;
      if (value.is_array()) {
        parent[part] = nlohmann::json::array();
        rendered += renders(document) ? 1 : 0;
      }
    }
  }
  CHECK(rendered > 30);
}

TEST_CASE("a section that is not asked for is not linked") {
  auto report = test::sample_report();
  report.sections = std::vector<std::string>{"summary", "triage"};
  const std::string page = render_html(report);
  CHECK(page.find("<section id=\"summary\"") != std::string::npos);
  CHECK(page.find("<section id=\"top\"") == std::string::npos);
  CHECK(page.find("href=\"#top\"") == std::string::npos);
  CHECK(page.find("href=\"#suspect-1\"") == std::string::npos);
}

TEST_CASE("every link leads to an id that is there once") {
  const std::string page = page_without_bundle(test::sample_report());
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

TEST_CASE("a long table ends where the data of the page goes on") {
  auto report = test::sample_report();
  report.overview.histogram.resize(kMostRows + 3);
  for (std::size_t i = 0; i < report.overview.histogram.size(); ++i) {
    report.overview.histogram[i].class_address = {1000 + i};
  }
  const std::string page = body_of(report);
  CHECK(page.find("data-rows=\"503\"") != std::string::npos);
  CHECK(page.find("3 further rows are in the data of this page.") != std::string::npos);
  CHECK(occurrences(page, "<tr id=\"class-") == kMostRows);
}

TEST_CASE("bars are never longer than the cell and never vanish") {
  CHECK(bar_class(0, 10).empty());
  CHECK(bar_class(1, 0).empty());
  CHECK(bar_class(1, 1'000'000) == " b1");
  CHECK(bar_class(10, 10) == " b100");
  CHECK(bar_class(20, 10) == " b100");
  CHECK(bar_class(0xffffffffffffffffULL, 0xffffffffffffffffULL) == " b100");
}

TEST_CASE("a tree of hostile depth and width stays small") {
  DominatedObject root{{1}, "leaf", 1, 1, {}};
  for (int i = 0; i < 40; ++i) {
    const std::vector<DominatedObject> leaves(100, DominatedObject{{2}, "leaf", 1, 1, {}});
    DominatedObject above{{3}, "node", 1, 1, leaves};
    above.children.front() = root;
    root = above;
  }
  HtmlBody body;
  html_dominator_tree(Place(root, "tree"), body);
  CHECK(occurrences(body.html(), "<li") < 300);
  CHECK(occurrences(body.html(), "<li") == occurrences(body.html(), "</li>"));
}

}  // namespace
}  // namespace hprof
