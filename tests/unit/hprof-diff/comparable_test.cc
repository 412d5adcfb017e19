// Reports that do not measure alike: of damaged dumps, of one dump, made with other options.
#include "diff_reports.h"
#include "formats/diff/diff_markdown.h"
#include "formats/html/html_diff.h"
#include "tools/hprof-report/gate/gate.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace hprof {
namespace {

using test::cache_path;
using test::cache_suspect;
using test::class_named;
using test::class_row;
using test::diff_of;
using test::heap_report;
using test::row_where;

constexpr char kBoot[] = "<system class loader>";

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

Report damaged(Report report) {
  report.complete = false;
  return report;
}

/// A heap with so many instances of a.B of a KiB each, which a loader has defined.
Report heap_of(std::uint64_t seconds, std::uint64_t instances,
               const std::string& loader = "a.Loader @ 0x70") {
  const std::uint64_t bytes = instances * 1024;
  return heap_report(seconds, 1'000'000 + bytes,
                     {class_row("a.B", loader, instances, bytes, bytes)});
}

TEST_CASE("a damaged dump between two whole ones is no step") {
  const auto diff = diff_of({heap_of(0, 100), damaged(heap_of(1, 10)), heap_of(2, 300)});
  REQUIRE(diff.causes.size() == 1);
  CHECK(diff.causes[0].lasting == 200 * 1024);
  CHECK(diff.causes[0].text ==
        "class a.B: +200 instances, from 100 to 300; with all that they hold +200.0 KiB "
        "(+200.00 %)");
  CHECK(diff_of({heap_of(0, 100), damaged(heap_of(1, 10)), heap_of(2, 100)}).causes.empty());
}

TEST_CASE("whole dumps around a damaged one still tell a warm-up") {
  const auto diff =
      diff_of({heap_of(0, 100), heap_of(1, 300), damaged(heap_of(2, 10)), heap_of(3, 300)});
  CHECK(diff.causes.empty());
  CHECK(diff.totals.front().series.trend == Trend::warm_up);
}

TEST_CASE("a dump that is given again is no end of growth") {
  for (const auto& again : {heap_of(1, 300), damaged(heap_of(1, 290))}) {
    const auto diff = diff_of({heap_of(0, 100), heap_of(1, 300), again});
    CHECK_FALSE(has(diff.verdict.text, "warm-up"));
    REQUIRE(diff.causes.size() == 1);
    CHECK(diff.causes[0].name == "a.B");
  }
  const auto twice = diff_of({heap_of(0, 100), heap_of(0, 100), heap_of(1, 300)});
  CHECK(twice.causes.front().lasting == 200 * 1024);
}

TEST_CASE("a damaged last dump tells no warm-up") {
  const auto diff = diff_of({heap_of(0, 100), heap_of(1, 300), damaged(heap_of(2, 300))});
  CHECK_FALSE(has(diff.verdict.text, "warm-up"));
  CHECK(has(diff.verdict.text, "in what was read no class"));
}

TEST_CASE("a class whose loader a damaged dump has lost is the class of that name") {
  const auto diff = diff_of({heap_of(0, 100), damaged(heap_of(1, 50, kBoot))});
  REQUIRE(diff.classes.size() == 1);
  CHECK(diff.classes[0].loader == "a.Loader");
  CHECK(diff.classes[0].instances.values == std::vector<std::uint64_t>{100, 50});
  CHECK(diff.causes.empty());
  const auto& loader =
      row_where(diff.loaders, [](const DiffLoader& row) { return row.class_name == "a.Loader"; });
  CHECK(loader.loaders.values == std::vector<std::uint64_t>{1, 1});
  const auto before = diff_of({damaged(heap_of(0, 50, kBoot)), heap_of(1, 100)});
  CHECK(before.classes.size() == 1);
  const auto between = diff_of({damaged(heap_of(0, 50, kBoot)), damaged(heap_of(1, 100))});
  CHECK(between.classes.size() == 1);
}

TEST_CASE("a loader that is lost for one class is not another one for that") {
  Report part = damaged(heap_of(1, 50, kBoot));
  part.overview.histogram.push_back(class_row("a.C", "a.Loader @ 0x70", 1, 16, 16));
  Report whole = heap_of(0, 100);
  whole.overview.histogram.push_back(class_row("a.C", "a.Loader @ 0x70", 2, 32, 32));
  const auto diff = diff_of({whole, part});
  const auto& loader =
      row_where(diff.loaders, [](const DiffLoader& row) { return row.class_name == "a.Loader"; });
  CHECK(loader.loaders.values == std::vector<std::uint64_t>{1, 1});
}

TEST_CASE("a lost loader is not guessed, and a system class of a whole dump is one") {
  Report two = heap_of(0, 100);
  two.overview.histogram.push_back(class_row("a.B", "x.Other @ 0x80", 1, 16, 16));
  CHECK(diff_of({two, damaged(heap_of(1, 50, kBoot))}).classes.size() == 3);
  CHECK(diff_of({heap_of(0, 100), heap_of(1, 50, kBoot)}).classes.size() == 2);
  CHECK(diff_of({damaged(heap_of(0, 100)), heap_of(1, 50, kBoot)}).classes.size() == 2);
}

TopObject map_in(const std::string& owner, const std::string& field, std::uint64_t retained) {
  TopObject out;
  out.class_name = "java.util.HashMap";
  out.label = "java.util.HashMap @ 0x9";
  out.retained = retained;
  out.why_alive = cache_path(owner, field, out.class_name, 0x9);
  out.holder = Holder{HolderKind::static_field, owner, field, owner + "." + field, {8}};
  return out;
}

/// A heap whose maps retain 400,000 bytes, and which lists one of these objects that retains 3,000.
Report with_maps(std::uint64_t seconds, std::vector<TopObject> listed) {
  Report out =
      heap_report(seconds, 1'000'000, {class_row("java.util.HashMap", kBoot, 9, 432, 400'000)});
  listed.push_back(map_in("z.Z", "LAST", 3000));
  out.top.top_level_objects = 50;
  out.top.biggest_objects = std::move(listed);
  return out;
}

TEST_CASE("what lies under another object in a whole dump may be a top-level object of a part") {
  const auto row_of = [](const HeapDiff& diff) {
    return row_where(diff.paths, [](const DiffPath& row) { return row.holder == "a.C.F"; });
  };
  const Report late = with_maps(1, {map_in("a.C", "F", 450'000)});
  const auto whole = diff_of({with_maps(0, {}), late});
  CHECK(row_of(whole).retained.at_most->front() == 3000);
  CHECK(whole.causes.front().lasting == 447'000);
  const auto part = diff_of({with_maps(0, {}), damaged(late)});
  CHECK(row_of(part).retained.at_most->front() == 400'000);
  CHECK(part.causes.front().lasting == 50'000);
  CHECK(diff_of({with_maps(0, {}), damaged(with_maps(1, {map_in("a.C", "F", 250'000)}))})
            .causes.empty());
}

TEST_CASE("a suspect of a part of a dump may be any object of its class in a whole one") {
  Report late = with_maps(1, {});
  late.leaks.suspects = {cache_suspect("a.C", "F", 250'000, 0x9)};
  const auto most = [&](const Report& last) {
    return diff_of({with_maps(0, {}), last}).suspects.front().retained.at_most->front();
  };
  CHECK(most(late) == 3000);
  CHECK(most(damaged(late)) == 400'000);
}

TEST_CASE("a JVM of which a dump tells one line only is not another one") {
  const auto warns = [](const char* a, const char* b) {
    Report first = heap_report(0, 1000);
    first.overview.jvm_version = a;
    Report last = heap_report(1, 1000);
    last.overview.jvm_version = b;
    const auto warnings = diff_of({first, last}).warnings;
    return std::any_of(warnings.begin(), warnings.end(),
                       [](const Finding& each) { return each.rule == "jvm"; });
  };
  CHECK_FALSE(warns("openjdk 25\nServer VM (25+9)", "Server VM (25+9)"));
  CHECK_FALSE(warns("Server VM (25+9)", "openjdk 25\nServer VM (25+9)\nmore"));
  CHECK(warns("openjdk 25\nServer VM (25+9)", "Server VM (25+"));
  CHECK(warns("openjdk 25\nServer VM (25+9)", "Server VM (21+9)"));
}

TEST_CASE("the verdict on reports that do not measure alike begins with that") {
  const auto verdict = [](void (*change)(Overview&)) {
    Report last = heap_of(1, 300);
    change(last.overview);
    return diff_of({heap_of(0, 100), last}).verdict.text;
  };
  CHECK(verdict([](Overview& o) { o.reference_policy = "strong"; })
            .starts_with("The reports follow different references, so what changed may be due to "
                         "that. The used heap grew"));
  CHECK(verdict([](Overview& o) {
          o.root_policy = "strict";
        }).starts_with("The reports start from different roots, so"));
  CHECK(verdict([](Overview& o) {
          o.size_model = "hotspot";
          o.reference_policy = "strong";
        }).starts_with("The reports follow different references and measure objects differently"));
  CHECK(verdict([](Overview& o) { o.format = "JAVA PROFILE 1.0.1"; }).starts_with("The used heap"));
}

TEST_CASE("of one dump in two reports nothing grows") {
  Report strong = heap_of(0, 300);
  strong.overview.reference_policy = "strong";
  const auto diff = diff_of({heap_of(0, 100), strong});
  CHECK(diff.verdict.rule == "same_dump");
  CHECK(diff.verdict.text ==
        "Dump 1 and dump 2 are the same dump; what changed is due to other options of the reports "
        "(references followed all against strong). The used heap is 1.1 MiB in dump 1 and 1.2 MiB "
        "in dump 2.");
  CHECK(diff.causes.empty());
  const auto part = diff_of({damaged(heap_of(0, 100)), heap_of(0, 300)});
  CHECK(has(part.verdict.text,
            ". Dump 1 and dump 2 are the same dump; what changed is due to "
            "damage. The used heap is at least 1.1 MiB in dump 1"));
  CHECK(part.causes.empty());
}

RuleResult gate_of(const Report& first, const Report& last, const std::string& rule) {
  const auto in_order = test::ordered({first, last});
  const HeapDiff diff = diff_reports(in_order, {});
  return evaluate({parse_rule(rule)}, {in_order.reports, in_order.names, &diff, {}, false})
      .rules.front();
}

TEST_CASE("no growth in bytes is told of reports with other sizes of objects") {
  Report last = heap_of(1, 300);
  last.overview.size_model = "hotspot";
  const auto status = [&](const std::string& rule) {
    return gate_of(heap_of(0, 100), last, rule).status;
  };
  for (const auto* rule : {"retained>+1%", "retained>+1", "class:a.B.retained>+99999%",
                           "suspect:retained>+1", "growing>0"}) {
    CHECK(status(rule) == RuleStatus::not_evaluated);
  }
  CHECK(status("class:a.B.instances>+100%") == RuleStatus::failed);
  CHECK(status("class:a.B.instances>+300%") == RuleStatus::passed);
  CHECK(status("retained>1MiB") == RuleStatus::failed);
  CHECK(status("retained>1GiB") == RuleStatus::passed);
  CHECK(gate_of(heap_of(0, 100), last, "retained>+1%").text ==
        "a.json and b.json do not measure alike (size model mat against hotspot), so the rule "
        "cannot be evaluated");
}

TEST_CASE("no growth at all is told of reports that follow other references") {
  Report last = heap_of(1, 300);
  last.overview.reference_policy = "strong";
  CHECK(gate_of(heap_of(0, 100), last, "objects>+1%").status == RuleStatus::not_evaluated);
  CHECK(gate_of(heap_of(0, 100), last, "objects>1").status == RuleStatus::failed);
}

BigCollection big(const std::string& owner, std::uint64_t retained) {
  BigCollection out;
  out.class_name = "java.util.HashMap";
  out.retained = retained;
  out.owner = {owner, Address{1}, false};
  return out;
}

Report with_biggest(std::uint64_t seconds, const std::vector<BigCollection>& biggest) {
  Report out = heap_report(seconds, 1'000'000);
  out.collections.emplace();
  out.collections->biggest = biggest;
  return out;
}

TEST_CASE("without --collections text, page and data say that the largest is compared") {
  const auto diff =
      diff_of({with_biggest(0, {big("a.D#map", 10'000), big("class a.C.MAP", 9000)}),
               with_biggest(1, {big("a.D#map", 60'000), big("class a.C.MAP", 9100)})});
  CHECK(diff.fields_held[0].largest_only == true);
  CHECK_FALSE(diff.fields_held[1].largest_only);
  CHECK(has(diff.causes.front().text, "the largest collection in field a.D#map: +48.8 KiB"));
  CHECK(has(diff.verdict.text, "The largest collection in field a.D#map holds 48.8 KiB more"));
  CHECK(has(render_markdown(diff), "| largest in `a.D#map`"));
  for (const auto& text : {render_markdown(diff), render_html(diff)}) {
    CHECK(has(text, "of a field that may hold several collections the largest one is compared"));
  }
}

TEST_CASE("with --collections in one report only, a warning says what is compared") {
  Report with = with_biggest(0, {big("a.D#map", 10'000)});
  with.collections->by_field.emplace();
  const auto diff = diff_of({with, with_biggest(1, {big("a.D#map", 60'000)})});
  CHECK(has(row_where(diff.warnings, [](const Finding& each) { return each.rule == "parts"; }).text,
            "collections by field, so that of a field only the largest collection is compared; "));
}

TEST_CASE("duplicates that only one report has are missed") {
  Report with = heap_report(0, 1000);
  with.strings.emplace();
  with.strings->savings.emplace();
  const auto diff = diff_of({with, heap_report(1, 1000)});
  CHECK(has(row_where(diff.warnings, [](const Finding& each) { return each.rule == "parts"; }).text,
            "Only 1 of 2 reports has duplicates, which are therefore not compared; run "
            "hprof-report with --find-duplicates"));
}

/// A map in a field, as a collection of an object of one class and, under the class that declares
/// the field, at the end of a path.
Report with_field(std::uint64_t seconds, const std::string& owner, const std::string& declared_by,
                  std::uint64_t collection, std::uint64_t object) {
  Report out = with_biggest(seconds, {big(owner + "#map", collection)});
  TopObject top = map_in(declared_by, "map", object);
  top.holder->kind = HolderKind::field;
  top.why_alive->steps[1].via = Via::field;
  out.top.biggest_objects = {top};
  out.top.top_level_objects = 1;
  return out;
}

TEST_CASE("one field is one cause, by whichever class it is named") {
  const auto causes = [](const std::string& owner, const std::string& declared_by,
                         std::uint64_t object) {
    return diff_of({with_field(0, owner, declared_by, 1000, 900),
                    with_field(1, owner, declared_by, 90'000, object)})
        .causes.size();
  };
  CHECK(causes("a.Sub", "a.Base", 89'900) == 1);
  CHECK(causes("a.Sub", "a.Base", 40'000) == 2);
  CHECK(causes("a.Sub", "a.Sub", 40'000) == 1);
}

}  // namespace
}  // namespace hprof
