#include "formats/report/markdown.h"

#include "common/error.h"
#include "formats/report/markdown_text.h"
#include "formats/report/readable_text.h"
#include "formats/report/sections.h"
#include "formats/report/summary.h"
#include "formats/report/units.h"
#include "sample_report.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace hprof {
namespace {

using namespace std::string_literals;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

std::vector<std::string> headings(const std::string& markdown) {
  std::vector<std::string> found;
  for (const auto& line : lines_of(markdown)) {
    if (line.starts_with("#")) {
      found.push_back(line);
    }
  }
  return found;
}

/// Cells of a table line: bars that no backslash precedes.
std::size_t bars(const std::string& line) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    count += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
  }
  return count;
}

TEST_CASE("every section has its heading, in order") {
  const std::string markdown = render_markdown(test::sample_report());
  std::vector<std::string> found;
  for (const auto& heading : headings(markdown)) {
    if (heading.starts_with("## ")) {
      found.push_back(heading.substr(3));
    }
  }
  CHECK(found == std::vector<std::string>{"Summary", "OOM Triage", "System Overview",
                                          "Leak Suspects", "Top Consumers", "Dominators", "Threads",
                                          "Components", "Arrays and Collections",
                                          "Strings and Duplicates", "References",
                                          "Unreachable Objects", "Allocation Sites", "Glossary"});
}

TEST_CASE("hostile names break neither lines nor tables nor HTML") {
  const std::string markdown = render_markdown(test::sample_report());
  for (const char c : markdown) {
    CHECK((static_cast<unsigned char>(c) >= 0x20 || c == '\n'));
  }
  CHECK(markdown.find("\u202e") == std::string::npos);
  CHECK(markdown.find("\u2028") == std::string::npos);
  std::size_t expected = 0;
  for (const auto& line : lines_of(markdown)) {
    CHECK_FALSE(line.starts_with("# e"));
    if (!line.starts_with("|")) {
      expected = 0;
    } else if (expected == 0) {
      expected = bars(line);
    } else {
      CHECK_MESSAGE(bars(line) == expected, line);
    }
  }
}

TEST_CASE("tables are aligned in the source") {
  MarkdownTable table({{"Name"}, {"Bytes", Align::right}});
  table.row({"`é`", "1"});
  table.row({"`longer`", "22.2 MiB"});
  CHECK(table.text() ==
        "| Name     |    Bytes |\n"
        "|----------|---------:|\n"
        "| `é`      |        1 |\n"
        "| `longer` | 22.2 MiB |\n");
}

TEST_CASE("a code span outlives the backticks in it") {
  CHECK(md_code("plain$Name[]") == "`plain$Name[]`");
  CHECK(md_code("a`b") == "``a`b``");
  CHECK(md_code("``") == "``` `` ```");
  CHECK(md_code("a|b") == "`a|b`");
  CHECK(md_code(" edge") == "`  edge `");
  CHECK(md_code("") == "(no name)");
  CHECK(md_code("a\nb\u202ec") == "`a\\u000ab\\u202ec`");
}

TEST_CASE("a pipe in a cell is escaped, and unmistakable after a backslash") {
  CHECK(md_cell("a|b") == "`a\\|b`");
  CHECK(md_cell("a\\|b") == "`a\\\\u007cb`");
}

TEST_CASE("running text keeps its meaning") {
  CHECK(md_text("92.42 % of a_b <i> [x](y) `z` $m$ #1 | ~c~ \\ &lt;") ==
        "92.42 % of a\\_b \\<i\\> \\[x\\](y) \\`z\\` \\$m\\$ \\#1 \\| \\~c\\~ \\\\ \\&lt;");
  CHECK(md_text("http://x www.x a@b") == "http:\\//x www\\.x a\\@b");
  CHECK(md_text("2 more follow.") == "2 more follow.");
  CHECK(md_text("a\nb") == "a\\\\u000ab");
}

TEST_CASE("a 70 kB name is cut in Markdown and does not widen the table") {
  const std::string name(70000, 'x');
  CHECK(md_code(name).size() < 400);
  MarkdownTable table({{"Name"}, {"N"}});
  table.row({md_cell(name), "1"});
  table.row({"`a`", "2"});
  CHECK(lines_of(table.text())[3].size() < 150);
}

TEST_CASE("classes that share a name are told apart by their loader") {
  const std::string markdown = render_markdown(test::sample_report());
  CHECK(markdown.find("`twice.Loaded` by `app.Loader @ 0x700`") != std::string::npos);
  CHECK(markdown.find("`twice.Loaded` by `app.Loader @ 0x800`") != std::string::npos);
}

