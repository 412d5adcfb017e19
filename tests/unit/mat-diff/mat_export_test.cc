#include "formats/mat/mat_export.h"

#include "common/error.h"
#include "tests/support/files.h"
#include "tests/unit/mat-diff/mat_pages.h"
#include "tests/unit/mat-diff/zip_builder.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace hprof;
using namespace hprof::test;

namespace {

std::vector<std::uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

/// Reads one export from memory by way of a file.
MatExport read(const Pages& pages) {
  const TempFolder folder;
  write_file(folder / "x.zip", zip_of(pages));
  return read_mat_export(folder / "x.zip");
}

/// The sentence for pages that are not taken.
std::string refusal(const Pages& pages, ExitCode code = ExitCode::bad_data) {
  try {
    read(pages);
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return {};
}

Pages with(Pages pages, const std::string& name, const std::string& from, const std::string& to) {
  pages.at(name) = replaced(pages.at(name), from, to);
  return pages;
}

bool says(const std::string& sentence, const std::string& words) {
  INFO("said: " << sentence);
  return sentence.find(words) != std::string::npos;
}

MatSuspect only_suspect(const std::string& prose) {
  Pages pages;
  pages["index.html"] =
      mat_page("Leak Suspects", "<h3>Problem Suspect 1</h3><div><p>" + prose + "</div>");
  return read(pages).suspects->at(0);
}

}  // namespace

TEST_CASE("the three exports of a dump are read by prefix, by folder and one by one") {
  const TempFolder folder;
  write_exports(folder.path(), "app", sample_overview(), sample_suspects(), sample_components());
  for (const auto& where : {folder / "app", folder.path()}) {
    const auto mat = read_mat_export(where);
    CHECK(mat.sources == std::vector<std::string>{"app_System_Overview.zip",
                                                  "app_Leak_Suspects.zip",
                                                  "app_Top_Components.zip"});
    CHECK(mat.overview->size() == 14);
    CHECK(mat.histogram->rows.size() == 4);
    CHECK(mat.objects->rows.size() == 3);
    CHECK(mat.classes->entries == 3);
    CHECK(mat.loaders->rows.at(1).address == 0);
    CHECK(mat.packages->size() == 6);
    CHECK(mat.suspects->size() == 3);
    CHECK(mat.components->size() == 2);
    CHECK(mat.threads->rows.size() == 2);
    CHECK(mat.threads->entries == 2);
    CHECK(mat.threads->rows[0].address == 0x5000);
    CHECK(mat.threads->rows[0].state_value == "0x291");
    CHECK_FALSE(mat.threads->rows[1].address == 0x5000);
    CHECK(mat.system_properties->rows.size() == 2);
    CHECK(mat.system_properties->entries == 2);
  }
  const auto overview = read_mat_export(folder / "app_System_Overview.zip");
  CHECK(overview.histogram);
  CHECK_FALSE(overview.suspects);
}

TEST_CASE("an unpacked export and single pages are read") {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "pages");
  for (const auto& [name, page] : sample_suspects()) {
    write_file(folder / name, bytes_of(page));
  }
  const auto unpacked = read_mat_export(folder.path());
  CHECK(unpacked.suspects->at(0).address == 0x2000);
  CHECK(unpacked.histogram->entries == 4);
  CHECK(read_mat_export(folder / "pages/Class_Histogram6.html").histogram->rows.size() == 4);
  const auto alone = read_mat_export(folder / "index.html");
  CHECK_FALSE(alone.suspects->at(0).address);
  CHECK(alone.suspects->at(0).retained.low == 60000);
  CHECK_FALSE(alone.histogram);
}

TEST_CASE("what is not there or not an export gives a sentence") {
  const TempFolder folder;
  const auto code_of = [](const std::string& where) {
    try {
      read_mat_export(where);
    } catch (const Error& error) {
      return error.code();
    }
    return ExitCode::ok;
  };
  CHECK(code_of(folder / "nothing") == ExitCode::no_input);
  CHECK(code_of(folder.path()) == ExitCode::no_input);
  write_file(folder / "x.html", bytes_of("no page"));
  CHECK(code_of(folder / "x.html") == ExitCode::bad_data);
  write_file(folder / "x.zip", bytes_of("no archive"));
  CHECK(code_of(folder / "x.zip") == ExitCode::bad_data);
  write_exports(folder.path(), "a", sample_overview(), sample_suspects(), sample_components());
  write_exports(folder.path(), "b", sample_overview(), sample_suspects(), sample_components());
  CHECK(code_of(folder.path()) == ExitCode::no_input);
}

