#include "common/clock.h"
#include "common/output_file.h"
#include "common/text.h"
#include "formats/diff_file.h"
#include "formats/report_file.h"
#include "tools/hprof-report/commands.h"
#include "tools/hprof-report/diff/heap_differ.h"
#include "tools/hprof-report/gate/gate_options.h"

#include <algorithm>
#include <iostream>

namespace hprof {
namespace {

ToolInfo diff_tool() {
  return {
      .name = "hprof-report diff",
      .synopsis = "hprof-report diff [OPTIONS] A.json B.json [C.json …] [-o OUT]",
      .purpose = "Tells what grew between the dumps of two JSON reports or more, and who holds it.",
      .example = "hprof-report diff old.json.gz new.json.gz -o diff.md --fail-on 'retained>+10%'",
      .notes = rule_grammar()};
}

struct Options : CommonOptions, DiffOptions, GateOptions {
  std::vector<std::string> inputs;
  std::string output;
  std::string format;
};

bool parse_options(int argc, char** argv, Options& options) {
  OptionParser parser(diff_tool());
  // clang-format off
  parser.positionals("REPORT", options.inputs, 2, "JSON reports, plain or gzipped; one may be -, standard input")
      .output("OUT", options.output, "the file to write instead of standard output (-); gzipped if it ends in .gz")
      .choice("format,f", options.format, diff_format_words(), "format; without it OUT's extension decides, else md")
      .flag("raw-names", options.raw_names, "compare generated names (lambdas, proxies, pool threads) as they are")
      .flag("as-given", options.as_given, "compare in the order of the command line, not of the dumps' times")
      .flag("ignore-warm-up", options.ignore_warm_up, "leave the earliest of three or more dumps out");
  // clang-format on
  add_gate_options(parser, options);
  parser.common(options);
  if (!parser.parse(argc, argv)) {
    return false;
  }
  if (std::count(options.inputs.begin(), options.inputs.end(), "-") > 1) {
    fail(ExitCode::usage, "standard input can be read once only; see hprof-report diff --help");
  }
  refuse_overwriting(options.output, options.inputs);
  check_gate_outputs(options, options.inputs, options.output);
  diff_format(options.format, options.output);
  return true;
}

std::vector<NamedReport> read_reports(const std::vector<std::string>& inputs) {
  std::vector<NamedReport> out;
  out.reserve(inputs.size());
  for (const auto& input : inputs) {
    out.push_back({base_name(input), read_report(input)});
  }
  return out;
}

void say_warnings(const HeapDiff& diff, const Options& options) {
  for (const auto& warning : diff.warnings) {
    if (warning.severity != Severity::info && !options.quiet) {
      std::cerr << "hprof-report: warning: " << printable(warning.text) << "\n";
    }
  }
}

/// The reports, for what finds that sums overflow and knows no file.
std::string names_of(const Options& options) {
  std::string names;
  for (const auto& input : options.inputs) {
    names += (names.empty() ? "" : ", ") + printable(input);
  }
  return names;
}

HeapDiff compare(const OrderedReports& ordered, const std::vector<GateRule>& rules,
                 const Options& options) {
  const auto* const remedy =
      "a report has figures that no heap has; make it anew with hprof-report -f json";
  return placing(names_of(options), remedy, [&] {
    HeapDiff diff = diff_reports(ordered, options);
    if (!rules.empty()) {
      diff.gate = evaluate(rules, {.reports = ordered.reports,
                                   .names = ordered.names,
                                   .diff = &diff,
                                   .options = static_cast<const DiffOptions&>(options),
                                   .allow_missing = options.allow_missing});
    }
    return diff;
  });
}

/// The comparison is the result on standard output, unless a file takes it.
void say_gate(const GateReport& gate, const Options& options) {
  const std::string lines = gate_lines(gate, options);
  if (options.output.empty()) {
    std::cerr << lines;
  } else {
    write_stdout(lines);
  }
}

}  // namespace

ExitCode diff_command(int argc, char** argv) {
  Options options;
  if (!parse_options(argc, argv, options)) {
    return ExitCode::ok;
  }
  const auto rules = read_rules(options, true);
  const auto ordered = order_reports(read_reports(options.inputs), options);
  HeapDiff diff = compare(ordered, rules, options);
  diff.generated = now_utc();
  say_warnings(diff, options);
  if (diff.gate) {
    write_gate_files(*diff.gate, options);
  }
  write_diff(diff, diff_format(options.format, options.output), options.output);
  if (!diff.gate) {
    return ExitCode::ok;
  }
  say_gate(*diff.gate, options);
  return gate_exit(*diff.gate);
}

}  // namespace hprof