TEST_CASE("the histogram shows 50 rows and says how many are left") {
  Report report = test::sample_report();
  report.overview.histogram.assign(61, report.overview.histogram[0]);
  const auto markdown = md_overview(report, MarkdownStyle::plain);
  CHECK(markdown.find("11 further classes are in the JSON.") != std::string::npos);
  CHECK(std::count(markdown.begin(), markdown.end(), '\n') < 170);
}

TEST_CASE("--sections chooses, and links lead nowhere that is not shown") {
  Report report = test::sample_report();
  report.sections = parse_sections("triage,summary");
  CHECK(*report.sections == std::vector<std::string>{"summary", "triage"});
  const std::string markdown = render_markdown(report);
  CHECK(headings(markdown).size() == 3);
  CHECK(markdown.find("See Top Consumers.") != std::string::npos);
  report.sections.reset();
  CHECK(render_markdown(report).find("See [Top Consumers](#top-consumers).") != std::string::npos);
}

TEST_CASE("an unknown section is a usage error") {
  CHECK_THROWS_WITH_AS(parse_sections("leaks,nothing"), doctest::Contains("no section \"nothing\""),
                       Error);
  CHECK_THROWS_AS(parse_sections(""), Error);
  CHECK_THROWS_WITH_AS(parse_sections(" ,"), doctest::Contains("choose from summary,"), Error);
}

TEST_CASE("blanks, capitals and a comma too many do not hide what is meant by a list") {
  const std::vector<std::string> both{"summary", "leaks"};
  for (const auto* list :
       {"summary,leaks", " leaks , Summary,", "SUMMARY,\tLEAKS", ",leaks,,summary"}) {
    CHECK(parse_sections(list) == both);
  }
}

TEST_CASE("the verdict names the biggest suspect, how much and why") {
  Report report = test::sample_report();
  report.complete = true;
  report.leaks.suspects[0].label = "class Colls @ 0xe09ea020";
  CHECK(md_sentence(verdict(report)) ==
        "`class Colls @ 0xe09ea020` holds 20.5 MiB (92.42 %) of the used heap; alive from a GC "
        "root of kind System "
        "Class. The memory gathers in `java.lang.Object[31618] @ 0xf6a19240`, which retains 20.5 "
        "MiB. 1 more suspect "
        "follows.");
  report.leaks.suspects.clear();
  CHECK(md_sentence(verdict(report)) ==
        "Nothing stands out: no single object and no class of top-level objects holds more than "
        "10.00 % of the used "
        "heap (22.2 MiB).");
}

TEST_CASE("what was read of a damaged dump is told from the whole, whatever sections are shown") {
  Report report = test::sample_report();
  report.complete = false;
  report.overview.reference_policy.reset();
  report.overview.roots_left_out.reset();
  report.leaks.suspects.clear();
  report.sections = std::vector<std::string>{"leaks"};
  const auto shows = [&](const std::string& words) {
    return render_markdown(report).find(words) != std::string::npos;
  };
  report.overview.root_policy = "dump";
  CHECK(
      shows("\n> The dump is damaged: counts and bytes of reachable objects are lower bounds; "
            "retained sizes, shares and garbage may be higher or lower.\n"));
  CHECK(shows("In what was read of the dump, no object and no class of top-level objects"));
  CHECK(key_figures(report).front().value.starts_with("at least "));
  report.overview.root_policy = "fallback";
  CHECK(
      shows("\n> The dump is damaged: what was read names no system class, so any figure may be "
            "higher or lower. Classes that seem to be the boot loader's stand in as GC roots"));
  CHECK_FALSE(key_figures(report).front().value.starts_with("at least "));
  report.complete = true;
  CHECK_FALSE(shows("\n> "));
  report.overview.roots_left_out = 2;
  CHECK(
      shows("\n> 2 GC roots of interned strings and inside the VM were left out; what they alone "
            "hold counts as unreachable.\n"));
}

TEST_CASE("what damage may have cut off is not called garbage") {
  Report report = test::sample_report();
  report.leaks.suspects.clear();
  report.overview.unreachable_count = 3;
  report.overview.unreachable_shallow = 900;
  report.overview.all_shallow = 1000;
  const auto said = [&] { return md_sentence(verdict(report)); };
  report.complete = true;
  report.overview.reference_policy.reset();
  report.overview.roots_left_out.reset();
  CHECK(key_figures(report).back().value == "900 B in 3 objects");
  CHECK(said().starts_with("Nothing stands out"));
  report.complete = false;
  CHECK(key_figures(report).back().value ==
        "900 B in 3 objects: garbage, or cut off by the damage");
  CHECK(
      said().starts_with("No GC root reaches 900 B (90.00 %) of what was read: most likely live "
                         "objects whose holders were lost. In what was read of the dump, nothing "
                         "stands out"));
  report.overview.unreachable_shallow = 100;
  CHECK(
      said().starts_with("No GC root reaches 100 B (10.00 %) of what was read: garbage, or live"));
  report.overview.unreachable_shallow = 99;
  CHECK(said().starts_with("In what was read of the dump, nothing stands out"));
}