TEST_CASE("pages of another language or locale give a sentence that says what to do") {
  CHECK(says(refusal(with(sample_suspects(), "index.html", "<title>Leak Suspects",
                          "<title>Leckverdächtige")),
             "English"));
  CHECK(says(refusal(with(sample_suspects(), "index.html", "One instance of", "Eine Instanz von")),
             "sentence of problem suspect 1"));
  CHECK(says(
      refusal(with(sample_suspects(), "index.html", "The memory is accumulated in one instance of",
                   "The memory is accumulated in einer Instanz von")),
      "accumulation point"));
  CHECK(says(refusal(with(sample_overview(), "pages/Class_Histogram6.html", "&gt;= 60,000",
                          "&gt;= 60.000")),
             "number not understood"));
  CHECK(says(refusal(with(sample_overview(), "pages/Top_Consumers5.html", "<th>Class Name",
                          "<th>Klassenname")),
             "columns"));
  CHECK(says(refusal(with(sample_overview(), "pages/Class_Histogram6.html", "Total: 4 entries",
                          "Summe: 4")),
             "row of totals"));
}

TEST_CASE("missing and cut pages give a sentence") {
  auto pages = sample_overview();
  pages.erase("pages/Top_Consumers5.html");
  CHECK(says(refusal(pages), "not in the export"));
  pages = sample_overview();
  auto& page = pages.at("pages/Class_Histogram6.html");
  page.resize(page.size() / 2);
  CHECK(says(refusal(pages), "not a whole html page"));
  pages = sample_overview();
  pages.erase("index.html");
  CHECK(says(refusal(pages), "index.html"));
}

TEST_CASE("a link out of the export is not followed") {
  CHECK(says(refusal(with(sample_overview(), "index.html", "pages/Top_Consumers5.html",
                          "../../etc/passwd")),
             "not in the export"));
}

TEST_CASE("a page that two archives hold is taken once, and refused where they differ anywhere") {
  const auto together = [](const Pages& first, const Pages& second) {
    const TempFolder folder;
    write_file(folder / "app_System_Overview.zip", zip_of(first));
    write_file(folder / "app_Leak_Suspects.zip", zip_of(second));
    try {
      read_mat_export(folder / "app");
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::bad_data);
      return std::string(error.what());
    }
    return std::string("taken");
  };
  struct Change {
    Pages pages;
    const char* page;
    const char* from;
    const char* to;
  };
  const std::vector<Change> changes{
      {sample_overview(), "index.html", "97.7 KB", "97.8 KB"},
      {sample_overview(), "pages/System_Properties3.html", "000a", "000b"},
      {sample_overview(), "pages/Thread_Overview4.html", "0x291", "0x292"},
      {sample_overview(), "pages/Top_Consumers5.html", "65.00%", "65.01%"},
      {sample_suspects(), "index.html", "(250 instances", "(251 instances"},
      {sample_suspects(), "index.html", "59,000 (59.00%)", "59,000 (59.01%)"},
      {sample_suspects(), "index.html", "total size <strong>500", "total size <strong>501"},
      {sample_suspects(), "index.html", "retains 60,000", "retains 60,001"},
      {sample_suspects(), "pages/21.html", "&lt;Java Local&gt;", "name"},
      {sample_suspects(), "pages/22.html", "Thread @ 0x2200", "Thread @ 0x2208"},
      {sample_components(), "index.html", "(60%)", "(61%)"},
      {sample_components(), "pages/a.html", "0.9k", "1.9k"},
      {sample_components(), "pages/Top_Consumers7.html", ">700<", ">701<"},
  };
  for (const auto& change : changes) {
    INFO(change.page << ": " << change.to);
    CHECK(together(change.pages, change.pages) == "taken");
    CHECK(says(together(change.pages, with(change.pages, change.page, change.from, change.to)),
               "exports of one dump"));
  }
}

TEST_CASE("exports of two dumps are refused together") {
  const TempFolder folder;
  const auto other = with(sample_suspects(), "pages/Class_Histogram6.html",
                          "49,500</td><td>&gt;= 49,500", "49,500</td><td>&gt;= 49,501");
  write_exports(folder.path(), "app", sample_overview(), other, sample_components());
  try {
    read_mat_export(folder / "app");
    FAIL("taken");
  } catch (const Error& error) {
    CHECK(says(error.what(), "exports of one dump"));
  }
}

