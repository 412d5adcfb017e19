#include "common/output_file.h"
#include "formats/diff/diff_json.h"
#include "formats/report/report_schema.h"
#include "tools/hprof-report/commands.h"

#include <string>
#include <vector>

namespace hprof {
namespace {

const ToolInfo kTool{
    .name = "hprof-report emit-schema",
    .synopsis = "hprof-report emit-schema [report|diff|gate]",
    .purpose =
        "Prints the JSON Schema (draft 2020-12) of the JSON report, of what diff writes, or of "
        "--gate-json.",
    .example = "hprof-report emit-schema > report.schema.json",
};

std::string schema_of(const std::vector<std::string>& names) {
  const std::string which = names.empty() ? "report" : names.front();
  if (names.size() > 1 || (which != "report" && which != "diff" && which != "gate")) {
    fail(ExitCode::usage, "emit-schema takes one of report, diff and gate; see ", kTool.name,
         " --help");
  }
  return which == "report" ? report_schema() : which == "diff" ? diff_schema() : gate_schema();
}

}  // namespace

ExitCode schema_command(int argc, char** argv) {
  std::vector<std::string> names;
  OptionParser parser(kTool);
  parser.positionals("WHICH", names, 0, "report, diff or gate; without it report");
  if (parser.parse(argc, argv)) {
    write_stdout(schema_of(names));
  }
  return ExitCode::ok;
}

}  // namespace hprof
