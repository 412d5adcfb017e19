#include "formats/report_file.h"

#include "common/error.h"
#include "formats/report/gzip.h"
#include "formats/report/markdown.h"
#include "sample_report.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <filesystem>
namespace hprof {
namespace {

using test::TempFolder;

std::string contents(const std::string& path) {
  const auto bytes = test::read_file(path);
  return {bytes.begin(), bytes.end()};
}

std::string zipped(const std::string& text) {
  std::string out;
  GzipEncoder encoder([&](std::string_view bytes) { out.append(bytes); });
  encoder.add(text);
  encoder.finish();
  return out;
}

TEST_CASE("the format comes from -f, else from the extension, else it is Markdown") {
  CHECK(report_format("", "x.json") == ReportFormat::json);
  CHECK(report_format("", "x.json.gz") == ReportFormat::json);
  CHECK(report_format("", "x.md") == ReportFormat::markdown);
  CHECK(report_format("", "x.html") == ReportFormat::html);
  CHECK(report_format("", "x.html.gz") == ReportFormat::html);
  CHECK(report_format("", "x.htm") == ReportFormat::html);
  CHECK(report_format("html", "") == ReportFormat::html);
  CHECK(report_format("", "x.txt") == ReportFormat::markdown);
  CHECK(report_format("", "") == ReportFormat::markdown);
  CHECK(report_format("md", "x.json") == ReportFormat::markdown);
  CHECK(report_format("md-graphs", "x.md") == ReportFormat::markdown_graphs);
  CHECK(report_format("json", "") == ReportFormat::json);
}

TEST_CASE("a report comes back from a file, plain or gzipped, whatever its name") {
  const TempFolder folder;
  const Report report = test::sample_report();
  for (const char* name : {"a.json", "a.json.gz"}) {
    write_report(report, ReportFormat::json, folder / name);
    CHECK(read_report(folder / name) == report);
  }
  CHECK(is_gzip(contents(folder / "a.json.gz")));
  CHECK(gunzip(contents(folder / "a.json.gz"), "x") == contents(folder / "a.json"));
  std::filesystem::rename(folder / "a.json.gz", folder / "zipped");
  CHECK(read_report(folder / "zipped") == report);
}

TEST_CASE("Markdown is gzipped too when the name asks for it") {
  const TempFolder folder;
  write_report(test::sample_report(), ReportFormat::markdown, folder / "a.md.gz");
  CHECK(gunzip(contents(folder / "a.md.gz"), "x") == render_markdown(test::sample_report()));
}

TEST_CASE("gzip: same text, same bytes; several members; damage and cuts are refused") {
  const std::string text(300000, 'x');
  CHECK(zipped(text) == zipped(text));
  CHECK(gunzip(zipped(text) + zipped("y"), "f") == text + "y");
  const std::string whole = zipped(text);
  for (std::size_t length = 1; length < whole.size(); ++length) {
    CHECK_THROWS_AS(gunzip(whole.substr(0, length), "f"), Error);
  }
  std::string damaged = whole;
  damaged[whole.size() - 6] = static_cast<char>(damaged[whole.size() - 6] + 1);
  CHECK_THROWS_AS(gunzip(damaged, "f"), Error);
}

TEST_CASE("without commit() nothing appears") {
  const TempFolder folder;
  {
    TextOutput out(folder / "a.json");
    out.write("half");
  }
  CHECK(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace hprof
