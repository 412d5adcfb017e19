#include "common/error.h"
#include "common/text.h"
#include "tools/hprof-report/diff/heap_totals.h"
#include "tools/hprof-report/gate/rule_parts.h"

#include <algorithm>

namespace hprof {
namespace {

std::string names_of(std::span<const RuleMetric> metrics) {
  std::string out;
  for (const auto& metric : metrics) {
    out += (out.empty() ? "" : ", ") + std::string(metric.name);
  }
  return out;
}

/// A list in lines of moderate length, all but the first indented.
std::string wrapped(const std::string& list, std::size_t indent) {
  constexpr std::size_t kLineLength = 60;
  std::string out;
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < list.size();) {
    const auto comma = std::min(list.find(", ", begin), list.size());
    const std::string word = list.substr(begin, comma - begin);
    const bool breaks = line + word.size() > kLineLength;
    out += begin == 0 ? "" : breaks ? ",\n" + std::string(indent, ' ') : ", ";
    out += word;
    line = (breaks ? 0 : line) + word.size() + 2;
    begin = comma + 2;
  }
  return out;
}

}  // namespace

std::string heap_metric_names() {
  std::string out;
  for (const auto& total : heap_totals()) {
    out += std::string(total.name) + ", ";
  }
  return out + std::string(kComparedMetrics[0]) + ", " + std::string(kComparedMetrics[1]);
}

void refuse_rule(const std::string& rule, const std::string& why) {
  fail(ExitCode::usage, "rule \"", printable(rule), "\": ", why, "; --help has the grammar");
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const auto begin = text.find_first_not_of(kBlank);
  return begin == std::string_view::npos
             ? ""
             : std::string(text.substr(begin, text.find_last_not_of(kBlank) - begin + 1));
}

std::string rule_grammar() {
  std::string out =
      "RULES: a gate fails where a rule is true.\n"
      "  RULE    = SUBJECT OP LIMIT          e.g. retained>+10%   suspects>0   "
      "class:com.foo.Bar.instances>1000\n"
      "  OP      = > | >= | < | <=\n"
      "  LIMIT   = [+|-] NUMBER [UNIT]       + or -: growth from the first dump to the last; else "
      "the last dump's value\n"
      "  UNIT    = B | K | M | G | T | %     K is 1024 bytes, KB and KiB are K; % of the first "
      "dump's value for growth,\n"
      "                                      else of the used heap\n"
      "  SUBJECT = ";
  out += "METRIC                    of the heap: " + wrapped(heap_metric_names(), 38) + "\n";
  for (const auto& subject : kRuleRows) {
    const bool optional = subject.subject == RuleSubject::suspect;
    std::string form =
        std::string(subject.word) + ":" + (optional ? "[NAME.]" : "NAME.") + "METRIC";
    form.resize(26, ' ');
    out += "          | " + form + names_of(subject.metrics) + "\n";
  }
  out +=
      "  NAME: of a class, loader's class, thread, field (Class#field, Class.field of a static "
      "one), suspect's class; * stands for\n"
      "  any characters, and each one that fits is checked. A package includes its sub-packages. "
      "Instances, shallow and retained\n"
      "  sizes of a class add up over its loaders. growing: what the summary of diff names; "
      "new-suspects: of the last dump.\n"
      "  What a report does not hold makes a rule \"not evaluated\", which fails the gate unless "
      "--allow-missing is given; so does\n"
      "  an upper limit that what was read of a damaged dump does not exceed.\n"
      "  A rule file has a rule per line; # begins a comment.\n";
  return out;
}

}  // namespace hprof
