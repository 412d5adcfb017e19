#pragma once

#include "formats/diff/heap_diff.h"
#include "formats/report/text_sink.h"

#include <string>
#include <string_view>

namespace hprof {

/// Writes the canonical JSON of a comparison, like that of a report.
void write_json(const HeapDiff& diff, TextSink& sink);

/// Writes what came of the rules.
void write_json(const GateReport& gate, TextSink& sink);

/// Reads what write_json wrote. `file` names the text in messages. Error(bad_data) for anything
/// else, Error(limit) or Error(stale) for another schema version.
HeapDiff parse_diff_json(std::string_view text, const std::string& file);

/// The JSON Schemas (draft 2020-12) of both.
std::string diff_schema();
std::string gate_schema();

}  // namespace hprof
