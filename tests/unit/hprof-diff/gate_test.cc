#include "tools/hprof-report/gate/gate.h"

#include "diff_reports.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

using test::cache_suspect;
using test::class_row;
using test::compared;
using test::heap_report;

constexpr char kBoot[] = "<system class loader>";
constexpr std::uint64_t kMax = 0xffffffffffffffffULL;

RuleResult one(std::vector<Report> reports, const std::string& rule) {
  return compared(std::move(reports), {rule}).rules.front();
}

RuleStatus status(std::uint64_t before, std::uint64_t after, const std::string& rule) {
  return one({heap_report(0, before), heap_report(1, after)}, rule).status;
}

TEST_CASE("growth by a share is exact at its limit") {
  CHECK(status(1000, 1100, "retained>+10%") == RuleStatus::passed);
  CHECK(status(1000, 1101, "retained>+10%") == RuleStatus::failed);
  CHECK(status(1000, 1100, "retained>=+10%") == RuleStatus::failed);
  CHECK(status(1000, 900, "retained<-5%") == RuleStatus::failed);
  CHECK(status(1000, 950, "retained<-5%") == RuleStatus::passed);
  CHECK(status(1000, 900, "retained>+0") == RuleStatus::passed);
  CHECK(status(1000, 1000, "retained>+0") == RuleStatus::passed);
  CHECK(status(1000, 1001, "retained>+0") == RuleStatus::failed);
}

TEST_CASE("growth from nothing is more than any share, and none is none") {
  CHECK(status(0, 1, "retained>+1000%") == RuleStatus::failed);
  CHECK(status(0, 0, "retained>+0%") == RuleStatus::passed);
}

TEST_CASE("limits at the end of 64 bits") {
  CHECK(status(0, kMax, "retained>18446744073709551614") == RuleStatus::failed);
  CHECK(status(0, kMax, "retained>18446744073709551615") == RuleStatus::passed);
  CHECK(status(kMax, kMax, "retained>+0.01%") == RuleStatus::passed);
  CHECK(status(kMax, 0, "retained<-99%") == RuleStatus::failed);
  CHECK(status(1, kMax, "retained>+1000000000%") == RuleStatus::failed);
}

TEST_CASE("a pattern checks every class that fits, and the worst one is named") {
  std::vector<Report> reports{
      heap_report(0, 9000, {class_row("a.B", kBoot, 10, 1, 1), class_row("a.C", kBoot, 10, 1, 1)}),
      heap_report(1, 9000,
                  {class_row("a.B", kBoot, 15, 1, 1), class_row("a.C", kBoot, 90, 1, 1),
                   class_row("z.Z", kBoot, 999, 1, 1)})};
  const auto result = one(reports, "class:a.*.instances>+20%");
  CHECK(result.status == RuleStatus::failed);
  CHECK(result.worst == "a.C");
  CHECK(result.violations == 2);
  CHECK(result.text ==
        "instances of a.C changed: +80 (+800.00 %), from 10 to 90; 1 other breaks "
        "the rule as well");
  CHECK(one(reports, "class:a.B.instances>20").status == RuleStatus::passed);
}

TEST_CASE("copies of a class by several loaders are added up") {
  const std::vector<Report> reports{heap_report(0, 9000, {class_row("a.B", "L @ 0x1", 10, 1, 1)}),
                                    heap_report(1, 9000,
                                                {class_row("a.B", "L @ 0x1", 10, 1, 8000),
                                                 class_row("a.B", "L @ 0x2", 10, 1, 8000)})};
  CHECK(one(reports, "class:a.B.instances>19").status == RuleStatus::failed);
  CHECK(one(reports, "class:a.B.instances>20").status == RuleStatus::passed);
  CHECK(one(reports, "class:a.B.retained>9000").status == RuleStatus::passed);
  CHECK(one(reports, "class:a.B.copies>1").status == RuleStatus::failed);
  CHECK(one(reports, "loader:L.loaders>+0").status == RuleStatus::failed);
}

