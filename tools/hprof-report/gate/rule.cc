// SUBJECT OP LIMIT. The operator is the last "<" or ">" of the text, since names may have these
// signs and limits never do; the metric stands behind the last dot before it.
#include "tools/hprof-report/gate/rule.h"

#include "common/error.h"
#include "common/text.h"
#include "common/utf8.h"
#include "tools/hprof-report/diff/heap_totals.h"
#include "tools/hprof-report/gate/rule_parts.h"

#include <algorithm>
#include <span>

namespace hprof {
namespace {

constexpr std::uint64_t kMostShare = 1'000'000'000'000;  // basis points

std::string metric_names(std::span<const RuleMetric> metrics) {
  std::string out;
  for (const auto& metric : metrics) {
    out += (out.empty() ? "" : ", ") + std::string(metric.name);
  }
  return out;
}

bool is_heap_metric(std::string_view name) {
  const auto totals = heap_totals();
  return std::any_of(totals.begin(), totals.end(),
                     [&](const HeapTotal& total) { return total.name == name; }) ||
         std::find(kComparedMetrics.begin(), kComparedMetrics.end(), name) !=
             kComparedMetrics.end();
}

bool has_metric(std::span<const RuleMetric> metrics, std::string_view name) {
  return std::any_of(metrics.begin(), metrics.end(),
                     [&](const RuleMetric& metric) { return metric.name == name; });
}

/// "PATTERN.METRIC"; of suspects the pattern may be missing.
void take_rows(GateRule& rule, const RuleRows& subject, const std::string& text) {
  const auto dot = text.rfind('.');
  rule.subject = subject.subject;
  rule.metric = dot == std::string::npos ? text : text.substr(dot + 1);
  rule.pattern = dot == std::string::npos ? "" : text.substr(0, dot);
  const std::string word(subject.word);
  if (!has_metric(subject.metrics, rule.metric)) {
    refuse_rule(rule.text, "a " + word + " has " + metric_names(subject.metrics) + ", not \"" +
                               printable(rule.metric) + "\"");
  }
  if (rule.pattern.empty() && rule.subject != RuleSubject::suspect) {
    refuse_rule(rule.text, "which " + word + "? Write " + word + ":NAME." + rule.metric);
  }
  if (rule.subject == RuleSubject::package && rule.pattern.find('*') != std::string::npos) {
    refuse_rule(rule.text,
                "a package is given by its name, without *; its sub-packages are included");
  }
}

void take_subject(GateRule& rule, const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    rule.metric = text == "shallow" ? "retained" : text;
    if (!is_heap_metric(rule.metric)) {
      refuse_rule(rule.text, "\"" + printable(text) + "\" is none of " + heap_metric_names() +
                                 ", nor class:, package:, loader:, thread:, field: or suspect:");
    }
    return;
  }
  for (const auto& subject : kRuleRows) {
    if (subject.word == text.substr(0, colon)) {
      return take_rows(rule, subject, text.substr(colon + 1));
    }
  }
  refuse_rule(rule.text, "\"" + printable(text.substr(0, colon)) +
                             ":\" is none of class:, package:, loader:, thread:, field:, suspect:");
}

void check_growth(const GateRule& rule) {
  const bool compares = rule.subject == RuleSubject::heap &&
                        std::find(kComparedMetrics.begin(), kComparedMetrics.end(), rule.metric) !=
                            kComparedMetrics.end();
  if (rule.growth && compares) {
    refuse_rule(rule.text, rule.metric + " tells of a change by itself; write " + rule.metric +
                               ">0, without + or -");
  }
}

void check_unit(GateRule& rule) {
  const bool bytes = is_bytes_metric(rule.subject, rule.metric);
  if (rule.unit == LimitUnit::bytes && !bytes) {
    refuse_rule(rule.text, rule.metric + " is a number of things, not of bytes");
  }
  if (rule.unit == LimitUnit::share && !rule.growth) {
    if (!bytes) {
      refuse_rule(rule.text, "only bytes have a share of the used heap; " + rule.metric +
                                 " may grow by a share, as in " + rule.metric + ">+10%");
    }
    if (rule.subject == RuleSubject::heap && rule.metric == "retained") {
      refuse_rule(rule.text, "the used heap is all of itself; write retained>+10% for its growth");
    }
  }
  if (rule.unit == LimitUnit::share && rule.limit > kMostShare) {
    refuse_rule(rule.text, "the limit is too large");
  }
  if (rule.unit == LimitUnit::count && bytes) {
    rule.unit = LimitUnit::bytes;
  }
}

std::string without_comment(const std::string& line) {
  const auto hash = line.find('#');
  const bool comment =
      hash == 0 || (hash != std::string::npos && (line[hash - 1] == ' ' || line[hash - 1] == '\t'));
  return trimmed(comment ? line.substr(0, hash) : line);
}

}  // namespace

bool is_bytes_metric(RuleSubject subject, std::string_view metric) {
  if (subject == RuleSubject::heap) {
    const auto totals = heap_totals();
    return std::any_of(totals.begin(), totals.end(), [&](const HeapTotal& total) {
      return total.name == metric && total.is_bytes;
    });
  }
  return metric == "shallow" || metric == "retained";
}

bool needs_comparison(const GateRule& rule) {
  return rule.growth || (rule.subject == RuleSubject::heap &&
                         std::find(kComparedMetrics.begin(), kComparedMetrics.end(), rule.metric) !=
                             kComparedMetrics.end());
}

GateRule parse_rule(const std::string& text) {
  GateRule rule;
  rule.text = trimmed(text);
  if (!is_utf8(rule.text)) {
    refuse_rule(rule.text, "is no UTF-8 text");
  }
  const auto at = rule.text.find_last_of("<>");
  if (at == std::string::npos || at == 0) {
    refuse_rule(rule.text, "has no comparison; write METRIC>LIMIT, like retained>+10%");
  }
  const bool greater = rule.text[at] == '>';
  const bool equal = at + 1 < rule.text.size() && rule.text[at + 1] == '=';
  rule.op = greater ? (equal ? RuleOperator::greater_equal : RuleOperator::greater)
                    : (equal ? RuleOperator::less_equal : RuleOperator::less);
  take_subject(rule, trimmed(rule.text.substr(0, at)));
  take_limit(rule, trimmed(rule.text.substr(at + (equal ? 2 : 1))));
  check_growth(rule);
  check_unit(rule);
  return rule;
}

std::vector<GateRule> parse_rules(const std::string& text, const std::string& file) {
  std::vector<GateRule> rules;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string line = without_comment(text.substr(at, end - at));
    at = end + 1;
    ++number;
    if (line.empty()) {
      continue;
    }
    try {
      rules.push_back(parse_rule(line));
    } catch (const Error& error) {
      fail(error.code(), printable(file), ": line ", number, ": ", error.what());
    }
  }
  return rules;
}

}  // namespace hprof
