// Every rule of the triage on dumps: one on which it has to speak, and a sibling on which it must
// not.
#include "staged_heap.h"
#include "tools/hprof-report/triage/rules.h"
#include "triage_heaps.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::HeapOptions;
using test::StagedHeap;

HeapOptions options_for(const std::string& rule) {
  HeapOptions options;
  options.reference_size = 4;
  options.thread_fields = {{"name"}, {"threadLocals"}};
  if (rule == "shape" || rule == "one-or-many") {
    options.core = test::CoreClasses::none;
  }
  return options;
}

bool speaks(const std::string& rule, void (*fill)(HeapBuilder&)) {
  HeapBuilder builder(options_for(rule));
  fill(builder);
  const auto report = StagedHeap(builder).report();
  const auto& findings = report.triage->findings;
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.rule == rule; });
}

TEST_CASE("each rule speaks on one dump and is silent on another") {
  for (const auto& heaps : test::rule_heaps()) {
    CHECK_MESSAGE(speaks(heaps.rule, heaps.speaks), heaps.rule, " has to speak");
    CHECK_MESSAGE(!speaks(heaps.rule, heaps.silent), heaps.rule, " has to be silent");
  }
}

TEST_CASE("there are such dumps for each rule") {
  std::set<std::string> rules;
  for (const auto& heaps : test::rule_heaps()) {
    rules.insert(heaps.rule);
  }
  CHECK(rules.size() == triage::rules().size());
}

TEST_CASE("of the rules on a static field only the one that says most speaks") {
  const auto found = [](const std::string& rule) {
    const auto& all = test::rule_heaps();
    return *std::find_if(all.begin(), all.end(),
                         [&](const test::RuleHeaps& heaps) { return heaps.rule == rule; });
  };
  const std::vector<std::string> rules{"hoard", "listener-leak", "static-anchor"};
  for (const auto& one : rules) {
    for (const auto& other : rules) {
      CHECK_MESSAGE(speaks(other, found(one).speaks) == (one == other), other, " on ", one);
    }
  }
}

}  // namespace
}  // namespace hprof
