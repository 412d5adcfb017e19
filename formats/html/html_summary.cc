// The first screen: the verdict, six figures, the suspects, where the memory is; then the triage.
#include "common/text.h"
#include "formats/html/html_parts.h"
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/caveats.h"
#include "formats/report/sections.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kWhole = 10'000;

void key_figures_cards(const Report& report, HtmlBody& body) {
  body.add("<dl class=\"cards\">\n");
  for (const auto& figure : key_figures(report)) {
    body.add("<div><dt>" + html_text(figure.title) + "</dt><dd>" + html_text(figure.value) +
             "</dd></div>\n");
  }
  body.add("</dl>\n");
}

void suspect_card(const Place<Suspect>& place, std::size_t number, bool linked, HtmlBody& body) {
  const auto& suspect = *place;
  const bool single = suspect.kind == SuspectKind::single;
  body.add(R"(<li class="suspect"><div>)");
  if (linked) {
    body.link("suspect-" + std::to_string(number), "Suspect " + std::to_string(number));
  } else {
    body.text("Suspect " + std::to_string(number));
  }
  body.add(" ");
  body.code(single ? suspect.label : suspect.class_name);
  body.add(R"(</div><div class="share)" + bar_class(suspect.retained_bp, kWhole) + R"("><b>)" +
           format_bytes(suspect.retained) + "</b> (" + format_share(suspect.retained_bp) + ")" +
           (single ? "" : ", " + format_count(suspect.instances, "instance", "instances")) +
           "</div>");
  const auto& keeper = suspect.holder ? suspect.holder : suspect.anchor;
  if (keeper) {
    body.add(R"(<div class="keeper">kept alive by )");
    body.sentence(holder_sentence(*keeper));
    body.add("</div>");
  }
  body.add("</li>\n");
}

void suspects(const Place<Report>& report, HtmlBody& body) {
  const auto all = report.sub(&Report::leaks).sub(&Leaks::suspects);
  if (all->empty()) {
    return;
  }
  body.heading(3, "Suspects");
  body.add("<ol class=\"suspects\">\n");
  const auto shown = std::min(all->size(), kSummarySuspects);
  for (std::size_t i = 0; i < shown; ++i) {
    suspect_card(all.at(i), i + 1, shows_section(*report, "leaks"), body);
  }
  body.add("</ol>\n");
  if (all->size() > shown) {
    body.add(R"(<p class="note">)" +
             html_text(format_count(all->size() - shown, "more is", "more are")) + " in ");
    html_section_link(*report, "leaks", body);
    body.add(".</p>\n");
  }
}

void not_covered(const Report& report, HtmlBody& body) {
  if (!report.not_covered || report.not_covered->empty()) {
    return;
  }
  body.heading(3, "Not covered");
  body.add("<ul class=\"notes\">\n");
  for (const auto& row : *report.not_covered) {
    body.add("<li>");
    html_section_link(report, row.section, body);
    body.text(": " + row.reason + ".");
    body.add("</li>\n");
  }
  body.add("</ul>\n");
}

void finding(const Report& report, const Finding& finding, HtmlBody& body) {
  const auto severity = word_of(finding.severity);
  body.add(R"(<li class=")");
  body.add(severity);
  body.add(R"("><p><b>)");
  body.text(finding.title);
  body.add(R"(</b> <span class="badge">)");
  body.add(severity);
  body.add("</span></p><p>");
  body.sentence(finding_sentence(finding));
  body.add(" See ");
  html_section_link(report, finding.section, body);
  body.add(".</p></li>\n");
}

}  // namespace

void html_summary(const Place<Report>& report, HtmlBody& body) {
  body.paragraph(verdict(*report), "verdict");
  key_figures_cards(*report, body);
  suspects(report, body);
  body.add("<div id=\"map\" class=\"script\"></div>\n");
  not_covered(*report, body);
}

void html_triage(const Place<Report>& report, HtmlBody& body) {
  const auto& findings = report->triage->findings;
  if (findings.empty()) {
    body.note(as_far_as_read(report->complete, "No rule has anything to say."));
    return;
  }
  body.add("<ul class=\"findings\">\n");
  for (const auto& row : findings) {
    finding(*report, row, body);
  }
  body.add("</ul>\n");
}

}  // namespace hprof
