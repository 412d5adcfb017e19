// A figure may be known between two bounds only. A rule is broken where both bounds break it, kept
// where neither does, and cannot be told where the limit lies between. Of a dump that was read in
// part lower bounds of some figures are known. Sums, products and differences are taken in 128
// bits, so nothing overflows.
#include "tools/hprof-report/gate/gate.h"

#include "common/options.h"
#include "common/text.h"
#include "formats/diff/diff_text.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/diff/comparability.h"
#include "tools/hprof-report/dominators/name_pattern.h"
#include "tools/hprof-report/gate/measures.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace hprof {
namespace {

__extension__ using SignedWide = __int128;

constexpr SignedWide kWholeShare = 10000;

/// One thing that a rule is checked on.
struct Reading {
  std::string name;
  Bounds first;
  Bounds last;
};

/// How far a reading is over the limit, at least and at most; comparable between readings.
struct Excess {
  SignedWide least = 0;
  SignedWide most = 0;
};

SignedWide wide(std::uint64_t value) {
  return static_cast<SignedWide>(value);
}

Excess excess_of_growth(const GateRule& rule, const Reading& reading) {
  const SignedWide limit = rule.negative ? -wide(rule.limit) : wide(rule.limit);
  if (rule.unit != LimitUnit::share) {
    return {wide(reading.last.least) - wide(reading.first.most) - limit,
            wide(reading.last.most) - wide(reading.first.least) - limit};
  }
  const SignedWide kept = kWholeShare + limit;
  return {kWholeShare * wide(reading.last.least) - kept * wide(reading.first.most),
          kWholeShare * wide(reading.last.most) - kept * wide(reading.first.least)};
}

Excess excess_of(const GateRule& rule, const Reading& reading, std::uint64_t used_heap) {
  if (rule.growth) {
    return excess_of_growth(rule, reading);
  }
  const bool share = rule.unit == LimitUnit::share;
  const SignedWide scale = share ? kWholeShare : 1;
  const SignedWide limit = wide(rule.limit) * (share ? wide(used_heap) : 1);
  return {scale * wide(reading.last.least) - limit, scale * wide(reading.last.most) - limit};
}

bool breaks(RuleOperator op, SignedWide excess) {
  switch (op) {
    case RuleOperator::greater:
      return excess > 0;
    case RuleOperator::greater_equal:
      return excess >= 0;
    case RuleOperator::less:
      return excess < 0;
    default:
      return excess <= 0;
  }
}

RuleStatus status_of(RuleOperator op, const Excess& excess) {
  const bool least = breaks(op, excess.least);
  const bool most = breaks(op, excess.most);
  return least != most ? RuleStatus::not_evaluated
         : least       ? RuleStatus::failed
                       : RuleStatus::passed;
}

bool looks_down(RuleOperator op) {
  return op == RuleOperator::less || op == RuleOperator::less_equal;
}

std::string figure_text(const GateRule& rule, std::uint64_t value) {
  return is_bytes_metric(rule.subject, rule.metric) ? format_bytes(value) : grouped(value);
}

std::string bounds_text(const GateRule& rule, const Bounds& bounds) {
  if (bounds.is_exact()) {
    return figure_text(rule, bounds.least);
  }
  return bounds == kUnknownBounds             ? "unknown"
         : bounds.most == kUnknownBounds.most ? "at least " + figure_text(rule, bounds.least)
         : bounds.least == 0
             ? "at most " + figure_text(rule, bounds.most)
             : "from " + figure_text(rule, bounds.least) + " to " + figure_text(rule, bounds.most);
}

std::string change_text(const GateRule& rule, const Reading& reading) {
  if (!reading.first.is_exact() || !reading.last.is_exact()) {
    return "";
  }
  const auto series = make_series({reading.first, reading.last});
  const bool share = series.change_bp && series.change.amount != 0;
  return (is_bytes_metric(rule.subject, rule.metric) ? change_in_bytes(series.change)
                                                     : change_in_count(series.change)) +
         (share ? " (" + change_in_share(*series.change_bp) + ")" : "") + ", ";
}

std::string measured_text(const GateRule& rule, const Reading& reading, std::uint64_t used_heap) {
  if (rule.growth) {
    return change_text(rule, reading) + "from " + bounds_text(rule, reading.first) + " to " +
           bounds_text(rule, reading.last);
  }
  std::string out = bounds_text(rule, reading.last);
  if (rule.unit == LimitUnit::share && reading.last.is_exact() && reading.last.least <= used_heap) {
    out += ", " + format_share(share_bp(reading.last.least, used_heap)) + " of the used heap";
  }
  return out;
}

/// What rules about rows are checked on: everything that fits in the first or the last report.
std::vector<Reading> fitting(const GateRule& rule, const Measures& first, const Measures& last) {
  std::set<std::string> names;
  const NamePattern pattern(rule.pattern.empty() ? "*" : rule.pattern);
  for (const auto* measures : {&first, &last}) {
    for (const auto& [name, bounds] : measures->rows) {
      if (pattern.matches(name)) {
        names.insert(name);
      }
    }
  }
  const auto value = [](const Measures& measures, const std::string& name) {
    const auto found = measures.rows.find(name);
    return found == measures.rows.end() ? measures.others : found->second;
  };
  std::vector<Reading> out;
  out.reserve(names.size());
  for (const auto& name : names) {
    out.push_back({name, value(first, name), value(last, name)});
  }
  if (out.empty()) {
    out.push_back({"", first.others, last.others});
  }
  return out;
}

constexpr std::array<std::string_view, 8> kHeapCounts{"retained", "objects",           "classes",
                                                      "loaders",  "duplicate-classes", "threads",
                                                      "gc-roots", "collections"};
constexpr std::array<std::string_view, 6> kRowCounts{"instances", "shallow", "copies",
                                                     "classes",   "loaders", "threads"};

/// Whether the whole dump has at least what a part of it has: a GC root reaches in the whole what
/// it reaches in the part. What single objects retain, garbage, suspects and shares may be less
/// there.
bool is_lower_bound(const GateRule& rule, const Report& part) {
  const auto is_in = [&](const auto& metrics) {
    return std::find(metrics.begin(), metrics.end(), rule.metric) != metrics.end();
  };
  const bool counts = rule.subject == RuleSubject::heap
                          ? is_in(kHeapCounts)
                          : rule.subject != RuleSubject::suspect && is_in(kRowCounts);
  const bool is_share = rule.unit == LimitUnit::share && !rule.growth;
  return counts && !is_share && part.overview.root_policy != "fallback";
}

/// What is left of figures of a part of the dump.
Measures of_part(Measures measures, bool is_lower_bound) {
  const auto loosen = [&](Bounds& bounds) {
    bounds = {is_lower_bound ? bounds.least : 0, kUnknownBounds.most};
  };
  for (auto& [name, bounds] : measures.rows) {
    loosen(bounds);
  }
  loosen(measures.others);
  return measures;
}

class RuleChecker {
 public:
  RuleChecker(const GateRule& rule, const GateInput& input) : rule_(rule), input_(input) {
    result_.rule = rule.text;
  }

