#pragma once

#include "formats/report/report.h"

namespace hprof::test {

/// A report with every field filled, every optional part there, and names that try to break out of
/// every format.
Report sample_report();

/// A name with a pipe, backticks, line ends, HTML, quotes, NUL, a right-to-left override and a line
/// separator.
std::string hostile_name();

}  // namespace hprof::test
