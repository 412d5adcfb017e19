#include "tools/hprof-report/collections/collection_rules.h"

#include "common/error.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace hprof {
namespace {

std::string with_rule(const std::string& rule) {
  return R"({"format": 1, "rules": [)" + rule + "]}";
}

std::string message_of(const std::string& text) {
  try {
    parse_collection_rules(text, "my\nrules.json");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).starts_with("my\\x0arules.json: "));
    return error.what();
  }
  return "no error";
}

std::string refusal(const std::string& rule) {
  return message_of(with_rule(rule));
}

bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

TEST_CASE("the rules that come with the program are found and right") {
  const auto path = installed_collection_rules();
  REQUIRE_FALSE(path.empty());
  const auto rules = read_collection_rules(path);
  std::set<std::string> classes;
  for (const auto& rule : rules) {
    classes.insert(rule.classes.begin(), rule.classes.end());
  }
  for (const auto* const name :
       {"java.util.ArrayList", "java.util.concurrent.ConcurrentHashMap", "java.util.EnumMap",
        "scala.collection.mutable.ArrayBuffer", "kotlin.collections.ArrayDeque",
        "com.google.common.collect.HashBiMap", "gnu.trove.impl.hash.THash",
        "org.eclipse.collections.impl.list.mutable.FastList",
        "it.unimi.dsi.fastutil.*OpenHashMap"}) {
    CHECK_MESSAGE(classes.contains(name), name);
  }
}

TEST_CASE("a rule is read with all that it says") {
  const auto rules = parse_collection_rules(
      with_rule(R"({"class": ["a.B", "a.C"], "kind": "map", "size": "n + cells[].at.value - 2",
                    "array": ["table", "values"], "slots": 2, "buckets": true,
                    "fit": {"load": [3, 4], "strict": true, "power_of_two": true, "least": 4},
                    "entries": "a.B$E", "has": ["n"]})"),
      "x");
  REQUIRE(rules.size() == 1);
  const auto& rule = rules.front();
  CHECK(rule.kind == CollectionKind::map);
  REQUIRE(rule.size.terms.size() == 3);
  CHECK(rule.size.terms[1].path.steps.size() == 3);
  CHECK(rule.size.terms[1].path.steps[0].each);
  CHECK(rule.size.terms[2].negative);
  CHECK(rule.size.terms[2].number == 2);
  CHECK(rule.more_arrays == std::vector<std::string>{"values"});
  CHECK(rule.fit.needed(3, 2) == 16);  // eight places: at four, three would not be below 3/4
  CHECK(rule.fit.needed(0, 2) == 8);
}

TEST_CASE("files that are no rule files are refused with the place") {
  CHECK(says(message_of("{"), "is no JSON"));
  CHECK(says(message_of("[]"), "is no rule file"));
  CHECK(says(message_of(R"({"format": 2, "rules": []})"), "\"format\" is not 1"));
  CHECK(says(message_of(R"({"format": 1, "rules": {}})"), "\"rules\" is no list"));
  CHECK(says(refusal("7"), "rule 1 is no object"));
  CHECK(says(refusal(R"({"class": "a.B"})"), "rule 1 (a.B) has no \"size\""));
  CHECK(says(refusal(R"({"size": "n"})"), "has no \"class\""));
  CHECK(says(refusal(R"({"class": "a.B", "size": "n", "colour": 1})"), "\"colour\" is not known"));
  CHECK(says(refusal(R"({"class": "a.B", "kind": "heap", "size": "n"})"), "\"kind\" is none of"));
  for (const auto* const size :
       {"\"\"", "\"a..b\"", "\"a + \"", "\"a[]\"", "\"a b\"", "\"a.b.c.d.e.f.g\"", "-1", "1.5",
        "{}", R"({"ring": ["a"]})", R"({"set": ["a"], "except": ["b"]})", R"({"bits": 1})"}) {
    CHECK_MESSAGE(
        says(refusal(R"({"class": "a.B", "size": )" + std::string(size) + "}"), "\"size\""), size);
  }
  CHECK(says(refusal(R"({"class": "a.B", "size": "@used"})"), "needs an \"array\""));
  CHECK(says(refusal(R"({"class": "a.B", "size": {"ring": ["a", "b"]}, "array": "c.d"})"), "ring"));
  CHECK(says(refusal(R"({"class": "a.B", "chain": ["a", "b"], "entries": "c"})"), "three fields"));
  CHECK(says(refusal(R"({"class": "a.B", "owns": "a", "views": "b"})"), "both"));
  CHECK(says(refusal(R"({"class": "a.B", "size": "n", "slots": 0})"), "from 1 to 16"));
  CHECK(says(refusal(R"({"class": "a.B", "size": "n", "fit": {"load": [0, 1]}})"), "\"fit\""));
  CHECK(says(refusal(R"({"class": "a.B", "size": "n", "fit": "tight"})"), "none of exact"));
  CHECK(says(refusal(R"({"class": []})"), "list of none"));
  CHECK(says(refusal(R"({"class": ")" + std::string(600, 'x') + "\"}"), "longer than 500"));
  CHECK(says(message_of(std::string(100'000, '[')), "is no JSON"));
}

TEST_CASE("classes are matched with one star at most") {
  CHECK(matches_class("a.B", "a.B"));
  CHECK_FALSE(matches_class("a.B", "a.Bc"));
  CHECK(matches_class("a.*Map", "a.IntMap"));
  CHECK(matches_class("a.*Map", "a.Map"));
  CHECK_FALSE(matches_class("a.*.Map", "a.Map"));
  CHECK_FALSE(matches_class("abc*cde", "abcde"));
}

TEST_CASE("the smallest array never overflows") {
  FitRule fit;
  fit.load_part = 1;
  fit.load_whole = 1000;
  fit.power_of_two = true;
  CHECK(fit.needed(0xfffffffeU, 16) <= (std::uint64_t{1} << 62U));
  CHECK(FitRule{}.needed(5, 1) == 5);
}

}  // namespace
}  // namespace hprof