TEST_CASE("the verdict begins with the leak that explains more than any suspect") {
  Report report = test::sample_report();
  report.complete = true;
  report.triage.emplace();
  report.triage->findings = {Finding{.rule = "loader-leak",
                                     .severity = Severity::critical,
                                     .title = "Class loaders that pile up",
                                     .text = "144 class loaders of a.L hold much.",
                                     .names = std::vector<std::string>{"a.L"},
                                     .section = "overview"}};
  const auto without = md_sentence(verdict(report));
  report.triage->leading_rule = "loader-leak";
  CHECK(md_sentence(verdict(report)) == "144 class loaders of `a.L` hold much. " + without);
  report.leaks.suspects.clear();
  CHECK(md_sentence(verdict(report))
            .starts_with("144 class loaders of `a.L` hold much. No single object and no class "));
}

TEST_CASE("classes that are in no total of collections are said to be in none") {
  auto report = test::sample_report();
  const auto says = [&] {
    return render_markdown(report).find("neither are among the collections") != std::string::npos;
  };
  CHECK(report.collections->classes[1].kind == "view");
  CHECK(says());
  report.collections->classes[1].kind = "part";
  CHECK(says());
  report.collections->classes[1].kind = "list";
  CHECK_FALSE(says());
}

TEST_CASE("the shortest paths of a group lead through its point, which keeps none of it alone") {
  auto group = test::sample_report().leaks.suspects[1];
  REQUIRE(group.kind == SuspectKind::group);
  group.accumulation_point = ObjectRef{{0x40}, "a.Map", "a.Map @ 0x40", 48, group.retained};
  group.common_path.resize(1);
  group.held_together.reset();
  const auto says = [&](std::uint64_t paths, const std::string& words) {
    group.common_path.back().targets = paths;
    const auto sentence = md_sentence(suspect_sentence(group));
    CHECK_MESSAGE(sentence.find(". The shortest " + words + " `a.Map @ 0x40`, which retains ") !=
                      std::string::npos,
                  sentence);
    CHECK_MESSAGE(sentence.ends_with("; each is also reached without it."), sentence);
  };
  group.instances = 1167;
  says(1167, "paths to all of them lead through");
  says(1135, "paths to 1,135 of them lead through");
  says(1, "path to 1 of them leads through");
}

TEST_CASE("what is above a top-level object leads to it, what is below keeps memory alive") {
  auto suspect = test::sample_report().leaks.suspects[1];
  suspect.kind = SuspectKind::single;
  suspect.held_together.reset();
  REQUIRE(suspect.why_alive.has_value());
  suspect.holder->address = {0x20};
  suspect.address = {0x30};
  suspect.why_alive->steps.resize(3);
  const auto says = [&](const char* words) {
    return md_sentence(suspect_sentence(suspect)).find(words) != std::string::npos;
  };
  const auto path = [&](std::uint64_t first, std::uint64_t second) {
    suspect.why_alive->steps[0].address = {first};
    suspect.why_alive->steps[1].address = {second};
    suspect.why_alive->steps[2].address = {0x50};
  };
  path(0x20, 0x30);
  CHECK(says("reached through"));
  CHECK_FALSE(says("kept alive by"));
  path(0x30, 0x20);
  CHECK(says("kept alive by"));
  path(0x40, 0x20);  // the suspect is in the gap of a long path
  CHECK(says("kept alive by"));
}

TEST_CASE("what several roots hold makes the table of roots add up") {
  Report report = test::sample_report();
  const std::string row = "| several roots together";
  CHECK(render_markdown(report).find(row) != std::string::npos);
  report.overview.held_by_several_roots.reset();
  CHECK(render_markdown(report).find(row) == std::string::npos);
}

TEST_CASE("one thing is one, not one things") {
  Report report = test::sample_report();
  report.overview.heap_layout->classes_equal = 1;
  report.overview.heap_layout->classes_larger = 1;
  report.overview.mapping->classes = 1;
  report.overview.roots_left_out = 1;
  report.allocation_sites->objects = 1;
  report.allocation_sites->live_objects = 1;
  const std::string text = render_markdown(report);
  for (const char* words :
       {": 1 class agrees, 1 contradicts, 1 does not tell)", "of 1 class and 1 field from ",
        "without 1 root of interned strings", " was allocated, at ", "; 1 of them, "}) {
    CAPTURE(std::string(words));
    CHECK(text.find(words) != std::string::npos);
  }
}

