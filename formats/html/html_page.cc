#include "formats/html/html_page.h"

#include "formats/html/bundle_bytes.h"
#include "formats/html/html_text.h"
#include "formats/report/gzip.h"

#include <string_view>

namespace hprof {
namespace {

/// Larger data is deflated.
constexpr std::size_t kPlainData = 1U << 15U;

template <std::size_t kSize>
std::string_view bundled(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize};
}

std::string head(const HtmlPage& page) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      R"(<meta http-equiv="Content-Security-Policy" content=")";
  out += bundled(kPagePolicy);
  out +=
      "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";
  out += html_title(page.title) + "</title>\n<style>";
  out += bundled(kPageStyle);
  out += "</style>\n</head>\n";
  return out;
}

std::string navigation(const std::vector<PageLink>& links) {
  std::string out = "<nav id=\"nav\" aria-label=\"Sections\">\n<ul>\n";
  for (const auto& link : links) {
    out += R"(<li><a href="#)" + html_fragment(link.id) + R"(">)" + html_text(link.title) +
           "</a></li>\n";
  }
  return out + "</ul>\n</nav>\n";
}

std::string data_block(const std::string& json) {
  if (json.size() <= kPlainData) {
    return R"(<script type="application/json" id="data">)" + html_json(json) + "</script>\n";
  }
  std::string deflated;
  GzipEncoder encoder([&](std::string_view piece) { deflated.append(piece); });
  encoder.add(json);
  encoder.finish();
  return R"(<script type="text/plain" id="data">)" + base64(deflated) + "</script>\n";
}

}  // namespace

std::string html_page(const HtmlPage& page) {
  std::string out = head(page) +
                    "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n"
                    "<header id=\"head\">\n<p class=\"kind\">" +
                    html_text(page.heading) + "</p>\n<h1>" + html_text(shown_name(page.name)) +
                    "</h1>\n<p class=\"origin\">" + html_text(page.origin) +
                    "</p>\n<div id=\"tools\"></div>\n</header>\n" + navigation(page.links) +
                    "<main id=\"main\" tabindex=\"-1\">\n" + page.body + "</main>\n" +
                    data_block(page.data) + "<script>";
  out += bundled(kPageScript);
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace hprof