  RuleResult check() {
    const Report& first = input_.reports.front();
    const Report& last = input_.reports.back();
    const Measures before = measure(first);
    const Measures after = measure(last);
    if (rule_.growth && !before.missing.empty()) {
      return not_evaluated(input_.names.front() + " " + before.missing);
    }
    if (!after.missing.empty()) {
      return not_evaluated(input_.names.back() + " " + after.missing);
    }
    const std::string difference = difference_of_reports();
    if (!difference.empty()) {
      return not_evaluated(difference);
    }
    note_damage();
    note(after.note);
    judge(fitting(rule_, before, after));
    return std::move(result_);
  }

 private:
  Measures measure(const Report& report) const {
    if (is_compared()) {
      return compared();
    }
    const bool heap_rule = rule_.subject == RuleSubject::heap;
    Measures out = heap_rule ? heap(report) : measure_rows(rule_, report, input_.options);
    return report.complete ? out : of_part(std::move(out), is_lower_bound(rule_, report));
  }

  /// Whether the figure depends on how objects are laid out: bytes within the heap do.
  bool depends_on_layout() const {
    return rule_.metric == "growing" ||
           (is_bytes_metric(rule_.subject, rule_.metric) && rule_.metric != "direct-memory");
  }

  /// Why a change between these reports says nothing: other figures of equal heaps; else empty.
  std::string difference_of_reports() const {
    const std::size_t last = input_.reports.size() - 1;
    const std::size_t begin = is_compared() ? 1 : rule_.growth ? last : last + 1;
    const Report& first = input_.reports.front();
    for (std::size_t at = begin; at <= last; ++at) {
      const auto layout = depends_on_layout() ? layout_difference(first, input_.reports[at]) : "";
      const auto why = layout.empty() ? reach_difference(first, input_.reports[at]) : layout;
      if (!why.empty()) {
        return input_.names.front() + " and " + input_.names[at] + " do not measure alike (" + why +
               "), so the rule cannot be evaluated";
      }
    }
    return "";
  }

  bool is_compared() const { return needs_comparison(rule_) && !rule_.growth; }

  Measures heap(const Report& report) const {
    const bool compared_metric = rule_.metric == "growing" || rule_.metric == "new-suspects";
    Measures out;
    out.missing = "does not compare it; leave the + out of the rule";
    return compared_metric ? out : measure_heap(rule_, report);
  }

