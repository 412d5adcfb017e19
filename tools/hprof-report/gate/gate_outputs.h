#pragma once

#include "formats/diff/gate.h"

#include <string>

namespace hprof {

// A gate for people and for CI servers. Names come from dumps and rules; each format escapes what
// would act in it.

/// A line per rule, and the verdict.
std::string gate_text(const GateReport& gate);

/// JUnit's XML: a test case per rule; a broken one fails, one that was not evaluated is an error,
/// or skipped where that is allowed.
std::string gate_junit(const GateReport& gate);

/// Workflow commands of GitHub Actions, a line per rule that is broken or was not evaluated, and
/// per note.
std::string gate_github(const GateReport& gate);

/// GitLab's code quality report.
std::string gate_code_quality(const GateReport& gate);

}  // namespace hprof
