#pragma once

#include "formats/report/report.h"

#include <string>
#include <vector>

namespace hprof {

/// What a report does not tell of its threads, and why: sentences, the same in all formats.
std::vector<std::string> thread_gaps(const Report& report);

}  // namespace hprof
