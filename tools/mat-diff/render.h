#pragma once

#include "tools/mat-diff/verdict.h"

#include <string>
#include <vector>

namespace hprof {

/// {mat, ours, fields: [{section, field, ours, mat, tier, reason, evidence}], summary: {match,
/// explainable, fail, skipped}}; a field without counterpart also has `count`.
std::string render_json(const Comparison& comparison);

/// Counts per section, then every FAIL, every EXPLAINABLE with its evidence, and what has no
/// counterpart.
std::string render_markdown(const Comparison& comparison);

/// One row of a Markdown table; what would break the table is escaped.
std::string markdown_row(const std::vector<std::string>& cells);

/// A Markdown heading row with its line of dashes.
std::string markdown_head(const std::vector<std::string>& columns);

}  // namespace hprof
