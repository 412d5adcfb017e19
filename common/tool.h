#pragma once

#include "common/error.h"
#include "common/options.h"

#include <functional>

namespace hprof {

/// The frame around every main(): runs `body`, turns any exception into one sentence on stderr
/// ("TOOL: error: …") and the documented exit status.
int run_tool(const ToolInfo& tool, const std::function<ExitCode()>& body);

}  // namespace hprof