TEST_CASE("bytes are shown in units of 1024, rounded half up") {
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(1023) == "1023 B");
  CHECK(format_bytes(1024) == "1.0 KiB");
  CHECK(format_bytes(1024 + 51) == "1.0 KiB");
  CHECK(format_bytes(1024 + 52) == "1.1 KiB");
  CHECK(format_bytes(1024 * 1024 - 1) == "1.0 MiB");
  CHECK(format_bytes(23282856) == "22.2 MiB");
  CHECK(format_bytes(1023 * 1024) == "1,023.0 KiB");
  CHECK(format_bytes(0xffffffffffffffffULL) == "16.0 EiB");
}

TEST_CASE("shares are exact for all 64-bit numbers") {
  CHECK(share_bp(21520208, 23282856) == 9242);
  CHECK(share_bp(0, 0) == 0);
  CHECK(share_bp(1, 3) == 3333);
  const std::uint64_t huge = 0xffffffffffffffffULL;
  CHECK(share_bp(huge, huge) == 10000);
  CHECK(share_bp(huge - 1, huge) == 9999);
  CHECK(share_bp(huge / 2, huge) == 4999);
  CHECK(share_bp(huge / 4 * 3, huge - 3) == 7500);
  CHECK(share_bp(huge / 4 * 3 - 1, huge - 3) == 7499);
  CHECK(format_share(9242) == "92.42 %");
  CHECK(format_share(5) == "0.05 %");
}

TEST_CASE("names become valid UTF-8 in one way only") {
  CHECK(readable_text("java.lang.Straße") == "java.lang.Straße");
  CHECK(readable_text("a\xc0\x80z") == "a\0z"s);
  CHECK(readable_text("\xed\xa0\xbd\xed\xb8\x80") == "😀");
  CHECK(readable_text("\xed\xa0\xbd!") == "\\xed\\xa0\\xbd!");
  CHECK(readable_text("\xed\xb8\x80\xed\xa0\xbd") == "\\xed\\xb8\\x80\\xed\\xa0\\xbd");
  CHECK(readable_text("\xff\x80\xc3") == "\\xff\\x80\\xc3");
  CHECK(readable_text("\xc0") == "\\xc0");
  CHECK(readable_text("\xed\xa0") == "\\xed\\xa0");
  CHECK(readable_text("\xf0\x9f\x98\x80") == "😀");
}

TEST_CASE("filler for certain and likely filler are told apart, each where there is any") {
  Report report = test::sample_report();
  auto& garbage = *report.unreachable->garbage;
  const auto says = [&](const std::string& words) {
    return md_unreachable(report, MarkdownStyle::plain).find(words + "\n") != std::string::npos;
  };
  const std::string certain =
      " The garbage collector itself made 4 objects of 3.9 KiB to fill gaps.";
  CHECK(says(certain + " Likely it also made 1 `int[]` of 24 B and 2 `java.lang.Object` of 32 B, "
                       "which nothing references: gaps are filled with such."));
  garbage.filler_objects = 0;
  garbage.lone_objects = 0;
  CHECK(
      says("by address. Likely the garbage collector itself made 1 `int[]` of 24 B, which nothing "
           "references: gaps are filled with such."));
  garbage.lone_int_arrays = 0;
  CHECK(says("is counted with the first by address."));
  garbage.filler_objects = 4;
  CHECK(says(certain));
}

TEST_CASE("a report on strong references says so wherever that changes what a figure means") {
  Report report;
  report.unreachable = Unreachable{.objects = 1, .shallow = 16, .composition = {}, .garbage = {}};
  report.references.emplace();
  const auto saying = [&](const std::string& words) {
    const auto says = [&](const std::string& text) {
      return text.find(words) != std::string::npos;
    };
    const auto plain = MarkdownStyle::plain;
    return std::vector<bool>{says(md_caveats(caveats_of(report))),
                             says(md_references(report, plain)),
                             says(md_unreachable(report, plain)), says(md_glossary(report, plain))};
  };
  const std::string unreachable = "phantom references alone hold counts as unreachable";
  const std::string all = "whether they are strong, soft, weak or phantom";
  CHECK(saying(unreachable) == std::vector<bool>{false, false, false, false});
  CHECK(saying(all) == std::vector<bool>{false, false, false, true});
  report.overview.reference_policy = "strong";
  CHECK(saying(unreachable) == std::vector<bool>{true, true, false, false});
  const std::string fate = "is garbage, or held by soft, weak, final or phantom references alone.";
  CHECK(saying(fate) == std::vector<bool>{false, false, true, false});
  CHECK(saying(all) == std::vector<bool>{false, false, false, false});
  CHECK(saying("Only strong references are followed").back());
}

}  // namespace
}  // namespace hprof