TEST_CASE("a class that no report has passes, and that is noted") {
  const auto result = one({heap_report(0, 1000), heap_report(1, 1000)}, "class:a.Typo.instances>5");
  CHECK(result.status == RuleStatus::passed);
  REQUIRE(result.notes);
  CHECK(result.notes->front().find("a.Typo") != std::string::npos);
}

TEST_CASE("a package includes its sub-packages, and no others") {
  const std::vector<Report> reports{heap_report(0, 9000),
                                    heap_report(1, 9000,
                                                {class_row("com.foo.A", kBoot, 1, 100, 1),
                                                 class_row("com.foo.x.B", kBoot, 1, 10, 1),
                                                 class_row("com.fool.C", kBoot, 1, 1000, 1)})};
  CHECK(one(reports, "package:com.foo.shallow>109").status == RuleStatus::failed);
  CHECK(one(reports, "package:com.foo.shallow>110").status == RuleStatus::passed);
}

TEST_CASE("a package that the tree leaves out is known to be small") {
  const auto small = [](const std::string& rule) {
    return one({heap_report(0, 9000), heap_report(1, 9000)}, rule);
  };
  CHECK(small("package:com.foo.retained>100").status == RuleStatus::passed);
  CHECK(small("package:com.foo.retained>50").status == RuleStatus::not_evaluated);
  CHECK(small("package:com.foo.retained>+5%").status == RuleStatus::not_evaluated);
  Report with_tree = heap_report(1, 9000);
  PackageNode foo;
  foo.name = "foo";
  foo.retained = 5000;
  PackageNode com;
  com.name = "com";
  com.children = {foo};
  with_tree.top.biggest_packages.children = {com};
  CHECK(one({heap_report(0, 9000), with_tree}, "package:com.foo.retained>+50%").status ==
        RuleStatus::failed);
}

TEST_CASE("suspects: any, by class, and what lies below the threshold of the list") {
  Report late = heap_report(1, 9000);
  late.leaks.suspects = {cache_suspect("a.Cache", "MAP", 4000, 0x100)};
  const std::vector<Report> reports{heap_report(0, 9000), late};
  CHECK(one(reports, "suspects>0").status == RuleStatus::failed);
  CHECK(one(reports, "new-suspects>0").status == RuleStatus::failed);
  CHECK(one(reports, "suspect:retained>25%").status == RuleStatus::failed);
  CHECK(one(reports, "suspect:retained>50%").status == RuleStatus::passed);
  CHECK(one(reports, "suspect:java.util.HashMap.retained>25%").status == RuleStatus::failed);
  CHECK(one(reports, "suspect:a.Other.retained>25%").status == RuleStatus::passed);
  CHECK(one(reports, "suspect:a.Other.retained>5%").status == RuleStatus::not_evaluated);
}

/// A heap with three collections of 40 elements, of which the fields that are listed hold some.
Report with_fields(std::vector<CollectionField> fields) {
  Report out = heap_report(1, 9000);
  CollectionClass lists;
  lists.kind = "list";
  lists.collections = 3;
  lists.elements = 40;
  CollectionClass views;
  views.kind = "view";
  views.collections = 7;
  views.elements = 900;
  out.collections.emplace();
  out.collections->classes = {lists, views};
  out.collections->by_field = std::move(fields);
  return out;
}

CollectionField list_field(const std::string& name, std::uint64_t collections,
                           std::uint64_t elements, std::uint64_t retained) {
  CollectionField out;
  out.field = name;
  out.collections = collections;
  out.elements = elements;
  out.retained = retained;
  return out;
}