  /// Figures of the comparison itself. What an earlier dump lacks may look new in the last one.
  Measures compared() const {
    const auto& suspects = input_.diff->suspects;
    const auto created = std::count_if(suspects.begin(), suspects.end(), [](const auto& suspect) {
      return suspect.fate == Fate::created || suspect.fate == Fate::newly_listed;
    });
    Measures out;
    out.rows[rule_.metric] =
        exactly(rule_.metric == "growing" ? input_.diff->causes.size()
                                          : static_cast<std::uint64_t>(created));
    const auto& reports = input_.reports;
    const bool earlier_whole = std::all_of(reports.begin(), reports.end() - 1,
                                           [](const Report& report) { return report.complete; });
    if (!earlier_whole) {
      out.rows[rule_.metric] = kUnknownBounds;
    }
    return reports.back().complete ? out : of_part(std::move(out), false);
  }

  RuleResult not_evaluated(const std::string& why) {
    result_.status = RuleStatus::not_evaluated;
    result_.text = why;
    return std::move(result_);
  }

  void note(const std::string& text) {
    if (!text.empty()) {
      if (!result_.notes) {
        result_.notes.emplace();
      }
      result_.notes->push_back(text);
    }
  }

  void note_damage() {
    for (std::size_t at = 0; at < input_.reports.size(); ++at) {
      const bool used =
          at + 1 == input_.reports.size() || (rule_.growth && at == 0) || is_compared();
      if (used && !input_.reports[at].complete) {
        covers_part_ = true;
        note("the dump of " + input_.names[at] + " is damaged, its figures are those of a part");
      }
    }
  }

  std::uint64_t used_heap() const { return input_.reports.back().overview.total_shallow; }

  /// The reading that is furthest over the limit decides; a broken rule before one that cannot be
  /// told, and that before a kept one.
  void judge(const std::vector<Reading>& readings) {
    const Reading* worst = &readings.front();
    Excess worst_excess = excess_of(rule_, *worst, used_heap());
    result_.status = status_of(rule_.op, worst_excess);
    for (const auto& reading : readings) {
      const Excess excess = excess_of(rule_, reading, used_heap());
      const RuleStatus status = status_of(rule_.op, excess);
      result_.violations += status == RuleStatus::failed ? 1 : 0;
      if (severity(status) > severity(result_.status) ||
          (status == result_.status && is_further(excess, worst_excess))) {
        worst = &reading;
        worst_excess = excess;
        result_.status = status;
      }
    }
    say(*worst);
  }

  bool is_unknown(const Reading& reading) const {
    return reading.last == kUnknownBounds || (rule_.growth && reading.first == kUnknownBounds);
  }

  static int severity(RuleStatus status) {
    return status == RuleStatus::failed ? 2 : status == RuleStatus::not_evaluated ? 1 : 0;
  }

  bool is_further(const Excess& excess, const Excess& worst) const {
    return looks_down(rule_.op) ? excess.least < worst.least : excess.least > worst.least;
  }

  std::string verb() const { return rule_.growth ? " changed: " : " is "; }

  void say(const Reading& worst) {
    result_.measured = measured_text(rule_, worst, used_heap());
    if (rule_.subject == RuleSubject::heap) {
      result_.text = rule_.metric + verb() + *result_.measured;
    } else if (worst.name.empty()) {
      result_.text = "nothing that fits is listed: " + rule_.metric + verb() + *result_.measured;
      note(rule_.pattern.empty()
               ? ""
               : "no report has anything that fits " + md_verbatim(rule_.pattern));
    } else {
      result_.worst = worst.name;
      result_.text = rule_.metric + " of " + md_verbatim(worst.name) + verb() + *result_.measured;
    }
    if (result_.status != RuleStatus::not_evaluated && is_unknown(worst)) {
      result_.text += result_.status == RuleStatus::failed ? ", and any figure breaks the rule"
                                                           : ", and any figure keeps the rule";
    }
    if (result_.status == RuleStatus::not_evaluated) {
      result_.text += covers_part_        ? "; the report covers only part of the dump"
                      : is_unknown(worst) ? "; the report lists the largest only"
                                          : "; the limit lies between what is known";
      result_.text += ", so the rule cannot be evaluated";
    }
    if (result_.violations > 1) {
      result_.text += "; " + format_count(result_.violations - 1, "other breaks", "others break") +
                      " the rule as well";
    }
  }

  const GateRule& rule_;
  const GateInput& input_;
  RuleResult result_;
  bool covers_part_ = false;  ///< a report that decides does not cover its whole dump
};

}  // namespace

GateReport evaluate(const std::vector<GateRule>& rules, const GateInput& input) {
  GateReport out;
  out.generator = "hprof-report " + tool_version();
  out.reports = input.names;
  for (const auto& rule : rules) {
    out.rules.push_back(RuleChecker(rule, input).check());
    const RuleStatus status = out.rules.back().status;
    out.failed_rules += status == RuleStatus::failed ? 1 : 0;
    out.not_evaluated_rules += status == RuleStatus::not_evaluated ? 1 : 0;
  }
  out.passed = out.failed_rules == 0 && (out.not_evaluated_rules == 0 || input.allow_missing);
  return out;
}

}  // namespace hprof
