#include "tools/hprof-report/gate/gate_outputs.h"

#include "diff_reports.h"
#include "tools/hprof-report/gate/gate.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace hprof {
namespace {

using test::class_row;
using test::compared;
using test::heap_report;

constexpr char kBoot[] = "<system class loader>";

GateReport hostile_gate() {
  const std::string name = "a]]>\"'&<b>\n::error::x\r%0A,\xe2\x80\xae\xef\xbf\xbf\x01";
  Report late = heap_report(1, 1000, {class_row(name, kBoot, 9, 9, 9)});
  return compared({heap_report(0, 1000), late}, {"class:a*.instances>5", "threads>1"});
}

TEST_CASE("hostile names do not break out of the XML") {
  const std::string xml = gate_junit(hostile_gate());
  CHECK(xml.find("tests=\"2\" failures=\"1\" errors=\"1\" skipped=\"0\"") != std::string::npos);
  CHECK(xml.find("a]]&gt;&quot;&apos;&amp;&lt;b&gt;") != std::string::npos);
  CHECK(xml.find("\xef\xbf\xbf") == std::string::npos);
  CHECK(xml.find('\x01') == std::string::npos);
  CHECK(xml.find("<b>") == std::string::npos);
}

TEST_CASE("hostile names give no further workflow command") {
  const std::string text = gate_github(hostile_gate());
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  CHECK(text.find('\r') == std::string::npos);
  CHECK(text.find("\n::error::x") == std::string::npos);
  CHECK(text.find("%250A") != std::string::npos);
  CHECK(text.starts_with("::error title=heap gate%3A class%3Aa*.instances>5::"));
}

TEST_CASE("a code quality report is JSON with one issue per rule that does not pass") {
  const auto issues = nlohmann::json::parse(gate_code_quality(hostile_gate()));
  REQUIRE(issues.size() == 2);
  CHECK(issues[0]["severity"] == "major");
  CHECK(issues[1]["severity"] == "minor");
  CHECK(issues[0]["fingerprint"] != issues[1]["fingerprint"]);
  CHECK(issues[0]["location"]["path"] == "b.json");
}

TEST_CASE("text lines are lines") {
  const std::string text = gate_text(hostile_gate());
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  CHECK(text.ends_with("GATE FAILED: 2 rules, 1 failed, 1 not evaluated\n"));
}

TEST_CASE("forgiven rules are skipped, not errors") {
  const auto gate = compared({heap_report(0, 1000), heap_report(1, 1000)}, {"threads>1"}, true);
  CHECK(gate_junit(gate).find("<skipped") != std::string::npos);
  CHECK(gate_github(gate).starts_with("::warning "));
  CHECK(gate_text(gate).ends_with("GATE PASSED: 1 rule, 0 failed, 1 not evaluated\n"));
}

}  // namespace
}  // namespace hprof
