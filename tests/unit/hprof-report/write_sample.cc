// Writes the sample report as JSON to standard output, for the schema test.
#include "common/tool.h"
#include "formats/report_file.h"
#include "sample_report.h"

int main() {
  return hprof::run_tool(
      {.name = "write-sample", .synopsis = "", .purpose = "", .example = ""}, [] {
        hprof::write_report(hprof::test::sample_report(), hprof::ReportFormat::json, "");
        return hprof::ExitCode::ok;
      });
}
