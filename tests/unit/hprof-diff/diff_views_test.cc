#include "../hprof-report/sample_report.h"
#include "common/error.h"
#include "diff_reports.h"
#include "formats/diff/diff_json.h"
#include "formats/diff/diff_markdown.h"
#include "formats/diff/diff_sections.h"
#include "sample_diff.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace hprof {
namespace {

using test::class_row;
using test::diff_of;
using test::heap_report;
using test::sample_diff;

std::string json_of(const HeapDiff& diff) {
  StringSink sink;
  write_json(diff, sink);
  return sink.text();
}

ExitCode code_of(const std::string& text) {
  try {
    parse_diff_json(text, "x.json");
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::ok;
}

TEST_CASE("a comparison comes back from JSON as it was, and its Markdown with it") {
  const HeapDiff diff = sample_diff();
  const HeapDiff again = parse_diff_json(json_of(diff), "x.json");
  CHECK(again == diff);
  CHECK(render_markdown(again) == render_markdown(diff));
  CHECK(json_of(again) == json_of(diff));
}

TEST_CASE("the sample fills every section") {
  const HeapDiff diff = sample_diff();
  for (const auto& section : diff_sections()) {
    CHECK_MESSAGE(section.is_filled(diff), section.id);
  }
  CHECK_FALSE(diff.causes.empty());
  CHECK_FALSE(diff.warnings.empty());
}

TEST_CASE("JSON has signed changes as whole numbers") {
  const auto diff = diff_of({heap_report(0, 2000), heap_report(1, 500)});
  const auto read = nlohmann::json::parse(json_of(diff));
  CHECK(read["totals"][0]["series"]["change"] == -1500);
  CHECK(read["totals"][0]["series"]["change_bp"] == -7500);
  CHECK(read["totals"][0]["series"]["trend"] == "shrunk");
}

TEST_CASE("other versions and other documents are refused") {
  auto document = nlohmann::json::parse(json_of(sample_diff()));
  document["schema_version"] = kDiffSchemaVersion + 1;
  CHECK(code_of(document.dump()) == ExitCode::limit);
  document["schema_version"] = kDiffSchemaVersion - 1;
  CHECK(code_of(document.dump()) == ExitCode::stale);
  CHECK(code_of("{}") == ExitCode::bad_data);
  CHECK(code_of("[") == ExitCode::bad_data);
  document["schema_version"] = kDiffSchemaVersion;
  document.erase("totals");
  CHECK(code_of(document.dump()) == ExitCode::bad_data);
}

/// The lines of a table's source have equally many cells.
void check_tables(const std::string& text) {
  std::size_t cells = 0;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with("|")) {
      cells = 0;
      continue;
    }
    std::size_t count = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
      count += line[at] == '|' && (at == 0 || line[at - 1] != '\\') ? 1 : 0;
    }
    CHECK(line.ends_with("|"));
    CHECK_MESSAGE((cells == 0 || cells == count), line);
    cells = count;
  }
}

TEST_CASE("hostile names stay in their cells") {
  const std::string text = render_markdown(sample_diff());
  check_tables(text);
  CHECK(text.find("\xe2\x80\xae") == std::string::npos);
  CHECK(text.find("\n<") == std::string::npos);
}

TEST_CASE("Markdown stays short however many classes change") {
  std::vector<HistogramRow> rows;
  for (unsigned i = 0; i < 20'000; ++i) {
    rows.push_back(class_row("a.C" + std::to_string(i), "<system class loader>", 1, 16, 16 + i));
  }
  const auto diff = diff_of({heap_report(0, 1'000'000), heap_report(1, 2'000'000, rows)});
  CHECK(diff.classes.size() == 20'000);
  CHECK(render_markdown(diff).size() < 20'000);
}

TEST_CASE("a class name of 70,000 characters is cut in Markdown and whole in JSON") {
  const std::string name = "a." + std::string(70'000, 'x');
  const auto diff = diff_of(
      {heap_report(0, 1'000'000),
       heap_report(1, 2'000'000, {class_row(name, "<system class loader>", 5, 900'000, 900'000)})});
  CHECK(render_markdown(diff).size() < 10'000);
  CHECK(nlohmann::json::parse(json_of(diff))["classes"][0]["class"] == name);
}

TEST_CASE("three dumps have a column each, and trends") {
  const auto diff = diff_of({heap_report(0, 1000), heap_report(1, 2000), heap_report(2, 3000)});
  const std::string text = render_markdown(diff);
  CHECK(text.find(" Dump 3 |") != std::string::npos);
  CHECK(text.find(" every step ") != std::string::npos);
  check_tables(text);
}

TEST_CASE("of very many dumps the first and the last have columns") {
  std::vector<Report> reports;
  for (std::uint64_t at = 0; at < 20; ++at) {
    reports.push_back(heap_report(at, 1000 * (at + 1)));
  }
  const std::string text = render_markdown(diff_of(reports));
  CHECK(text.find(" Dump 4 |") != std::string::npos);
  CHECK(text.find(" Dump 5 |") == std::string::npos);
  CHECK(text.find(" Dump 17 |") != std::string::npos);
  check_tables(text);
}

}  // namespace
}  // namespace hprof
