#pragma once

#include "formats/report/fields.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

enum class Severity { info, warning, critical };

template <>
struct Words<Severity> {
  static constexpr std::array<std::string_view, 3> kWords{"info", "warning", "critical"};
};

/// What one rule found.
struct Finding {
  std::string rule;
  Severity severity = Severity::info;
  std::string title;
  std::string text;
  std::optional<std::vector<std::string>> names = std::nullopt;
  std::string section;

  bool operator==(const Finding&) const = default;
  static constexpr auto kName = "Finding";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("rule", self.rule, "id of the rule");
    visit("severity", self.severity,
          "info states a fact, warning deserves a look, critical is the likely cause");
    visit("title", self.title, "the rule's question");
    visit("text", self.text, "one sentence with the figures");
    visit("names", self.names,
          "names from the dump in the text, in the order in which they stand there");
    visit("section", self.section, "id of the report section that shows more");
  }
};

/// Short rules that say where to look first, and the figures they rest on.
struct Triage {
  std::uint64_t depth_p90 = 0;
  std::uint64_t depth_max = 0;
  std::uint64_t top_object_bp = 0;
  std::uint64_t top_ten_bp = 0;
  std::uint64_t objects_over_one_percent = 0;
  std::vector<Finding> findings;
  std::optional<std::string> leading_rule = std::nullopt;

  bool operator==(const Triage&) const = default;
  static constexpr auto kName = "Triage";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("depth_p90", self.depth_p90,
          "depth in the dominator tree that 90 % of the objects do not exceed; roots are at 1");
    visit("depth_max", self.depth_max, "depth of the deepest object");
    visit("top_object_bp", self.top_object_bp,
          "share of the biggest object in the used heap, basis points");
    visit("top_ten_bp", self.top_ten_bp, "share of the ten biggest top-level objects together");
    visit("objects_over_one_percent", self.objects_over_one_percent,
          "top-level objects that retain over 1 %");
    visit("findings", self.findings, "the most severe first, then in the order of the rules");
    visit("leading_rule", self.leading_rule,
          "rule of the finding that the summary begins with, a leak that no suspect explains as "
          "well; absent: the suspects come first");
  }
};

}  // namespace hprof
