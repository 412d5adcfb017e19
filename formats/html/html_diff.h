#pragma once

#include "formats/diff/heap_diff.h"
#include "formats/html/html_body.h"
#include "formats/html/place.h"

#include <string>

namespace hprof {

/// Tables of a comparison longer than this end with a note; the data of the page has the rest.
inline constexpr std::size_t kMostDiffRows = 1000;

/// A comparison as one HTML file that needs nothing else.
std::string render_html(const HeapDiff& diff);

// One function per section; each adds what stands under the section's heading. Every figure of the
// comparison's Markdown is there, and of its tables more rows and columns.
void html_diff_summary(const Place<HeapDiff>& diff, HtmlBody& body);
void html_diff_gate(const Place<HeapDiff>& diff, HtmlBody& body);
void html_diff_suspects(const Place<HeapDiff>& diff, HtmlBody& body);
void html_diff_paths(const Place<HeapDiff>& diff, HtmlBody& body);
void html_diff_fields(const Place<HeapDiff>& diff, HtmlBody& body);
void html_diff_classes(const Place<HeapDiff>& diff, HtmlBody& body);
void html_diff_packages(const Place<HeapDiff>& diff, HtmlBody& body);
void html_diff_loaders(const Place<HeapDiff>& diff, HtmlBody& body);
void html_diff_threads(const Place<HeapDiff>& diff, HtmlBody& body);
void html_diff_method(const Place<HeapDiff>& diff, HtmlBody& body);

}  // namespace hprof
