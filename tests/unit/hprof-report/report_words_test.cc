#include "formats/report/report_words.h"

#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/markdown.h"
#include "sample_report.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

/// Whether Markdown and page have the words.
bool both_say(const Report& report, std::string_view words) {
  return render_markdown(report).find(words) != std::string::npos &&
         render_html(report).find(html_text(words)) != std::string::npos;
}

TEST_CASE("the table of collections by field says what its contents are") {
  Report report = test::sample_report();
  CHECK(both_say(report, kContentsOfFields));
  report.collections->by_field.reset();
  CHECK_FALSE(both_say(report, kContentsOfFields));
}

TEST_CASE("Markdown and page tell the GC roots that were left out alike") {
  Report report = test::sample_report();
  report.overview.roots_left_out = 1234;
  CHECK(both_say(report, "without 1,234 roots of interned strings and inside the VM"));
  report.overview.roots_left_out.reset();
  report.overview.root_policy = "dump";
  CHECK(root_policy_text(report.overview) == "the dump's own");
}

}  // namespace
}  // namespace hprof
