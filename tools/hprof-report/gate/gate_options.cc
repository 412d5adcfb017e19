#include "tools/hprof-report/gate/gate_options.h"

#include "common/error.h"
#include "common/output_file.h"
#include "common/text.h"
#include "common/utf8.h"
#include "formats/diff/diff_json.h"
#include "formats/report_file.h"
#include "tools/hprof-report/gate/gate_outputs.h"

namespace hprof {
namespace {

void write_text(const std::string& path, const std::string& text) {
  if (!path.empty()) {
    TextOutput out(path);
    out.write(text);
    out.commit();
  }
}

std::string gate_json_text(const GateReport& gate) {
  StringSink sink;
  write_json(gate, sink);
  return sink.text();
}

std::string without_byte_order_mark(const std::string& text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

void require_answerable(const std::vector<GateRule>& rules) {
  for (const auto& rule : rules) {
    if (needs_comparison(rule)) {
      fail(ExitCode::usage, "rule \"", printable(rule.text),
           "\": asks what changed, which one report cannot tell; use hprof-report diff OLD NEW");
    }
  }
}

}  // namespace

void add_gate_options(OptionParser& parser, GateOptions& options) {
  // clang-format off
  parser.texts("fail-on", "RULE", options.fail_on, "exit with 2 where the rule is true; may be given again, see RULES")
      .text("rules", "FILE", options.rules, "a file with further rules, one a line")
      .flag("allow-missing", options.allow_missing, "let rules pass that the reports cannot answer")
      .file("gate-json", "FILE", options.gate_json, "write what came of the rules as JSON")
      .file("junit", "FILE", options.junit, "write it as JUnit's XML")
      .choice("annotations", options.annotations, {"github"}, "print workflow commands of GitHub Actions as well")
      .file("code-quality", "FILE", options.code_quality, "write a code quality report of GitLab");
  // clang-format on
}

void check_gate_outputs(const GateOptions& options, std::vector<std::string> inputs,
                        const std::string& result) {
  if (!options.rules.empty()) {
    inputs.push_back(options.rules);
  }
  const std::vector<std::string> outputs{options.gate_json, options.junit, options.code_quality,
                                         result};
  for (const auto& output : outputs) {
    refuse_overwriting(output, inputs);
  }
  refuse_same_output(outputs);
  if (!options.has_rules() && (options.wants_files() || !options.annotations.empty())) {
    fail(ExitCode::usage, "there is no rule to tell of; give --fail-on RULE or --rules FILE");
  }
}

std::vector<GateRule> read_rules(const GateOptions& options, bool compares) {
  std::vector<GateRule> rules;
  for (const auto& text : options.fail_on) {
    rules.push_back(parse_rule(text));
  }
  if (!options.rules.empty()) {
    const auto more =
        parse_rules(without_byte_order_mark(read_report_text(options.rules)), options.rules);
    if (more.empty()) {
      fail(ExitCode::usage, printable(options.rules), ": has no rule; write one a line");
    }
    rules.insert(rules.end(), more.begin(), more.end());
  }
  if (!compares) {
    require_answerable(rules);
  }
  return rules;
}

void write_gate_files(const GateReport& gate, const GateOptions& options) {
  write_text(options.gate_json, gate_json_text(gate));
  write_text(options.junit, gate_junit(gate));
  write_text(options.code_quality, gate_code_quality(gate));
}

std::string gate_lines(const GateReport& gate, const GateOptions& options) {
  return (options.annotations == "github" ? gate_github(gate) : "") + gate_text(gate);
}

ExitCode gate_exit(const GateReport& gate) {
  return gate.passed ? ExitCode::ok : ExitCode::verdict_fail;
}

}  // namespace hprof
