#include "common/error.h"
#include "common/output_file.h"
#include "common/text.h"
#include "formats/report_file.h"
#include "tools/hprof-report/commands.h"
#include "tools/hprof-report/gate/gate_options.h"

#include <iostream>

namespace hprof {
namespace {

ToolInfo check_tool() {
  return {.name = "hprof-report check",
          .synopsis = "hprof-report check [OPTIONS] REPORT.json[.gz]|- --fail-on RULE …",
          .purpose = "Holds rules against a JSON report and fails where one is broken.",
          .example = "hprof-report check app.json --fail-on 'suspects>0' --fail-on 'retained>2GiB'",
          .notes = rule_grammar()};
}

struct Options : CommonOptions, GateOptions {
  std::string input;
  bool raw_names = false;
};

bool parse_options(int argc, char** argv, Options& options) {
  OptionParser parser(check_tool());
  // clang-format off
  parser.positional("REPORT", options.input, "a JSON report, plain or gzipped; - reads standard input")
      .flag("raw-names", options.raw_names, "take generated names (lambdas, proxies, pool threads) as they are");
  // clang-format on
  add_gate_options(parser, options);
  parser.common(options);
  if (!parser.parse(argc, argv)) {
    return false;
  }
  if (!options.has_rules()) {
    fail(ExitCode::usage, "there is no rule to check; give --fail-on RULE or --rules FILE");
  }
  check_gate_outputs(options, {options.input}, "");
  return true;
}

void warn_of_damage(const Report& report, const Options& options) {
  if (!report.complete && !options.quiet) {
    std::cerr << "hprof-report: warning: " << printable(options.input)
              << ": the dump is damaged, its figures are those of a part\n";
  }
}

}  // namespace

ExitCode check_command(int argc, char** argv) {
  Options options;
  if (!parse_options(argc, argv, options)) {
    return ExitCode::ok;
  }
  const auto rules = read_rules(options, false);
  const Reports reports{read_report(options.input)};
  const std::vector<std::string> names{base_name(options.input)};
  const GateReport gate = placing(
      printable(options.input),
      "the report has figures that no heap has; make it anew with hprof-report -f json", [&] {
        return evaluate(rules, {.reports = reports,
                                .names = names,
                                .diff = nullptr,
                                .options = {.raw_names = options.raw_names},
                                .allow_missing = options.allow_missing});
      });
  warn_of_damage(reports.front(), options);
  write_gate_files(gate, options);
  write_stdout(gate_lines(gate, options));
  return gate_exit(gate);
}

}  // namespace hprof
