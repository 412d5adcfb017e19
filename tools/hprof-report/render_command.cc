#include "common/output_file.h"
#include "formats/report/sections.h"
#include "formats/report_file.h"
#include "tools/hprof-report/commands.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace hprof {
namespace {

const ToolInfo kTool{
    .name = "hprof-report render",
    .synopsis = "hprof-report render [OPTIONS] REPORT.json[.gz]|- [-o OUT]",
    .purpose = "Prints a finished JSON report in another format; nothing is analysed again.",
    .example = "hprof-report render app.report.json.gz -o app.report.md",
};

/// Options of the analysis that a reader may expect here; a finished report cannot follow them any
/// more.
constexpr std::array<std::string_view, 8> kAnalysisOptions{
    "--dump",    "--detail",      "--find-duplicates", "--collections", "--collection-rules",
    "--mapping", "--show-values", "--show-secrets",
};

struct Options : CommonOptions {
  std::string input;
  std::string output;
  std::string format;
  std::string sections;
};

void refuse_analysis_options(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto name = argument.substr(0, argument.find('='));
    if (std::find(kAnalysisOptions.begin(), kAnalysisOptions.end(), name) !=
        kAnalysisOptions.end()) {
      fail(ExitCode::usage, name,
           " decides what is analysed and render only prints a finished report; ",
           "run hprof-report with ", name, " on the stage files");
    }
  }
}

bool parse_options(int argc, char** argv, Options& options) {
  refuse_analysis_options(argc, argv);
  OptionParser parser(kTool);
  // clang-format off
  parser.positional("REPORT", options.input, "a JSON report, plain or gzipped; - reads standard input")
      .output("OUT", options.output, "the file to write instead of standard output (-); gzipped if it ends in .gz")
      .choice("format,f", options.format, report_format_words(), "format; without it OUT's extension decides, else md")
      .text("sections", "LIST", options.sections, "show only these sections, e.g. summary,leaks")
      .common(options);
  // clang-format on
  if (!parser.parse(argc, argv)) {
    return false;
  }
  refuse_overwriting(options.output, {options.input});
  report_format(options.format, options.output);
  return true;
}

}  // namespace

ExitCode render_command(int argc, char** argv) {
  Options options;
  if (!parse_options(argc, argv, options)) {
    return ExitCode::ok;
  }
  const auto sections =
      options.sections.empty() ? std::vector<std::string>() : parse_sections(options.sections);
  Report report = read_report(options.input);
  if (!sections.empty()) {
    report.sections = sections;
  }
  write_report(report, report_format(options.format, options.output), options.output);
  return ExitCode::ok;
}

}  // namespace hprof
