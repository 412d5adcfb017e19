#pragma once

#include "common/error.h"
#include "common/options.h"

namespace hprof {

/// What hprof-report says about itself; each subcommand has a line of its own.
extern const ToolInfo kReportTool;

// The subcommands. Each parses its arguments, argv[0] being its own name, does its work and returns
// the exit status.

/// Analyses stage files and writes the report.
ExitCode report_command(int argc, char** argv);
/// Writes the heap in a format of other tools.
ExitCode export_command(int argc, char** argv);
/// Lists every reachable object as CSV.
ExitCode objects_command(int argc, char** argv);
/// Tells why one object or the instances of a class are alive.
ExitCode path_command(int argc, char** argv);
/// Prints a finished JSON report in another format.
ExitCode render_command(int argc, char** argv);
/// Compares the reports of two dumps or more.
ExitCode diff_command(int argc, char** argv);
/// Holds rules against a report.
ExitCode check_command(int argc, char** argv);
/// Prints the JSON schema of a report, a comparison or a gate.
ExitCode schema_command(int argc, char** argv);

}  // namespace hprof