TEST_CASE("a table that MAT cut says how many rows there are") {
  const auto mat = read(with(sample_overview(), "pages/Class_Histogram6.html", "Total: 4 entries",
                             "Total: 4 of 2,090 entries; 2,086 more"));
  CHECK(mat.histogram->entries == 2090);
  CHECK(mat.histogram->rows.size() == 4);
}

TEST_CASE("the package tree is read by its art") {
  const auto mat = read(sample_overview());
  const auto& packages = *mat.packages;
  CHECK_FALSE(packages[0].parent);
  CHECK(packages[0].children == 2);
  CHECK(packages[2].name == "Cache");
  CHECK(packages[2].parent == 1);
  CHECK(packages[5].parent == 4);
}

TEST_CASE("details give addresses, and the highlighted row is a group's accumulation point") {
  const auto mat = read(sample_suspects());
  const auto& group = mat.suspects->at(1);
  CHECK(group.kind == MatSuspectKind::group);
  CHECK(group.instances == 3);
  CHECK(group.address == 0x1010);
  CHECK(group.accumulation->address == 0x2100);
  REQUIRE(group.common_path.size() == 2);
  CHECK(group.common_path[0].address == 0x2200);
  CHECK(group.common_path[1].address == 0x2100);
  CHECK(mat.suspects->at(2).accumulation->kind == MatSuspectKind::class_object);
}

TEST_CASE("the text beside a suspect and its path are read word by word") {
  const auto suspect = read(sample_suspects()).suspects->at(0);
  REQUIRE(suspect.consumers.size() == 3);
  CHECK(suspect.consumers[0].name == "app.Node");
  CHECK(suspect.consumers[0].instances == 250);
  CHECK(suspect.consumers[1].shallow.low == 19000);
  CHECK(suspect.consumers[2].instances == 1);
  REQUIRE(suspect.why_alive.has_value());
  REQUIRE(suspect.why_alive->size() == 3);
  CHECK((*suspect.why_alive)[0].address == 0x2110);
  CHECK((*suspect.why_alive)[1].reference == "head");
  CHECK((*suspect.why_alive)[2].reference == "<Java Local>");
  REQUIRE(suspect.threads.size() == 1);
  CHECK(suspect.threads[0].address == 0x2200);
  CHECK(suspect.threads[0].retained.low == 500);
  CHECK(suspect.on_path.size() == 3);
  REQUIRE(suspect.frames.size() == 1);
  CHECK(suspect.frames[0].text == "app.Main.run()V (Main.java:12)");
  REQUIRE(suspect.frames[0].locals.size() == 1);
  CHECK(suspect.frames[0].locals[0].address == 0x2000);
  CHECK(suspect.keywords == std::vector<std::string>{"app.Cache"});
}

TEST_CASE("every kind of suspect is known by its sentence") {
  const std::string size = "<strong>1,200 (12.00%)</strong> bytes.";
  const std::string name = "<strong><q>a.B</q></strong>";
  const auto thread = only_suspect(
      "The thread <strong>java.lang.Thread @ 0x10  main</strong> keeps local variables with total "
      "size " +
      size);
  CHECK(thread.kind == MatSuspectKind::thread);
  CHECK(thread.name == "java.lang.Thread @ 0x10  main");
  CHECK(thread.retained.low == 1200);
  CHECK(thread.share.digits == 1200);
  CHECK_FALSE(thread.loader);
  CHECK_FALSE(thread.accumulation);
  const auto loader = only_suspect("The classloader/component " + name + " occupies " + size +
                                   " The memory is accumulated in classloader/component " + name +
                                   " which occupies " + size);
  CHECK(loader.kind == MatSuspectKind::loader);
  CHECK(loader.accumulation->kind == MatSuspectKind::loader);
  const auto group =
      only_suspect("37,705 instances of " + name + ", loaded by " + name + " occupy " + size);
  CHECK(group.kind == MatSuspectKind::group);
  CHECK(group.instances == 37705);
  CHECK(group.loader == "a.B");
}

TEST_CASE("a class name that looks like a sentence is not taken for one") {
  const auto suspect = only_suspect(
      "One instance of <strong>The class x, loaded by y, occupies z bytes.</strong> loaded by "
      "<strong>l</strong> occupies <strong>1 (0.00%)</strong> bytes.");
  CHECK(suspect.kind == MatSuspectKind::object);
  CHECK(suspect.name == "The class x, loaded by y, occupies z bytes.");
}

TEST_CASE("a report without suspects has none") {
  Pages pages;
  pages["index.html"] =
      mat_page("Leak Suspects", "<h2>Leaks</h2><p>No leak suspect was found.</p>");
  CHECK(read(pages).suspects->empty());
}