TEST_CASE("a field that is not listed has no more than those that are listed leave") {
  const auto at = [](const Report& report, const std::string& rule) {
    return one({report, report}, "field:x.Y#z." + rule);
  };
  const auto some = with_fields({list_field("a.B#c", 1, 30, 500)});
  CHECK(at(some, "elements>10").status == RuleStatus::passed);
  CHECK(at(some, "elements>9").status == RuleStatus::not_evaluated);
  CHECK(at(some, "collections>2").status == RuleStatus::passed);
  CHECK(at(some, "collections>1").status == RuleStatus::not_evaluated);
  CHECK(at(some, "retained>500").status == RuleStatus::passed);
  CHECK(at(some, "retained>499").status == RuleStatus::not_evaluated);
  const auto all = with_fields({list_field("a.B#c", 1, 30, 500), list_field("a.B#d", 2, 10, 100)});
  for (const auto* rule : {"elements>0", "collections>0", "retained>0"}) {
    CHECK(at(all, rule).status == RuleStatus::passed);
    REQUIRE(at(all, rule).notes);
    CHECK(at(all, rule).notes->front() == "no report has anything that fits x.Y#z");
  }
}

TEST_CASE("of a figure that is not listed no limit lies between what is known") {
  const auto result = one({heap_report(0, 9000), heap_report(1, 9000)}, "suspect:a.B.instances>5");
  CHECK(result.status == RuleStatus::not_evaluated);
  CHECK(result.text ==
        "nothing that fits is listed: instances is unknown; the report lists the largest only, so "
        "the rule cannot be evaluated");
}

TEST_CASE("what a report does not hold is not evaluated, and fails the gate unless allowed") {
  for (const char* rule : {"duplicate-strings.saved>10MiB", "threads>1", "collections.wasted>1M",
                           "findings.critical>0", "field:a.B#c.elements>5", "thread:x.threads>5",
                           "loader:x.retained>5", "duplicate-classes>0"}) {
    const auto gate = compared({heap_report(0, 1000), heap_report(1, 1000)}, {rule});
    CHECK(gate.rules.front().status == RuleStatus::not_evaluated);
    CHECK(gate.not_evaluated_rules == 1);
    CHECK_FALSE(gate.passed);
    CHECK(compared({heap_report(0, 1000), heap_report(1, 1000)}, {rule}, true).passed);
  }
}

Report with_thread(std::uint64_t seconds, std::uint64_t retained, std::uint64_t left_out) {
  Report out = heap_report(seconds, 9000);
  out.threads.emplace();
  out.threads->left_out = left_out;
  ThreadRow row;
  row.name = "pool-1-thread-1";
  row.retained = retained;
  out.threads->threads = {row, row};
  return out;
}

TEST_CASE("threads by name, and those that the list has no room for") {
  const std::vector<Report> all{with_thread(0, 100, 0), with_thread(1, 300, 0)};
  CHECK(one(all, "thread:pool-*-thread-*.threads>1").status == RuleStatus::failed);
  CHECK(one(all, "thread:pool-*-thread-*.threads>2").status == RuleStatus::passed);
  CHECK(one(all, "thread:pool-*-thread-*.retained>599").status == RuleStatus::failed);
  CHECK(one(all, "thread:pool-*-thread-*.retained>600").status == RuleStatus::passed);
  CHECK(one(all, "thread:pool-*-thread-*.retained>+200%").status == RuleStatus::passed);
  CHECK(one(all, "thread:pool-*-thread-*.retained>+199%").status == RuleStatus::failed);
  const std::vector<Report> cut{with_thread(0, 100, 0), with_thread(1, 300, 2)};
  CHECK(one(cut, "thread:pool-*-thread-*.threads>2").status == RuleStatus::not_evaluated);
  CHECK(one(cut, "thread:pool-*-thread-*.threads>4").status == RuleStatus::passed);
  CHECK(one(cut, "thread:pool-*-thread-*.retained>1199").status == RuleStatus::not_evaluated);
  CHECK(one(cut, "thread:pool-*-thread-*.retained>1200").status == RuleStatus::passed);
}

