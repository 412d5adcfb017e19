#pragma once

#include "formats/report/leaks.h"
#include "formats/report/triage.h"

#include <optional>
#include <string>
#include <vector>

namespace hprof::triage {

/// The rule of the finding that the summary begins with: a known leak, where the first suspect
/// names no field or class of the program that explains it; nothing where the suspects say more.
std::optional<std::string> leading_rule(const std::vector<Finding>& findings,
                                        const std::vector<Suspect>& suspects);

}  // namespace hprof::triage
