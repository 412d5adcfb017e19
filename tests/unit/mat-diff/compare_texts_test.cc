#include "tests/unit/mat-diff/compare_sample.h"
#include "tools/mat-diff/mat_text.h"
#include "tools/mat-diff/render.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::test;
using nlohmann::json;

TEST_CASE("threads and properties are sets that must be whole") {
  auto fails = fields_of(compare_with(without("/threads/threads/1")), Tier::fail);
  CHECK(fails == std::set<std::string>{"threads: row 0x5100"});
  fails = fields_of(compare_with(without("/overview/system_properties/0")), Tier::fail);
  CHECK(fails == std::set<std::string>{"system_properties: a"});
  auto report = sample_report();
  report["threads"]["threads"].push_back({{"address", "0x6000"}, {"class", "app.Worker"}});
  report["overview"]["system_properties"].push_back({{"key", "own"}, {"value", "1"}});
  report["overview"]["system_properties"].push_back(
      {{"key", "default"}, {"value", "1"}, {"is_default", true}});
  CHECK(fields_of(compare_with(report), Tier::fail) ==
        std::set<std::string>{"system_properties: own", "threads: row 0x6000"});
  for (const auto* section : {"/threads", "/overview/system_properties"}) {
    CHECK(compare_with(without(section)).summary().fail > 0);
  }
}

TEST_CASE("what a report says it leaves out is skipped") {
  auto report = sample_report();
  report["overview"].erase("system_properties");
  report["threads"]["threads"][0].erase("name");
  report["not_covered"] = {{{"section", "threads"}, {"reason", "x"}},
                           {{"section", "overview"}, {"reason", "x"}}};
  auto comparison = compare_with(report);
  CHECK(fields_of(comparison, Tier::fail).empty());
  CHECK(fields_of(comparison, Tier::skipped).count("threads: rows") == 1);
  report = changed("/overview/system_properties/0",
                   json{{"key", "a"}, {"value", "***"}, {"masked", true}});
  comparison = compare_with(report);
  CHECK(fields_of(comparison, Tier::fail).empty());
  CHECK(fields_of(comparison, Tier::skipped).count("system_properties: masked values") == 1);
}

TEST_CASE("the JVM's state words are those of MAT") {
  const std::pair<const char*, const char*> kStates[] = {
      {"[alive, runnable]", "RUNNABLE"},
      {"[alive, blocked on monitor enter]", "BLOCKED"},
      {"[alive, sleeping, waiting, waiting with timeout]", "TIMED_WAITING"},
      {"[terminated]", "TERMINATED"},
      {"[]", "NEW"}};
  for (const auto& [words, state] : kStates) {
    auto pages = sample_overview();
    auto& page = pages.at("pages/Thread_Overview4.html");
    page = replaced(page, "[alive, parked, waiting, waiting indefinitely]", words);
    auto suspects = sample_suspects();
    suspects.at("pages/Thread_Overview4.html") = page;
    const auto mat = read_pages(pages, suspects);
    auto report = changed("/threads/threads/0/state", state);
    CHECK(fields_of(compare(mat, OurReport(report)), Tier::fail).empty());
    report = changed("/threads/threads/0/state", "WAITING");
    CHECK(fields_of(compare(mat, OurReport(report)), Tier::fail) ==
          std::set<std::string>{"threads: row 0x5000: state"});
  }
}

TEST_CASE("texts are compared as MAT prints them") {
  const auto one = [](const std::string& text) { return mat_renderings(text); };
  CHECK(one("C:\\u\n") == std::vector<std::string>(2, "C:\\u\\u000a"));
  CHECK(one(" a ") == std::vector<std::string>(2, "a"));
  CHECK(one("\xc3\xa9\xf0\x9f\x98\x80") ==
        std::vector<std::string>{"\\u00e9\\ud83d\\ude00", "\xc3\xa9\xf0\x9f\x98\x80"});
  const std::string full(1024, 'a');
  CHECK(one(full)[0] == full);
  CHECK(one(full + "b")[0] == full + "...");
}

TEST_CASE("both renderings show every FAIL") {
  const auto comparison = compare_with(changed("/overview/gc_roots", 8));
  const auto text = render_markdown(comparison);
  CHECK(text.find("**FAIL**") != std::string::npos);
  CHECK(text.find("| overview | gc_roots | 8 | 7 |") != std::string::npos);
  const auto parsed = json::parse(render_json(comparison));
  CHECK(parsed["summary"]["fail"] == 1);
  CHECK(parsed["summary"]["match"] == comparison.summary().match);
  unsigned fails = 0;
  for (const auto& field : parsed["fields"]) {
    for (const auto* key : {"section", "field", "ours", "mat", "tier", "reason", "evidence"}) {
      CHECK(field.contains(key));
    }
    fails += field["tier"] == "FAIL" ? 1 : 0;
  }
  CHECK(fails == 1);
}

TEST_CASE("hostile names do not break a table") {
  CHECK(markdown_row({"a|b\n<script>`x`"}) == "| a\\|b\\x0a\\<script>\\`x\\` |\n");
}