TEST_CASE("loaders by class, and those that the list has no room for") {
  Report late = heap_report(
      1, 9000, {class_row("a.B", "a.L @ 0x1", 1, 1, 1), class_row("a.C", "a.L @ 0x1", 5, 1, 1)});
  late.overview.class_loaders.emplace();
  ClassLoaderRow row;
  row.label = "a.L @ 0x1";
  row.retained = 4000;
  late.overview.class_loaders->push_back(row);
  late.overview.classloaders_loaded = 1;
  const auto at = [&](const char* rule) { return one({heap_report(0, 9000), late}, rule).status; };
  CHECK(at("loader:a.L.retained>3999") == RuleStatus::failed);
  CHECK(at("loader:a.L.retained>4000") == RuleStatus::passed);
  CHECK(at("loader:a.L.classes>1") == RuleStatus::failed);
  CHECK(at("loader:a.L.instances>6") == RuleStatus::passed);
  late.overview.classloaders_loaded = 2;
  CHECK(at("loader:a.L.retained>4000") == RuleStatus::not_evaluated);
  CHECK(at("loader:a.L.retained>9000") == RuleStatus::passed);
}

TEST_CASE("loaders that have defined no class are counted, as far as they are listed") {
  const auto with = [](std::uint64_t seconds, std::uint64_t count) {
    Report out = heap_report(seconds, 9000, {class_row("a.B", "a.L @ 0x1", 1, 1, 1)});
    out.overview.class_loaders.emplace();
    for (std::uint64_t i = 1; i <= count; ++i) {
      ClassLoaderRow row;
      row.label = "a.L @ 0x" + std::to_string(i);
      row.address = {std::stoull(std::to_string(i), nullptr, 16)};
      out.overview.class_loaders->push_back(row);
    }
    out.overview.classloaders_loaded = count;
    return out;
  };
  const Report early = with(0, 50);
  Report late = with(1, 150);
  const auto at = [&](const char* rule) { return one({early, late}, rule).status; };
  CHECK(at("loader:a.L.loaders>149") == RuleStatus::failed);
  CHECK(at("loader:a.L.loaders>150") == RuleStatus::passed);
  CHECK(at("loader:a.L.loaders>+99") == RuleStatus::failed);
  CHECK(at("loader:a.L.loaders>+100") == RuleStatus::passed);
  CHECK(at("loader:*.loaders>+99") == RuleStatus::failed);
  late.overview.class_loaders->resize(20);
  CHECK(at("loader:a.L.loaders>19") == RuleStatus::failed);
  CHECK(at("loader:a.L.loaders>20") == RuleStatus::not_evaluated);
  CHECK(at("loader:a.Other.loaders>10") == RuleStatus::not_evaluated);
}

TEST_CASE("growth needs the figure in both reports") {
  Report late = heap_report(1, 1000);
  late.threads.emplace();
  late.threads->total = 7;
  const auto result = one({heap_report(0, 1000), late}, "threads>+0");
  CHECK(result.status == RuleStatus::not_evaluated);
  CHECK(result.text.starts_with("a.json does not tell threads"));
  CHECK(one({heap_report(0, 1000), late}, "threads>6").status == RuleStatus::failed);
}

TEST_CASE("a damaged dump gives lower bounds, which break a rule or leave it open") {
  const auto at = [](const std::string& rule) {
    Report late = heap_report(1, 1000, {class_row("a.B", kBoot, 10, 100, 900)});
    late.complete = false;
    late.overview.unreachable_shallow = 500;
    return one({heap_report(0, 1000), late}, rule);
  };
  for (const char* rule :
       {"retained>5000", "class:a.B.shallow>50%", "retained<5000", "retained>+10%",
        "class:a.B.instances>10", "class:a.Typo.instances>10", "suspects>0", "suspect:retained>95%",
        "package:a.shallow>100", "new-suspects>0", "growing>0", "class:a.B.retained>1",
        "unreachable>5", "class:a.B.shallow>1%"}) {
    const auto result = at(rule);
    CAPTURE(std::string(rule));
    CHECK(result.status == RuleStatus::not_evaluated);
    CHECK(result.text.find("covers only part of the dump") != std::string::npos);
    REQUIRE(result.notes);
    CHECK(result.notes->front().find("those of a part") != std::string::npos);
  }
  CHECK(at("retained>5000").measured.value_or("") == "at least 1000 B");
  for (const auto* rule : {"retained>999", "retained>=1000", "class:a.B.instances>9", "retained>-1",
                           "class:a.B.instances>+9"}) {
    CHECK(at(rule).status == RuleStatus::failed);
  }
  CHECK(at("retained<1000").status == RuleStatus::passed);
  CHECK(at("class:a.B.instances<10").status == RuleStatus::passed);
}

