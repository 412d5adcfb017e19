// mat-diff: compares our JSON report with an export of Eclipse MAT, field by field, without
// tolerance.
#include "common/output_file.h"
#include "common/text.h"
#include "common/tool.h"
#include "formats/mat/mat_export.h"
#include "tools/mat-diff/aggregate.h"
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/our_report.h"
#include "tools/mat-diff/render.h"

namespace {
using namespace hprof;

const ToolInfo kTool{
    .name = "mat-diff",
    .synopsis = "mat-diff [OPTIONS] MAT REPORT.json",
    .purpose =
        "Compares a report with MAT's export of the same dump, field by field; exit 2 on any FAIL. "
        "See also: mat-diff aggregate --help.",
    .example = "mat-diff exports/app out/app.report.json -f md",
};

const ToolInfo kAggregateTool{
    .name = "mat-diff aggregate",
    .synopsis = "mat-diff aggregate [OPTIONS] DIR",
    .purpose = "Folds all NAME.diff.json of a folder into one verdict; exit 2 unless it passes.",
    .example = "mat-diff aggregate out --min-real 15",
};

struct Options : CommonOptions {
  std::string mat;
  std::string report;
  std::string output;
  std::string format = "md";
};

struct AggregateOptions : CommonOptions {
  std::string folder;
  std::string output;
  std::string format = "md";
  std::uint64_t min_real = 15;
  std::vector<std::string> expected;
};

void write_result(const std::string& output, const std::string& text) {
  if (output.empty()) {
    write_stdout(text);
    return;
  }
  OutputFile file(output);
  file.write(text);
  file.commit();
}

ExitCode run(const Options& options) {
  const auto report = OurReport::load(options.report);
  const auto mat = read_mat_export(options.mat);
  auto comparison = compare(mat, report);
  comparison.ours = base_name(options.report);
  write_result(options.output,
               options.format == "json" ? render_json(comparison) : render_markdown(comparison));
  return comparison.summary().fail == 0 ? ExitCode::ok : ExitCode::verdict_fail;
}

ExitCode run_aggregate(const AggregateOptions& options) {
  const auto gate = aggregate(options.folder, options.min_real, options.expected);
  write_result(options.output,
               options.format == "json" ? render_gate_json(gate) : render_gate_markdown(gate));
  return gate.pass ? ExitCode::ok : ExitCode::verdict_fail;
}

ExitCode main_compare(int argc, char** argv) {
  Options options;
  OptionParser parser(kTool);
  // clang-format off
  parser.positional("MAT", options.mat, "zip archive, page or folder, or DIR/NAME for DIR/NAME_*.zip")
      .positional("REPORT", options.report, "our report of the same dump in JSON, plain or gzip; - reads standard input")
      .output("FILE", options.output, "write there instead of standard output")
      .choice("format,f", options.format, {"md", "json"}, "what to write")
      .common(options);
  // clang-format on
  if (!parser.parse(argc, argv)) {
    return ExitCode::ok;
  }
  refuse_overwriting(options.output, {options.mat, options.report});
  return run(options);
}

ExitCode main_aggregate(int argc, char** argv) {
  AggregateOptions options;
  OptionParser parser(kAggregateTool);
  // clang-format off
  parser.positional("DIR", options.folder, "folder of NAME.diff.json files")
      .number("min-real", options.min_real, 0, 1'000'000, "comparisons with real exports that are needed")
      .texts("expect", "NAME", options.expected, "a dump whose comparison must be there, and no other than those named; may be repeated")
      .output("FILE", options.output, "write there instead of standard output")
      .choice("format,f", options.format, {"md", "json"}, "what to write")
      .common(options);
  // clang-format on
  return parser.parse(argc, argv) ? run_aggregate(options) : ExitCode::ok;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "aggregate") {
    return hprof::run_tool(kAggregateTool, [&] { return main_aggregate(argc - 1, argv + 1); });
  }
  return hprof::run_tool(kTool, [&] { return main_compare(argc, argv); });
}
