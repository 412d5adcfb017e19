#include "tools/hprof-report/gate/rule.h"

#include "common/error.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

std::string refusal(const std::string& rule) {
  try {
    parse_rule(rule);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
  return "";
}

TEST_CASE("rules about the heap") {
  const auto growth = parse_rule("retained>+10%");
  CHECK(growth.subject == RuleSubject::heap);
  CHECK(growth.metric == "retained");
  CHECK(growth.op == RuleOperator::greater);
  CHECK(growth.growth);
  CHECK(growth.unit == LimitUnit::share);
  CHECK(growth.limit == 1000);
  CHECK(needs_comparison(growth));
  const auto plain = parse_rule(" suspects >= 3 ");
  CHECK(plain.text == "suspects >= 3");
  CHECK(plain.op == RuleOperator::greater_equal);
  CHECK(plain.limit == 3);
  CHECK_FALSE(needs_comparison(plain));
  CHECK(parse_rule("loaders>+0").growth);
  CHECK(parse_rule("objects<-50%").negative);
  CHECK(parse_rule("shallow>2G").metric == "retained");
  CHECK(needs_comparison(parse_rule("new-suspects>0")));
}

TEST_CASE("rules about rows end their name at the last dot before the operator") {
  const auto rule = parse_rule("class:com.foo.Bar.instances>1000");
  CHECK(rule.subject == RuleSubject::class_rows);
  CHECK(rule.pattern == "com.foo.Bar");
  CHECK(rule.metric == "instances");
  CHECK(parse_rule("package:com.foo.retained>+5%").pattern == "com.foo");
  CHECK(parse_rule("field:a.B#c.elements>5").pattern == "a.B#c");
  CHECK(parse_rule("thread:pool-*-thread-*.threads>64").pattern == "pool-*-thread-*");
  CHECK(parse_rule("loader:<system class loader>.classes>5").pattern == "<system class loader>");
  CHECK(parse_rule("suspect:retained>25%").pattern.empty());
  CHECK(parse_rule("suspect:a.B.retained>25%").pattern == "a.B");
}

TEST_CASE("limits in bytes and shares") {
  CHECK(parse_rule("retained>10").limit == 10);
  CHECK(parse_rule("retained>10K").limit == 10'240);
  CHECK(parse_rule("retained>10kb").limit == 10'240);
  CHECK(parse_rule("retained>10 MiB").limit == 10'485'760);
  CHECK(parse_rule("retained>1.5G").limit == 1'610'612'736);
  CHECK(parse_rule("retained>2T").limit == 2'199'023'255'552);
  CHECK(parse_rule("retained>+2.5%").limit == 250);
  CHECK(parse_rule("retained>18446744073709551615").limit == 18446744073709551615ULL);
}

TEST_CASE("a wrong rule says what is allowed") {
  CHECK(refusal("heap>5").find("none of retained, objects") != std::string::npos);
  CHECK(refusal("klass:a.B.instances>5").find("class:, package:") != std::string::npos);
  CHECK(refusal("class:a.B.size>5").find("instances, shallow, retained") != std::string::npos);
  CHECK(refusal("class:instances>5").find("class:NAME.instances") != std::string::npos);
  CHECK(refusal("package:com.*.retained>5").find("without *") != std::string::npos);
  CHECK(refusal("retained").find("no comparison") != std::string::npos);
  CHECK(refusal(">5").find("no comparison") != std::string::npos);
  CHECK(refusal("").find("no comparison") != std::string::npos);
  CHECK(refusal("retained>").find("must be a number") != std::string::npos);
  CHECK(refusal("retained>+").find("must be a number") != std::string::npos);
  CHECK(refusal("retained>ten").find("must be a number") != std::string::npos);
  CHECK(refusal("retained>1.").find("must be a number") != std::string::npos);
  CHECK(refusal("retained>1.2.3G").find("is no unit") != std::string::npos);
  CHECK(refusal("retained>5X").find("is no unit") != std::string::npos);
  CHECK(refusal("retained>=>5").find("none of") != std::string::npos);
  CHECK(refusal("retained==5").find("no comparison") != std::string::npos);
}

TEST_CASE("a rule is told what is wrong with it, not something else") {
  CHECK(refusal("growing>+0").find("write growing>0") != std::string::npos);
  CHECK(refusal("retained>1.000000000000000000000000001%").find("six decimals") !=
        std::string::npos);
  CHECK(refusal("class:\xff.retained>1").find("no UTF-8") != std::string::npos);
}

TEST_CASE("units must fit the figure") {
  CHECK(refusal("objects>5M").find("number of things") != std::string::npos);
  CHECK(refusal("objects>5%").find("only bytes have a share") != std::string::npos);
  CHECK(refusal("retained>50%").find("retained>+10%") != std::string::npos);
  CHECK(refusal("objects>1.5").find("whole") != std::string::npos);
  CHECK(refusal("retained>+1.234%").find("two decimals") != std::string::npos);
  CHECK(parse_rule("objects>+5%").growth);
}

TEST_CASE("limits do not overflow") {
  CHECK(refusal("retained>18446744073709551616").find("too large") != std::string::npos);
  CHECK(refusal("retained>99999999999T").find("too large") != std::string::npos);
  CHECK(refusal("retained>+99999999999999999%").find("too large") != std::string::npos);
  CHECK(refusal("retained>1.1234567G").find("six decimals") != std::string::npos);
}

TEST_CASE("a rule file has comments, and errors name its lines") {
  const auto rules = parse_rules(
      "# the nightly gate\n\nretained>+10%  # growth\r\n  suspects>0\nfield:a.B#c.elements>5", "g");
  REQUIRE(rules.size() == 3);
  CHECK(rules[0].text == "retained>+10%");
  CHECK(rules[1].text == "suspects>0");
  CHECK(rules[2].pattern == "a.B#c");
  CHECK(parse_rules("# nothing\n", "g").empty());
  try {
    parse_rules("suspects>0\n\nbad\n", "rules.txt");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).starts_with("rules.txt: line 3: rule \"bad\""));
  }
}

TEST_CASE("the grammar names every metric") {
  const auto grammar = rule_grammar();
  for (const char* word : {"duplicate-strings.saved", "findings.critical", "class:NAME",
                           "package:", "suspect:[NAME.]", "growing", "elements"}) {
    CHECK(grammar.find(word) != std::string::npos);
  }
}

}  // namespace
}  // namespace hprof
