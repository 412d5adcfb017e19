#include "formats/report/report_json.h"

#include "common/error.h"
#include "formats/report/markdown.h"
#include "formats/report/report_schema.h"
#include "sample_report.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace hprof {
namespace {

using test::sample_report;

std::string json_of(const Report& report) {
  StringSink sink;
  write_json(report, sink);
  return sink.text();
}

/// The sample as a document to be spoilt.
nlohmann::ordered_json document() {
  return nlohmann::ordered_json::parse(json_of(sample_report()));
}

ExitCode code_of(const std::string& text) {
  try {
    parse_json(text, "x.json");
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::ok;
}

std::string message_of(const nlohmann::ordered_json& spoilt) {
  try {
    parse_json(spoilt.dump(), "x.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a report comes back from JSON as it was") {
  const Report report = sample_report();
  CHECK(parse_json(json_of(report), "x.json") == report);
  CHECK(parse_json(json_of(Report()), "x.json") == Report());
}

TEST_CASE("the Markdown of a report that went through JSON is the same, byte for byte") {
  const Report report = sample_report();
  CHECK(render_markdown(parse_json(json_of(report), "x.json")) == render_markdown(report));
}

TEST_CASE("the same report gives the same bytes, and reading and writing again does too") {
  const std::string once = json_of(sample_report());
  CHECK(json_of(sample_report()) == once);
  CHECK(json_of(parse_json(once, "x.json")) == once);
}

TEST_CASE("another JSON library reads what is written, with 64-bit numbers whole") {
  const auto read = document();
  CHECK(read["overview"]["total_objects"] == 0xffffffffffffffffULL);
  CHECK(read["overview"]["file_name"] == test::hostile_name());
  CHECK(read["leaks"]["suspects"][0]["accumulation_point"]["address"] == "0xf6a19240");
  CHECK(read["leaks"]["suspects"][1]["kind"] == "group");
  CHECK_FALSE(read["leaks"]["suspects"][1].contains("address"));
}

TEST_CASE("a table row stands on one line") {
  const std::string text = json_of(sample_report());
  const auto row = text.find("{\"class\": \"twice.Loaded\"");
  REQUIRE(row != std::string::npos);
  CHECK(text.substr(row, text.find('\n', row) - row).find("\"max_instance_shallow\": 24}") !=
        std::string::npos);
}

TEST_CASE("fields keep the order of the model, the version first") {
  const auto read = document();
  std::vector<std::string> names;
  for (const auto& [name, value] : read.items()) {
    names.push_back(name);
  }
  CHECK(names == std::vector<std::string>{"schema_version", "generated", "generator", "complete",
                                          "detail", "overview", "leaks", "top", "triage", "threads",
                                          "references", "unreachable", "allocation_sites"});
}

TEST_CASE("optional sections are absent, not null") {
  Report report = sample_report();
  report.triage.reset();
  report.unreachable.reset();
  report.overview.jvm_version.reset();
  const auto read = nlohmann::json::parse(json_of(report));
  CHECK_FALSE(read.contains("triage"));
  CHECK_FALSE(read["overview"].contains("jvm_version"));
  CHECK(parse_json(json_of(report), "x.json") == report);
}

TEST_CASE("no number of the report has a fraction") {
  const auto flat = document().flatten();
  for (const auto& [place, value] : flat.items()) {
    CHECK_MESSAGE((!value.is_number() || value.is_number_unsigned()), place);
  }
}

TEST_CASE("another schema version is refused: newer as a limit, older as stale") {
  auto other = document();
  other["schema_version"] = kReportSchemaVersion + 1;
  CHECK(code_of(other.dump()) == ExitCode::limit);
  CHECK(message_of(other).find("newer") != std::string::npos);
  other["schema_version"] = kReportSchemaVersion - 1;
  CHECK(code_of(other.dump()) == ExitCode::stale);
  other.erase("schema_version");
  CHECK(code_of(other.dump()) == ExitCode::bad_data);
}

TEST_CASE("what is no report is refused with its place") {
  CHECK(code_of("") == ExitCode::bad_data);
  CHECK(code_of("[]") == ExitCode::bad_data);
  CHECK(code_of("{\"schema_version\": 2") == ExitCode::bad_data);
  auto missing = document();
  missing["overview"]["histogram"][1].erase("instances");
  CHECK(message_of(missing).find("x.json: overview.histogram.1.instances is missing") == 0);
  auto negative = document();
  negative["top"]["threshold"] = -1;
  CHECK(message_of(negative).find("x.json: top.threshold is not a whole number") == 0);
  auto fraction = document();
  fraction["top"]["threshold"] = 1.5;
  CHECK(message_of(fraction).find("top.threshold is not a whole number") != std::string::npos);
  auto word = document();
  word["leaks"]["suspects"][0]["kind"] = "pair";
  CHECK(message_of(word).find("leaks.suspects.0.kind is not one of the known words") !=
        std::string::npos);
  auto address = document();
  address["leaks"]["suspects"][0]["address"] = "0xe09eg";
  CHECK(message_of(address).find("leaks.suspects.0.address is not an address") !=
        std::string::npos);
  auto list = document();
  list["overview"]["histogram"] = "none";
  CHECK(message_of(list).find("overview.histogram is not a list") != std::string::npos);
}

TEST_CASE("members that a newer writer added are passed over") {
  auto newer = document();
  newer["overview"]["uptime_ms"] = 5;
  newer["arrays"] = {{"x", 1}};
  CHECK(parse_json(newer.dump(), "x.json") == sample_report());
}

TEST_CASE("a package tree nested beyond all packages is refused, not followed") {
  PackageNode node{"leaf", 0, 0, 0, 0, {}};
  for (int depth = 0; depth < 500; ++depth) {
    PackageNode above{"a", 0, 0, 0, 0, {}};
    above.children.push_back(std::move(node));
    node = std::move(above);
  }
  Report report = sample_report();
  report.top.biggest_packages = std::move(node);
  CHECK(code_of(json_of(report)) == ExitCode::bad_data);
}

TEST_CASE("the schema knows every field that is written") {
  const auto schema = nlohmann::json::parse(report_schema());
  CHECK(schema["properties"]["schema_version"]["const"] == kReportSchemaVersion);
  const auto read = nlohmann::json::parse(json_of(sample_report()));
  for (const auto& [name, value] : read.items()) {
    CHECK_MESSAGE(schema["properties"].contains(name), name);
  }
  for (const auto& [name, value] : read["overview"].items()) {
    CHECK_MESSAGE(schema["$defs"]["Overview"]["properties"].contains(name), name);
  }
  const auto& required = schema["required"];
  CHECK(std::find(required.begin(), required.end(), "triage") == required.end());
  CHECK(std::find(required.begin(), required.end(), "leaks") != required.end());
}

}  // namespace
}  // namespace hprof
