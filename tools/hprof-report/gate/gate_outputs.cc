#include "tools/hprof-report/gate/gate_outputs.h"

#include "common/text.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

#include <nlohmann/json.hpp>

#include <array>

namespace hprof {
namespace {

/// Rules that were not evaluated fail a gate unless it is told to let them pass.
bool forgives_missing(const GateReport& gate) {
  return gate.passed && gate.not_evaluated_rules != 0;
}

/// A rule or a file name in one line, without what cannot be seen, and cut where it is very long.
std::string shown(const std::string& text) {
  return md_verbatim(printable(text));
}

std::string with_notes(const RuleResult& rule) {
  std::string out = rule.text;
  for (const auto& note : rule.notes.value_or(std::vector<std::string>())) {
    out += " (" + note + ")";
  }
  return out;
}

std::string status_word(RuleStatus status) {
  return status == RuleStatus::passed   ? "passed"
         : status == RuleStatus::failed ? "FAILED"
                                        : "NOT EVALUATED";
}

std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// XML allows neither of these two characters, nor controls, which printable() has taken away.
std::string xml_safe(std::string text) {
  for (const std::string_view bad : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (auto at = text.find(bad); at != std::string::npos; at = text.find(bad)) {
      text.replace(at, bad.size(), "?");
    }
  }
  return text;
}

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_safe(xml_text(value)) + "\"";
}

std::string junit_outcome(const RuleResult& rule, bool forgiven) {
  const std::string content = attribute("message", with_notes(rule));
  if (rule.status == RuleStatus::failed) {
    return "      <failure type=\"gate\"" + content + "/>\n";
  }
  if (rule.status == RuleStatus::passed) {
    return "";
  }
  return forgiven ? "      <skipped" + content + "/>\n"
                  : "      <error type=\"not_evaluated\"" + content + "/>\n";
}

/// In a workflow command % and line ends act, in its properties : and , as well.
std::string github_escaped(const std::string& text, bool property) {
  std::string out;
  for (const char c : printable(text)) {
    constexpr std::string_view kAct = "%:,";
    constexpr std::array<std::string_view, 3> kInstead{"%25", "%3A", "%2C"};
    const auto at = kAct.find(c);
    if (at == 0 || (property && at != std::string_view::npos)) {
      out += kInstead.at(at);
    } else {
      out += c;
    }
  }
  return out;
}

std::string github_line(const std::string& level, const RuleResult& rule, const std::string& text) {
  return "::" + level + " title=" + github_escaped("heap gate: " + shown(rule.rule), true) +
         "::" + github_escaped(text, false) + "\n";
}

/// FNV-1a; tells issues of two runs apart, protects nothing.
std::string fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return hex_address(hash).substr(2);
}

}  // namespace

std::string gate_text(const GateReport& gate) {
  std::string out;
  for (const auto& rule : gate.rules) {
    out += status_word(rule.status) + ": " + shown(rule.rule) + ": " + printable(with_notes(rule)) +
           "\n";
  }
  return out + (gate.passed ? "GATE PASSED: " : "GATE FAILED: ") +
         format_count(gate.rules.size(), "rule, ", "rules, ") + std::to_string(gate.failed_rules) +
         " failed, " + std::to_string(gate.not_evaluated_rules) + " not evaluated\n";
}

std::string gate_junit(const GateReport& gate) {
  const bool forgiven = forgives_missing(gate);
  const std::string missing = std::to_string(gate.not_evaluated_rules);
  const std::string counts = " tests=\"" + std::to_string(gate.rules.size()) + "\" failures=\"" +
                             std::to_string(gate.failed_rules) + "\" errors=\"" +
                             (forgiven ? "0" : missing) + "\" skipped=\"" +
                             (forgiven ? missing : "0") + "\"";
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hprof-report\"" + counts +
      ">\n  <testsuite name=\"heap gate\"" + counts + ">\n";
  for (const auto& rule : gate.rules) {
    const std::string outcome = junit_outcome(rule, forgiven);
    out += "    <testcase classname=\"hprof-report.gate\"" + attribute("name", shown(rule.rule)) +
           (outcome.empty() ? "/>\n" : ">\n" + outcome + "    </testcase>\n");
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

std::string gate_github(const GateReport& gate) {
  std::string out;
  for (const auto& rule : gate.rules) {
    if (rule.status != RuleStatus::passed) {
      const bool error = rule.status == RuleStatus::failed || !forgives_missing(gate);
      out += github_line(
          error ? "error" : "warning", rule,
          (rule.status == RuleStatus::failed ? "" : "not evaluated: ") + with_notes(rule));
    } else if (rule.notes) {
      out += github_line("notice", rule, with_notes(rule));
    }
  }
  return out;
}

std::string gate_code_quality(const GateReport& gate) {
  auto issues = nlohmann::ordered_json::array();
  for (std::size_t at = 0; at < gate.rules.size(); ++at) {
    const auto& rule = gate.rules[at];
    if (rule.status == RuleStatus::passed) {
      continue;
    }
    const bool failed = rule.status == RuleStatus::failed;
    issues.push_back(
        {{"description", printable(shown(rule.rule) + ": " + (failed ? "" : "not evaluated: ") +
                                   with_notes(rule))},
         {"check_name", "heap-gate"},
         {"fingerprint", fingerprint(std::to_string(at) + " " + rule.rule)},
         {"severity", failed ? "major" : "minor"},
         {"location", {{"path", shown(gate.reports.back())}, {"lines", {{"begin", 1}}}}}});
  }
  return issues.dump(2) + "\n";
}

}  // namespace hprof
