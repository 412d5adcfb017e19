// The glossary is written once, for Markdown: lists whose lines begin with "- ", bold terms, code
// spans and a heading. It holds nothing from the dump.
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/markdown.h"

namespace hprof {
namespace {

/// Bold and code spans to elements.
std::string inline_markup(std::string_view text) {
  std::string out;
  bool bold = false;
  bool in_code = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at, 2) == "**") {
      out += bold ? "</b>" : "<b>";
      bold = !bold;
      ++at;
    } else if (text[at] == '`') {
      out += in_code ? "</code>" : "<code>";
      in_code = !in_code;
    } else {
      const auto end = text.find_first_of("*`", at + 1);
      const auto plain = text.substr(at, end == std::string_view::npos ? end : end - at);
      out += html_text(plain);
      at += plain.size() - 1;
    }
  }
  return out;
}

}  // namespace

void html_glossary(const Place<Report>& report, HtmlBody& body) {
  const std::string text = md_glossary(*report, MarkdownStyle::plain);
  bool in_list = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    const bool item = line.starts_with("- ");
    if (item != in_list && !line.empty()) {
      body.add(item ? "<ul class=\"glossary\">\n" : "</ul>\n");
      in_list = item;
    }
    if (item) {
      body.add("<li>" + inline_markup(line.substr(2)) + "</li>\n");
    } else if (line.starts_with("### ")) {
      body.heading(3, line.substr(4));
    }
  }
  body.add(in_list ? "</ul>\n" : "");
}

}  // namespace hprof
