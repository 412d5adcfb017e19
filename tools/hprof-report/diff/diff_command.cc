#include "common/clock.h"
#include "common/output_file.h"
#include "common/text.h"
#include "formats/diff/diff_file.h"
#include "formats/report/report_file.h"
#include "tools/hprof-report/commands.h"
#include "tools/hprof-report/diff/heap_differ.h"

#include <algorithm>
#include <iostream>

namespace hprof {
namespace {

const ToolInfo kTool{
    .name = "hprof-report diff",
    .synopsis = "hprof-report diff [OPTIONS] A.json B.json [C.json …] [-o OUT]",
    .purpose = "Tells what grew between the dumps of two JSON reports or more, and who holds it.",
    .example = "hprof-report diff monday.json.gz tuesday.json.gz -o week.md",
};

struct Options : CommonOptions, DiffOptions {
  std::vector<std::string> inputs;
  std::string output;
  std::string format;
};

bool parse_options(int argc, char** argv, Options& options) {
  OptionParser parser(kTool);
  // clang-format off
  parser.positionals("REPORT", options.inputs, 2, "JSON reports, plain or gzipped; one may be -, standard input")
      .text("output,o", "OUT", options.output, "the file to write instead of standard output; gzipped if it ends in .gz")
      .choice("format,f", options.format, diff_format_words(), "format; without it OUT's extension decides, else md")
      .flag("raw-names", options.raw_names, "compare generated names (lambdas, proxies, pool threads) as they are")
      .flag("as-given", options.as_given, "compare in the order of the command line, not of the dumps' times")
      .flag("ignore-warm-up", options.ignore_warm_up, "leave the earliest of three or more dumps out")
      .common(options);
  // clang-format on
  if (!parser.parse(argc, argv)) {
    return false;
  }
  if (std::count(options.inputs.begin(), options.inputs.end(), "-") > 1) {
    fail(ExitCode::usage, "standard input can be read once only; see ", kTool.name, " --help");
  }
  refuse_overwriting(options.output, options.inputs);
  diff_format(options.format, options.output);
  return true;
}

std::vector<NamedReport> read_reports(const std::vector<std::string>& inputs) {
  std::vector<NamedReport> out;
  for (const auto& input : inputs) {
    out.push_back({base_name(input), read_report(input)});
  }
  return out;
}

void say_warnings(const HeapDiff& diff, const Options& options) {
  for (const auto& warning : diff.warnings) {
    if (warning.severity != Severity::info && !options.quiet) {
      std::cerr << kTool.name << ": warning: " << printable(warning.text) << "\n";
    }
  }
}

}  // namespace

ExitCode diff_command(int argc, char** argv) {
  Options options;
  if (!parse_options(argc, argv, options)) {
    return ExitCode::ok;
  }
  const auto ordered = order_reports(read_reports(options.inputs), options);
  HeapDiff diff = diff_reports(ordered, options);
  diff.generated = now_utc();
  say_warnings(diff, options);
  write_diff(diff, diff_format(options.format, options.output), options.output);
  return ExitCode::ok;
}

}  // namespace hprof
