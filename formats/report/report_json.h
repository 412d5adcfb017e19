#pragma once

#include "formats/report/report.h"
#include "formats/report/text_sink.h"

#include <string>
#include <string_view>

namespace hprof {

/// Writes the canonical JSON: fields in the order of the model, one table row a line, same report =
/// same bytes.
void write_json(const Report& report, TextSink& sink);

/// Reads what write_json wrote. `file` names the text in messages.
/// Error(bad_data) for anything that is no report, Error(limit) or Error(stale) for another schema
/// version.
Report parse_json(std::string_view text, const std::string& file);

}  // namespace hprof
