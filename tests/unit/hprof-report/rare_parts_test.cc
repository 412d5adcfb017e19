// Parts of a report that few dumps have stand in both formats.
#include "formats/html/html_report.h"
#include "formats/report/markdown.h"
#include "formats/report/report_json.h"
#include "formats/report_file.h"
#include "sample_report.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

namespace hprof {
namespace {

bool holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// All words stand in the Markdown and in the text of the page, and in what JSON brings back.
void check_shown(const Report& report, std::initializer_list<std::string> words) {
  StringSink sink;
  write_json(report, sink);
  CHECK(parse_json(sink.text(), "test") == report);
  const std::string markdown = render_markdown(report);
  const std::string page = render_html(report);
  for (const auto& each : words) {
    CHECK_MESSAGE(holds(markdown, each), each);
    CHECK_MESSAGE(holds(page.substr(0, page.find("<script")), each), each);
  }
}

TEST_CASE("what is used of a damaged dump, and every damaged place") {
  auto report = test::sample_report();
  report.complete = false;
  report.overview.coverage = Coverage{
      .bytes = 7'000'003,
      .bytes_used = 6'900'002,
      .bytes_of_others = 4096,
      .heap_records_used = 54'321,
      .places = 2,
      .ends_early = {},
      .damage = {{"garbled", 0xabcd1, 99'001, "INSTANCE_DUMP: it reaches beyond its segment"},
                 {"cut", 0x6acfc3, 1000, "HEAP_DUMP_SEGMENT: the dump ends in it"}}};
  check_shown(report,
              {"so any figure may be higher or lower", "54,321", "garbled", "0xabcd1", "0x6acfc3",
               "it reaches beyond its segment", "the dump ends in it", "4.0 KiB"});
  CHECK_FALSE(holds(render_markdown(report), "its file ends too early"));
  report.overview.coverage->ends_early = true;
  check_shown(report, {"The dump is damaged, its file ends too early: "});
  report.overview.root_policy = "dump";
  check_shown(report, {"counts and bytes of reachable objects are lower bounds; retained sizes, "
                       "shares and garbage may be higher or lower."});
}

TEST_CASE("totals of what was read are marked as lower bounds") {
  auto report = test::sample_report();
  report.overview.total_objects = 123'456;
  report.overview.root_policy = "dump";
  for (const bool complete : {false, true}) {
    report.complete = complete;
    CHECK(holds(render_markdown(report), "| at least 123,456") != complete);
    CHECK(holds(render_html(report), ">Total objects, at least<") != complete);
  }
}

/// A report without anything, whose sections say so.
Report empty_report(bool complete) {
  auto report = test::sample_report();
  report.complete = complete;
  report.triage.emplace();
  report.leaks.suspects.clear();
  report.dominators->big_drops.clear();
  report.threads.emplace();
  report.collections.emplace();
  report.arrays.emplace();
  report.arrays->constant.emplace();
  report.references.emplace();
  report.unreachable.emplace();
  report.allocation_sites.emplace();
  return report;
}

TEST_CASE("what is not in the part that was read need not be missing in the dump") {
  for (const auto* words :
       {"o rule has anything to say", "o object and no class of top-level objects retains",
        "o object retains over ", "o primitive array of two elements"}) {
    check_shown(empty_report(true), {"N" + std::string(words)});
    check_shown(empty_report(false), {"In what was read of the dump, n" + std::string(words)});
  }
  for (const auto* words :
       {"he heap has no thread objects", "here are no collections of the classes that",
        "he heap holds no instance of java.lang.ref.Reference"}) {
    check_shown(empty_report(true), {"T" + std::string(words)});
    check_shown(empty_report(false), {"In what was read of the dump, t" + std::string(words)});
  }
  check_shown(empty_report(true), {"Every object of the dump is reachable",
                                   "The JVM recorded no allocation stacks in this dump"});
  check_shown(empty_report(false), {"Every object of what was read of the dump is reachable",
                                    "they are lost, or the JVM recorded none."});
}

TEST_CASE("why threads have no stack: never had one, not written, lost, or the dump has none") {
  auto report = test::sample_report();
  auto& threads = *report.threads;
  threads.total = 9;
  threads.without_stack = 5;
  threads.virtual_without_stack = 2;
  report.overview.jvm.emplace().java_version = "21.0.4+7";
  report.complete = true;
  check_shown(report, {"3 threads have no stack in the dump: not yet started, ended, or of the JVM",
                       "2 virtual threads have no stack in the dump: JVMs before JDK 22 do not"});
  report.overview.jvm->java_version = "25.0.3+9-LTS";
  check_shown(report, {"2 virtual threads have no stack in the dump: not yet started, or ended."});
  report.complete = false;
  check_shown(report, {"3 threads have no stack in what was read of the dump: lost, or not yet",
                       "2 virtual threads have no stack in what was read of the dump: lost, or not "
                       "yet started, or ended; what only"});
  report.overview.jvm.reset();
  check_shown(report, {"lost, or not written, as JVMs before JDK 22 do not"});
  threads.without_stack = threads.total;
  check_shown(report, {"What was read of the dump has no stack of any of its 9 threads."});
  report.complete = true;
  check_shown(report, {"The dump has no stack of any of its 9 threads."});
  CHECK_FALSE(holds(render_markdown(report), "not yet started"));
}

TEST_CASE("sizes are in doubt where objects lie as with references of another size") {
  const std::string doubt = "references take 8 bytes by how the objects lie, 4 by the rule";
  auto report = test::sample_report();
  report.overview.size_model = "mat";
  report.overview.compressed_oops = true;
  report.overview.heap_layout->reference = 4;
  report.overview.heap_layout->given = false;
  report.overview.heap_layout->confidence = "high";
  CHECK_FALSE(holds(render_markdown(report), doubt));
  report.overview.heap_layout->reference = 8;
  check_shown(report, {doubt});
  report.overview.heap_layout->confidence = "low";
  CHECK_FALSE(holds(render_markdown(report), doubt));
}

TEST_CASE("locals in frames that have numbers but no names") {
  auto report = test::sample_report();
  auto& row = report.threads->threads.front();
  REQUIRE(row.largest_locals.has_value());
  row.stack.reset();
  row.frames = {{17, "Java Local", 2, 3000, 2000},
                {17, "Thread Block", 1, 200, {}},
                {23, "Java Local", 5, 9, {}}};
  row.largest_locals->front().frame = 23;
  check_shown(report, {"frame 17", "frame 23", "2 objects, the largest retains", "1 object retains",
                       "5 objects"});
  const std::string markdown = render_markdown(report);
  CHECK(markdown.find("frame 17") == markdown.rfind("frame 17"));
}

TEST_CASE("the summary shows the largest suspects and says how many more there are") {
  auto report = test::sample_report();
  report.leaks.suspects.resize(1);
  for (int i = 0; i < 7; ++i) {
    report.leaks.suspects.push_back(report.leaks.suspects.front());
  }
  check_shown(report, {"3 more are"});
}

TEST_CASE("what the report does not cover is told with its reason") {
  auto report = test::sample_report();
  report.not_covered = {{"strings", "the dump was not there"}, {"threads", "no stacks in it"}};
  check_shown(report, {"Not covered", "the dump was not there", "no stacks in it"});
}

}  // namespace
}  // namespace hprof
