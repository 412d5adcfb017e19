#include "common/output_file.h"
#include "formats/report/report_schema.h"
#include "tools/hprof-report/commands.h"

namespace hprof {
namespace {

const ToolInfo kTool{
    .name = "hprof-report emit-schema",
    .synopsis = "hprof-report emit-schema",
    .purpose = "Prints the JSON Schema (draft 2020-12) of the JSON report.",
    .example = "hprof-report emit-schema > report.schema.json",
};

}  // namespace

ExitCode schema_command(int argc, char** argv) {
  OptionParser parser(kTool);
  if (parser.parse(argc, argv)) {
    write_stdout(report_schema());
  }
  return ExitCode::ok;
}

}  // namespace hprof
