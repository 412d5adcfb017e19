#include "tools/mat-diff/aggregate.h"

#include "common/concat.h"
#include "common/error.h"
#include "tests/support/files.h"
#include "tools/mat-diff/render.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace hprof;
using namespace hprof::test;
using nlohmann::json;

namespace {

Field field(Tier tier, Reason reason = Reason::none) {
  return {"overview", "gc_roots", "8", "7", {tier, reason, "because"}, 1};
}

void write(const TempFolder& folder, const std::string& name, const std::vector<Field>& fields) {
  Comparison comparison;
  comparison.mat = "x.zip";
  comparison.ours = name + ".json";
  comparison.fields = fields;
  const auto text = render_json(comparison);
  write_file(folder / (name + ".diff.json"), std::vector<std::uint8_t>(text.begin(), text.end()));
}

void write_text(const TempFolder& folder, const std::string& name, const std::string& text) {
  write_file(folder / name, std::vector<std::uint8_t>(text.begin(), text.end()));
}

}  // namespace

TEST_CASE("the gate passes with enough real comparisons and no FAIL") {
  const TempFolder folder;
  write(folder, "a", {field(Tier::match), field(Tier::explainable, Reason::rounding)});
  write(folder, "b", {field(Tier::match)});
  const auto gate = aggregate(folder.path(), 2, {"a", "b"});
  CHECK(gate.pass);
  CHECK(gate.real_comparisons == 2);
  CHECK(gate.explainable.size() == 1);
  CHECK(render_gate_markdown(gate).ends_with("GATE PASS: 2 real comparisons, no FAIL\n"));
  CHECK_FALSE(aggregate(folder.path(), 3, {}).pass);
}

TEST_CASE("one FAIL closes the gate and is listed") {
  const TempFolder folder;
  write(folder, "a", {field(Tier::match), field(Tier::fail)});
  write(folder, "b", {field(Tier::match)});
  const auto gate = aggregate(folder.path(), 0, {});
  CHECK_FALSE(gate.pass);
  CHECK(gate.reason == "1 FAIL in 1 of 2 dumps");
  REQUIRE(gate.fails.size() == 1);
  CHECK(gate.fails[0].dump == "a");
  const auto parsed = json::parse(render_gate_json(gate));
  CHECK(parsed["gate"] == "FAIL");
  CHECK(parsed["dumps"].size() == 2);
  CHECK(parsed["real_comparisons"] == 2);
  CHECK(parsed["fails"][0]["field"] == "gc_roots");
  CHECK(parsed["explainable"].empty());
}

TEST_CASE("a comparison of nothing is not real, and an expected one must be there") {
  const TempFolder folder;
  write(folder, "a", {field(Tier::skipped, Reason::no_counterpart)});
  write(folder, "b", {field(Tier::match)});
  CHECK(aggregate(folder.path(), 0, {}).real_comparisons == 1);
  CHECK_FALSE(aggregate(folder.path(), 2, {}).pass);
  CHECK(aggregate(folder.path(), 0, {"a"}).reason == "no comparison of a");
  CHECK(aggregate(folder.path(), 0, {"c", "b"}).reason == "no comparison of c");
  CHECK(aggregate(folder.path(), 1, {"b"}).reason ==
        "comparisons that were not asked for: a; remove them");
  CHECK(aggregate(folder.path(), 1, {}).pass);
}

TEST_CASE("an empty folder passes only where nothing is asked for") {
  const TempFolder folder;
  CHECK_FALSE(aggregate(folder.path(), 1, {}).pass);
  CHECK(aggregate(folder.path(), 0, {}).pass);
  CHECK_THROWS_AS(aggregate(folder / "missing", 0, {}), Error);
}

TEST_CASE("files that mat-diff did not write so are refused") {
  const auto refused = [](const std::string& text) {
    const TempFolder folder;
    write_text(folder, "a.diff.json", text);
    try {
      aggregate(folder.path(), 0, {});
    } catch (const Error& error) {
      return error.code() == ExitCode::bad_data;
    }
    return false;
  };
  const auto with = [](const std::string& row, const std::string& summary) {
    return concat("{\"fields\": [", row, "], \"summary\": ", summary, "}");
  };
  const std::string one_match = R"({"match": 1, "explainable": 0, "fail": 0, "skipped": 0})";
  CHECK_FALSE(refused(with(R"({"tier": "MATCH", "reason": ""})", one_match)));
  CHECK(refused(""));
  CHECK(refused("[]"));
  CHECK(refused("{\"fields\": []}"));
  CHECK(refused(with(R"({"tier": "FAIL", "reason": ""})", one_match)));
  CHECK(refused(with(R"({"tier": "FINE", "reason": ""})", one_match)));
  CHECK(refused(with(R"({"tier": "EXPLAINABLE", "reason": "Luck"})",
                     R"({"match": 0, "explainable": 1, "fail": 0, "skipped": 0})")));
}