TEST_CASE("a rule that every figure breaks or keeps says that the figure is not known") {
  Report late = heap_report(1, 1000, {class_row("a.B", kBoot, 10, 100, 900)});
  late.complete = false;
  const auto broken = one({heap_report(0, 1000), late}, "suspect:instances>=0");
  CHECK(broken.status == RuleStatus::failed);
  CHECK(broken.text.ends_with("instances is unknown, and any figure breaks the rule"));
  const auto kept = one({heap_report(0, 1000), late}, "suspect:instances<0");
  CHECK(kept.status == RuleStatus::passed);
  CHECK(kept.text.ends_with("instances is unknown, and any figure keeps the rule"));
}

TEST_CASE("what --sections left out is not put down to a missing dump") {
  Report report = heap_report(0, 1000);
  const auto ends = [&](const std::string& rule, const std::string& words) {
    const auto result = one({report, report}, rule);
    CHECK(result.status == RuleStatus::not_evaluated);
    CHECK_MESSAGE(result.text.ends_with(words), result.text);
  };
  const std::string threads = "thread:main.retained>1";
  const std::string fields = "field:a.B#c.retained>1";
  ends(threads, " has no threads; give hprof-report the dump");
  ends(fields, "run hprof-report with --collections");
  report.sections = {"summary", "leaks"};
  ends(threads, " has no threads; --sections left out threads");
  ends(fields, " does not tell collections by field; --sections left out collections");
}

TEST_CASE("of a figure that is not known no share is told") {
  Report late = heap_report(1, 1000, {class_row("a.B", kBoot, 10, 100, 900)});
  const auto text = [&] {
    return one({heap_report(0, 1000), late}, "class:a.B.retained>95%").text;
  };
  CHECK(text() == "retained of a.B is 900 B, 90.00 % of the used heap");
  late.complete = false;
  CHECK(
      text() ==
      "retained of a.B is unknown; the report covers only part of the dump, so the rule cannot be "
      "evaluated");
}

TEST_CASE("growth from a damaged dump is never certain") {
  Report early = heap_report(0, 1000);
  early.complete = false;
  Report late = heap_report(1, 9000);
  late.leaks.suspects = {cache_suspect("a.Cache", "MAP", 4000, 0x100)};
  for (const auto* rule :
       {"retained>+10%", "retained>+0", "suspects>+0", "new-suspects>0", "growing>0"}) {
    CAPTURE(std::string(rule));
    CHECK(one({early, late}, rule).status == RuleStatus::not_evaluated);
  }
  CHECK(one({early, late}, "retained>5000").status == RuleStatus::failed);
  CHECK(one({early, late}, "retained>9000").status == RuleStatus::passed);
  CHECK(one({early, late}, "retained<-0").status == RuleStatus::not_evaluated);
}

TEST_CASE("duplicate strings are their arrays and themselves") {
  Report late = heap_report(1, 1000);
  late.strings.emplace();
  late.strings->savings = DuplicateSavings{.string_arrays = 100, .string_objects = 20};
  CHECK(one({heap_report(0, 1000), late}, "duplicate-strings.saved>119").status ==
        RuleStatus::failed);
  CHECK(one({heap_report(0, 1000), late}, "duplicate-strings.saved>120").status ==
        RuleStatus::passed);
}

/// A broken rule whose name tries to leave every format.

}  // namespace
}  // namespace hprof
