#pragma once

#include "formats/report/caveats.h"
#include "formats/report/report.h"
#include "formats/report/summary.h"
#include "formats/report/text_graphs.h"

#include <string>

namespace hprof {

/// The report as Markdown (GitHub's dialect).
std::string render_markdown(const Report& report, MarkdownStyle style = MarkdownStyle::plain);

// One function per section, in formats/report/md_*.cc; each returns what stands under the section's
// heading. Whatever the style, the headings and the figures are the same.
std::string md_summary(const Report& report, MarkdownStyle style);
std::string md_triage(const Report& report, MarkdownStyle style);
std::string md_overview(const Report& report, MarkdownStyle style);
std::string md_leaks(const Report& report, MarkdownStyle style);
std::string md_top(const Report& report, MarkdownStyle style);
std::string md_dominators(const Report& report, MarkdownStyle style);
std::string md_threads(const Report& report, MarkdownStyle style);
std::string md_components(const Report& report, MarkdownStyle style);
std::string md_collections(const Report& report, MarkdownStyle style);
std::string md_strings(const Report& report, MarkdownStyle style);
std::string md_references(const Report& report, MarkdownStyle style);
std::string md_unreachable(const Report& report, MarkdownStyle style);
std::string md_allocation_sites(const Report& report, MarkdownStyle style);
std::string md_glossary(const Report& report, MarkdownStyle style);

/// What the heap says of the JVM, and its system properties; empty where it says nothing.
std::string md_jvm(const Overview& overview, MarkdownStyle style);

/// A table of objects and bytes by kind of object.
std::string md_composition(const std::vector<CompositionRow>& rows, MarkdownStyle style);

/// The tables of class loaders and of classes that several of them defined; empty where the report
/// has none.
std::string md_class_loaders(const Overview& overview, MarkdownStyle style);

/// What stands in the head of every document about a heap, whatever sections it shows; "" where
/// nothing is to be said.
std::string md_caveats(const Caveats& caveats);

/// A sentence with its names as code spans.
std::string md_sentence(const Sentence& sentence);

/// A link to a section's heading, or its bare title where the report does not show it.
std::string md_section_link(const Report& report, const std::string& id);

}  // namespace hprof
