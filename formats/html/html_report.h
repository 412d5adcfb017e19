#pragma once

#include "formats/html/html_body.h"
#include "formats/html/place.h"
#include "formats/report/report.h"

#include <string>

namespace hprof {

/// The report as one HTML file that needs nothing else.
std::string render_html(const Report& report);

// One function per section; each adds what stands under the section's heading. Every figure of the
// model's Markdown is there, and of long lists more rows.
void html_summary(const Place<Report>& report, HtmlBody& body);
void html_triage(const Place<Report>& report, HtmlBody& body);
void html_overview(const Place<Report>& report, HtmlBody& body);
void html_leaks(const Place<Report>& report, HtmlBody& body);
void html_top(const Place<Report>& report, HtmlBody& body);
void html_dominators(const Place<Report>& report, HtmlBody& body);
void html_threads(const Place<Report>& report, HtmlBody& body);
void html_components(const Place<Report>& report, HtmlBody& body);
void html_collections(const Place<Report>& report, HtmlBody& body);
void html_strings(const Place<Report>& report, HtmlBody& body);
void html_references(const Place<Report>& report, HtmlBody& body);
void html_unreachable(const Place<Report>& report, HtmlBody& body);
void html_allocation_sites(const Place<Report>& report, HtmlBody& body);
void html_glossary(const Place<Report>& report, HtmlBody& body);

/// What the heap says of the JVM, and its system properties.
void html_jvm(const Place<Overview>& overview, HtmlBody& body);

/// A table of objects and bytes by kind of object.
void html_composition(const Place<std::vector<CompositionRow>>& rows, HtmlBody& body);

/// A link to a section, or its bare title where the report does not show it.
void html_section_link(const Report& report, const std::string& id, HtmlBody& body);

}  // namespace hprof
