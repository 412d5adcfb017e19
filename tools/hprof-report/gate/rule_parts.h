#pragma once

#include "tools/hprof-report/gate/rule.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace hprof {

// The words of rules, for the parser and for what explains them.

/// A figure that a rule can ask for.
struct RuleMetric {
  std::string_view name;
  bool is_bytes;
};

inline constexpr std::array kClassMetrics{RuleMetric{"instances", false},
                                          RuleMetric{"shallow", true}, RuleMetric{"retained", true},
                                          RuleMetric{"copies", false}};
inline constexpr std::array kPackageMetrics{
    RuleMetric{"classes", false}, RuleMetric{"instances", false}, RuleMetric{"shallow", true},
    RuleMetric{"retained", true}};
inline constexpr std::array kLoaderMetrics{
    RuleMetric{"loaders", false}, RuleMetric{"classes", false}, RuleMetric{"instances", false},
    RuleMetric{"shallow", true}, RuleMetric{"retained", true}};
inline constexpr std::array kThreadMetrics{RuleMetric{"threads", false},
                                           RuleMetric{"retained", true}};
inline constexpr std::array kFieldMetrics{
    RuleMetric{"retained", true}, RuleMetric{"collections", false}, RuleMetric{"elements", false}};
inline constexpr std::array kSuspectMetrics{RuleMetric{"retained", true},
                                            RuleMetric{"instances", false}};

/// Figures that only a comparison has.
inline constexpr std::array<std::string_view, 2> kComparedMetrics{"new-suspects", "growing"};

/// A kind of rows that a rule can be about.
struct RuleRows {
  std::string_view word;
  RuleSubject subject;
  std::span<const RuleMetric> metrics;
};

inline constexpr std::array kRuleRows{
    RuleRows{"class", RuleSubject::class_rows, kClassMetrics},
    RuleRows{"package", RuleSubject::package, kPackageMetrics},
    RuleRows{"loader", RuleSubject::loader, kLoaderMetrics},
    RuleRows{"thread", RuleSubject::thread, kThreadMetrics},
    RuleRows{"field", RuleSubject::field, kFieldMetrics},
    RuleRows{"suspect", RuleSubject::suspect, kSuspectMetrics},
};

/// The figures of the whole heap, separated by commas.
std::string heap_metric_names();

/// Error(usage) about a rule: what is wrong with it.
[[noreturn]] void refuse_rule(const std::string& rule, const std::string& why);

/// Without blanks around it.
std::string trimmed(std::string_view text);

/// Reads "[+|-] NUMBER [UNIT]" into the rule.
void take_limit(GateRule& rule, const std::string& text);

}  // namespace hprof
