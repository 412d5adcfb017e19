#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// What a rule is about: the whole heap, or everything of one kind whose name fits a pattern.
enum class RuleSubject { heap, class_rows, package, loader, thread, field, suspect };

enum class RuleOperator { greater, greater_equal, less, less_equal };

/// In what a limit is given.
enum class LimitUnit { count, bytes, share };

/// A condition under which a gate fails.
struct GateRule {
  std::string text;  ///< as it was given
  RuleSubject subject = RuleSubject::heap;
  std::string pattern;  ///< of names, as NamePattern takes it; empty: any
  std::string metric;
  RuleOperator op = RuleOperator::greater;
  bool growth = false;    ///< from the first dump to the last, not the last one's value
  bool negative = false;  ///< the limit of a growth is below zero
  LimitUnit unit = LimitUnit::count;
  std::uint64_t limit = 0;  ///< a count, bytes, or basis points
};

/// Whether the metric is a number of bytes.
bool is_bytes_metric(RuleSubject subject, std::string_view metric);

/// Whether the metric is told by a comparison only.
bool needs_comparison(const GateRule& rule);

/// A rule from its text; Error(usage) says what is allowed in its place.
GateRule parse_rule(const std::string& text);

/// The rules of a file, one a line; "#" begins a comment, empty lines are passed over. Errors name
/// the line.
std::vector<GateRule> parse_rules(const std::string& text, const std::string& file);

/// The grammar, for --help.
std::string rule_grammar();

}  // namespace hprof
