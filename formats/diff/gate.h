#pragma once

#include "formats/report/fields.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

inline constexpr std::uint64_t kGateSchemaVersion = 1;

/// What came of a rule. "not_evaluated": the reports do not hold what it asks for, or only bounds
/// between which its limit lies.
enum class RuleStatus { passed, failed, not_evaluated };

template <>
struct Words<RuleStatus> {
  static constexpr std::array<std::string_view, 3> kWords{"passed", "failed", "not_evaluated"};
};

/// A rule of --fail-on with what it measured.
struct RuleResult {
  std::string rule;
  RuleStatus status = RuleStatus::passed;
  std::string text;
  std::optional<std::string> worst;
  std::optional<std::string> measured;
  std::uint64_t violations = 0;
  std::optional<std::vector<std::string>> notes;

  bool operator==(const RuleResult&) const = default;
  static constexpr auto kName = "RuleResult";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("rule", self.rule, "as it was given");
    visit("status", self.status, "passed, failed or not_evaluated");
    visit("text", self.text, "one sentence with the figures, or why it was not evaluated");
    visit("worst", self.worst, "of a rule about many things: the one furthest over the limit");
    visit("measured", self.measured, "the figure that decided, with its unit");
    visit("violations", self.violations, "how many things break the rule");
    visit("notes", self.notes, "what weakens the result, e.g. a damaged dump");
  }
};

/// All rules, and the verdict on them.
struct GateReport {
  std::uint64_t schema_version = kGateSchemaVersion;
  std::string generator;
  std::vector<std::string> reports;
  bool passed = true;
  std::uint64_t failed_rules = 0;
  std::uint64_t not_evaluated_rules = 0;
  std::vector<RuleResult> rules;

  bool operator==(const GateReport&) const = default;
  static constexpr auto kName = "GateReport";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("schema_version", self.schema_version, "version of this format");
    visit("generator", self.generator, "program and version that made it");
    visit("reports", self.reports, "file names of the reports, by time");
    visit("passed", self.passed, "whether the exit status was 0 as far as the rules go");
    visit("failed_rules", self.failed_rules, "rules that a report breaks");
    visit("not_evaluated_rules", self.not_evaluated_rules, "rules that could not be evaluated");
    visit("rules", self.rules, "in the order in which they were given");
  }
};

}  // namespace hprof
