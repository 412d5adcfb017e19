#pragma once

#include "formats/diff/heap_diff.h"
#include "formats/report_file.h"

#include <string>
#include <vector>

namespace hprof {

/// The words that -f of a comparison takes.
const std::vector<std::string>& diff_format_words();

/// The format that `choice` or else the extension of `output` names; Error(usage) for one that a
/// comparison is not written in.
ReportFormat diff_format(const std::string& choice, const std::string& output);

/// Renders the comparison to `output` (empty: standard output).
void write_diff(const HeapDiff& diff, ReportFormat format, const std::string& output);

}  // namespace hprof
