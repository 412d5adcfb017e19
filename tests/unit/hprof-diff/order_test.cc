#include "diff_reports.h"
#include "tools/hprof-report/wording.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace hprof {
namespace {

using test::class_row;
using test::diff_of;
using test::heap_report;
using test::ordered;

constexpr char kBoot[] = "<system class loader>";

std::vector<std::string> rules_of(const std::vector<Finding>& warnings) {
  std::vector<std::string> out;
  for (const auto& warning : warnings) {
    out.push_back(warning.rule);
  }
  return out;
}

bool warns(const HeapDiff& diff, const std::string& rule) {
  for (const auto& warning : diff.warnings) {
    if (warning.rule == rule) {
      return true;
    }
  }
  return false;
}

TEST_CASE("reports are compared by time, and a warning says so") {
  const auto out = ordered({heap_report(60, 2000), heap_report(0, 1000), heap_report(30, 1500)});
  CHECK(out.names == std::vector<std::string>{"b.json", "c.json", "a.json"});
  CHECK(rules_of(out.warnings) == std::vector<std::string>{"order"});
  CHECK(ordered({heap_report(0, 1000), heap_report(60, 2000)}).warnings.empty());
}

TEST_CASE("the order of the command line is kept where it is wanted or times are not known") {
  DiffOptions options;
  options.as_given = true;
  const auto kept = ordered({heap_report(60, 2000), heap_report(0, 1000)}, options);
  CHECK(kept.names.front() == "a.json");
  CHECK(kept.warnings.empty());
  Report timeless = heap_report(0, 1000);
  timeless.overview.dump_creation_ms = 0;
  const auto unknown = ordered({heap_report(60, 2000), timeless});
  CHECK(unknown.names.front() == "a.json");
  CHECK(unknown.warnings.size() == 1);
}

TEST_CASE("the same dump twice is told and holds no change") {
  const auto report = [] { return heap_report(5, 1000, {class_row("a.B", kBoot, 1, 16, 16)}); };
  const auto diff = diff_of({report(), report()});
  CHECK(warns(diff, "same_dump"));
  CHECK(diff.verdict.rule == "same");
  CHECK(diff.verdict.text.starts_with("Dump 1 and dump 2 are the same dump. No change"));
  CHECK(diff.causes.empty());
}

TEST_CASE("dumps that are hard to compare are warned of") {
  const auto with = [](void (*change)(Report&)) {
    Report other = heap_report(1, 1000, {class_row("a.B", kBoot, 1, 16, 16)});
    change(other);
    return diff_of({heap_report(0, 1000, {class_row("a.B", kBoot, 1, 16, 16)}), other});
  };
  CHECK(with([](Report&) {}).warnings.empty());
  CHECK(warns(with([](Report& r) { r.overview.identifier_size_bits = 32; }), "layout"));
  CHECK(warns(with([](Report& r) { r.overview.compressed_oops = true; }), "layout"));
  CHECK(warns(with([](Report& r) { r.overview.object_alignment = 16; }), "layout"));
  CHECK(warns(with([](Report& r) { r.overview.size_model = "dumped"; }), "layout"));
  CHECK(warns(with([](Report& r) { r.complete = false; }), "damaged"));
  CHECK(warns(with([](Report& r) { r.overview.histogram[0].class_name = "b.C"; }), "program"));
  CHECK(warns(with([](Report& r) {
                r.overview.unreachable_shallow = 500;
                r.overview.all_shallow = 1500;
              }),
              "garbage"));
  CHECK_FALSE(warns(with([](Report& r) {
                      r.overview.unreachable_shallow = 500;
                      r.overview.all_shallow = 1500;
                      r.unreachable.emplace().garbage.emplace().lone_int_arrays_shallow = 480;
                    }),
                    "garbage"));
}

TEST_CASE("differences that damage can bring about are not put down to anything else") {
  Report whole = heap_report(0, 1000, {class_row("a.B", kBoot, 1, 16, 16)});
  whole.overview.jvm_version = "openjdk version \"17\"\nbuild 17.0.1";
  whole.overview.jvm.emplace();
  whole.overview.jvm->started_ms = 5;
  Report cut = heap_report(1, 1000, {class_row("b.C", kBoot, 1, 16, 16)});
  cut.complete = false;
  cut.overview.jvm_version = "build 17.0.1";
  cut.overview.jvm.emplace();
  cut.overview.jvm->started_ms = 6;
  cut.overview.unreachable_shallow = 500;
  cut.overview.all_shallow = 1500;
  cut.overview.root_policy = "fallback";
  Report later = whole;
  later.overview.dump_creation_ms += 2000;
  for (const auto& reports : {std::vector{whole, cut}, std::vector{cut, later}}) {
    const auto diff = diff_of(reports);
    REQUIRE(diff.warnings.size() == 1);
    CHECK(diff.warnings.front().rule == "damaged");
    CHECK(diff.warnings.front().text.find("names no system class, so any figure may be higher or "
                                          "lower; changes") != std::string::npos);
  }
  cut.overview.identifier_size_bits = 32;
  const auto diff = diff_of({whole, cut});
  REQUIRE(diff.warnings.size() == 2);
  CHECK(diff.warnings.front().rule == "damaged");
  CHECK(diff.warnings.back().text.find("identifiers 64 bits against 32 bits; ") !=
        std::string::npos);
}

TEST_CASE("of classes of one name the verdict tells the one that grows") {
  const auto of = [](std::uint64_t seconds, std::uint64_t boot, std::uint64_t app) {
    return heap_report(seconds, 100'000 + (boot + app) * 1000,
                       {class_row("a.B", kBoot, boot, boot * 1000, boot * 1000),
                        class_row("a.B", "x.Loader @ 0x70", app, app * 1000, app * 1000)});
  };
  const auto diff = diff_of({of(0, 900, 0), of(1, 1, 100)});
  CHECK(diff.verdict.text.find("grows most is a.B with +100 instances") != std::string::npos);
}

TEST_CASE("another JVM and another run are told where both reports know theirs") {
  const auto with = [](const char* version, std::uint64_t started) {
    Report out = heap_report(started, 1000);
    out.overview.jvm_version = version;
    out.overview.jvm.emplace();
    out.overview.jvm->started_ms = started;
    return out;
  };
  const auto diff = diff_of({with("17.0.1\nmore", 1), with("25", 2)});
  CHECK(warns(diff, "jvm"));
  CHECK(warns(diff, "process"));
  const auto unknown = diff_of({with("17", 1), heap_report(9, 1000)});
  CHECK_FALSE(warns(unknown, "jvm"));
  CHECK_FALSE(warns(unknown, "process"));
}

TEST_CASE("a heap that shrank says so, without a cause") {
  const auto diff = diff_of({heap_report(0, 200'000), heap_report(60, 100'000)});
  CHECK(diff.verdict.text.starts_with(
      "The used heap shrank by 97.7 KiB (−50.00 %) in 1 min, from 195.3 KiB to 97.7 KiB"));
  CHECK(diff.causes.empty());
}

TEST_CASE("buffers that grow outside the heap are told") {
  const auto with = [](std::uint64_t seconds, std::uint64_t capacity) {
    Report out = heap_report(seconds, 100'000);
    out.references.emplace();
    out.references->direct_buffers.emplace();
    out.references->direct_buffers->capacity = capacity;
    return out;
  };
  const auto diff = diff_of({with(0, 1 << 20), with(1, 201 << 20)});
  CHECK(diff.verdict.text.find("Direct buffers outside the heap grew by 200.0 MiB.") !=
        std::string::npos);
  CHECK(diff_of({with(0, 1 << 20), with(1, 2 << 20)}).verdict.text.find("Direct") ==
        std::string::npos);
}

TEST_CASE("growth from an empty heap has no share") {
  const auto diff = diff_of({heap_report(0, 0), heap_report(60, 2048)});
  CHECK(diff.verdict.text.starts_with("The used heap grew by 2.0 KiB in 1 min, from 0 B"));
}

TEST_CASE("figures at the end of 64 bits do not overflow") {
  constexpr std::uint64_t kMax = 0xffffffffffffffffULL;
  const auto diff = diff_of({heap_report(0, 0, {class_row("a.B", kBoot, 0, 0, 0)}),
                             heap_report(1, kMax, {class_row("a.B", kBoot, kMax, kMax, kMax)})});
  CHECK(test::class_named(diff, "a.B").retained.change == SignedCount{false, kMax});
  const auto back = diff_of({heap_report(0, kMax, {class_row("a.B", kBoot, kMax, kMax, kMax)}),
                             heap_report(1, 0, {class_row("a.B", kBoot, 0, 0, 0)})});
  CHECK(test::class_named(back, "a.B").retained.change == SignedCount{true, kMax});
}

bool says(const HeapDiff& diff, const std::string& rule, const std::string& words) {
  return std::any_of(diff.warnings.begin(), diff.warnings.end(), [&](const Finding& each) {
    return each.rule == rule && each.text.find(words) != std::string::npos;
  });
}

TEST_CASE("other roots are no other layout") {
  Report strict = heap_report(1, 1000);
  strict.overview.root_policy = "strict";
  Report dump = heap_report(0, 1000);
  dump.overview.root_policy = "dump";
  const auto diff = diff_of({dump, strict});
  CHECK(says(diff, "roots", "root policy dump, dump 2 with strict"));
  CHECK_FALSE(warns(diff, "layout"));
}

TEST_CASE("reports for which other references were followed are told apart") {
  const Report all = heap_report(0, 1000);
  Report strong = heap_report(1, 1000);
  strong.overview.reference_policy = "strong";
  CHECK(says(diff_of({all, strong}), "references", "Of dump 1 all references were followed"));
  CHECK_FALSE(warns(diff_of({strong, strong}), "references"));
  CHECK_FALSE(warns(diff_of({all, all}), "references"));
  Report same = all;
  same.overview.reference_policy = "strong";
  CHECK(says(diff_of({all, same}), "same_dump", "references followed all against strong"));
}

TEST_CASE("all reports of one dump are named, with the options that differ") {
  const Report one = heap_report(0, 1000);
  CHECK(
      says(diff_of({one, one, one}), "same_dump", "Dump 1, dump 2 and dump 3 are the same dump."));
  Report strict = one;
  strict.overview.root_policy = "strict";
  CHECK(says(diff_of({one, strict}), "same_dump", "other options of the reports (root policy"));
}

TEST_CASE("a part that --sections left out is not missed in the dump") {
  Report with = heap_report(0, 1000);
  with.threads.emplace();
  Report without = heap_report(1, 1000);
  CHECK(says(diff_of({with, without}), "parts", "give hprof-report the dump"));
  without.sections = {"summary", "leaks"};
  CHECK(says(diff_of({with, without}), "parts", "--sections left out threads"));
}

TEST_CASE("a name that the words before it hold as well is not marked in their place") {
  triage::Wording wording;
  wording.words("Objects of dump 1: ").name("dump").words(" of ").name("a.B");
  const auto said = wording.finding("", Severity::info, "", "");
  CHECK(said.names == std::vector<std::string>{"a.B"});
}

}  // namespace
}  // namespace hprof
