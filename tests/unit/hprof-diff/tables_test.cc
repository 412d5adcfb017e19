#include "diff_reports.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

using test::class_named;
using test::class_row;
using test::diff_of;
using test::heap_report;
using test::row_where;

constexpr char kBoot[] = "<system class loader>";

TEST_CASE("copies of a class by several loaders of one class are one row, nothing counted twice") {
  const auto diff =
      diff_of({heap_report(0, 10'000, {class_row("a.B", "a.Loader @ 0x10", 2, 32, 100)}),
               heap_report(1, 20'000,
                           {class_row("a.B", "a.Loader @ 0x20", 2, 32, 100),
                            class_row("a.B", "a.Loader @ 0x30", 3, 48, 400),
                            class_row("a.B", kBoot, 7, 112, 900)})});
  const auto& row = row_where(diff.classes, [](const DiffClass& each) {
    return each.class_name == "a.B" && each.loader == "a.Loader";
  });
  CHECK(row.copies.values == std::vector<std::uint64_t>{1, 2});
  CHECK(row.instances.values == std::vector<std::uint64_t>{2, 5});
  CHECK(row.shallow.change == SignedCount{false, 48});
  CHECK(row.retained.values == std::vector<std::uint64_t>{100, 500});
  CHECK(row.added_up);
  const auto& other = row_where(
      diff.classes, [](const DiffClass& each) { return each.loader == "<system class loader>"; });
  CHECK(other.fate == Fate::created);
  CHECK_FALSE(other.added_up);
}

TEST_CASE("what copies retain together is never more than the heap") {
  const auto diff = diff_of({heap_report(0, 1000, {class_row("a.B", "L @ 0x1", 1, 16, 100)}),
                             heap_report(1, 1000,
                                         {class_row("a.B", "L @ 0x1", 1, 16, 900),
                                          class_row("a.B", "L @ 0x2", 1, 16, 900)})});
  CHECK(class_named(diff, "a.B").retained.values.back() == 1000);
}

TEST_CASE("generated names are joined, and kept apart with --raw-names") {
  const auto reports = [] {
    return std::vector<Report>{
        heap_report(0, 1000, {class_row("a.B$$Lambda$1/0x10", "L @ 0x1", 5, 80, 80)}),
        heap_report(1, 1000,
                    {class_row("a.B$$Lambda$7/0x99", "L @ 0x1", 6, 96, 96),
                     class_row("a.B$$Lambda$8/0x98", "L @ 0x1", 1, 16, 16)})};
  };
  const auto diff = diff_of(reports());
  CHECK(diff.classes.size() == 1);
  CHECK(class_named(diff, "a.B$$Lambda/*").instances.values == std::vector<std::uint64_t>{5, 7});
  DiffOptions raw;
  raw.raw_names = true;
  const auto apart = diff_of(reports(), raw);
  CHECK(apart.classes.size() == 3);
  CHECK(class_named(apart, "a.B$$Lambda$1/0x10").fate == Fate::gone);
  CHECK(class_named(apart, "a.B$$Lambda$7/0x99").fate == Fate::created);
}

TEST_CASE("classes that did not change are counted and left out") {
  const auto diff = diff_of({heap_report(0, 1000, {class_row("a.B", kBoot, 1, 16, 16)}),
                             heap_report(1, 1000, {class_row("a.B", kBoot, 1, 16, 16)})});
  CHECK(diff.classes.empty());
  CHECK(diff.same_classes == 1);
  CHECK(diff.verdict.rule == "same");
}

TEST_CASE("a class that falls in between and comes back is no unchanged one") {
  const auto report = [](std::uint64_t second, std::uint64_t instances) {
    return heap_report(second, 1000, {class_row("a.B", kBoot, instances, instances * 16, 16)});
  };
  const auto diff = diff_of({report(0, 5), report(1, 2), report(2, 5)});
  CHECK(class_named(diff, "a.B").instances.trend == Trend::irregular);
}

TEST_CASE("every instance is in one package") {
  const auto diff = diff_of(
      {heap_report(0, 1000, {class_row("a.b.C", kBoot, 1, 16, 16)}),
       heap_report(1, 1000,
                   {class_row("a.b.C", kBoot, 1, 16, 16), class_row("a.b.C[]", kBoot, 2, 64, 64),
                    class_row("a.D", kBoot, 1, 24, 24)})});
  const auto& package =
      row_where(diff.packages, [](const DiffPackage& each) { return each.package == "a.b"; });
  CHECK(package.shallow.values == std::vector<std::uint64_t>{16, 80});
  std::uint64_t sum = 0;
  for (const auto& row : diff.packages) {
    sum += row.shallow.values.back();
  }
  CHECK(sum == 104);
}

Report threaded(std::uint64_t seconds,
                const std::vector<std::pair<std::string, std::uint64_t>>& all,
                std::uint64_t left_out = 0) {
  Report out = heap_report(seconds, 100'000);
  out.threads.emplace();
  out.threads->total = all.size() + left_out;
  out.threads->left_out = left_out;
  for (const auto& [name, retained] : all) {
    ThreadRow row;
    row.class_name = "java.lang.Thread";
    row.name = name;
    row.retained = retained;
    out.threads->threads.push_back(row);
  }
  return out;
}

TEST_CASE("threads of a pool are one row") {
  const auto diff =
      diff_of({threaded(0, {{"pool-1-thread-1", 100}, {"main", 50}}),
               threaded(1, {{"pool-7-thread-1", 300}, {"pool-7-thread-2", 200}, {"main", 50}})});
  REQUIRE(diff.threads);
  REQUIRE(diff.threads->size() == 1);
  CHECK(diff.threads->front().name == "pool-*-thread-*");
  CHECK(diff.threads->front().threads.values == std::vector<std::uint64_t>{1, 2});
  CHECK(diff.threads->front().retained.change == SignedCount{false, 400});
}

TEST_CASE("threads that a list has no room for may have any name") {
  const auto diff = diff_of({threaded(0, {{"a", 100}}, 3), threaded(1, {{"a", 100}, {"b", 90}})});
  const auto& row =
      row_where(*diff.threads, [](const DiffThread& each) { return each.name == "b"; });
  CHECK(row.threads.change == SignedCount());
  CHECK(row.threads.at_most->front() == 3);
}

TEST_CASE("threads that retain much more are a cause, those that grow a little are none") {
  const auto diff = diff_of(
      {threaded(0, {{"pool-1-thread-1", 100}, {"main", 50}}),
       threaded(1, {{"pool-1-thread-1", 30'100}, {"pool-1-thread-2", 10'000}, {"main", 60}})});
  std::vector<std::string> causes;
  for (const auto& cause : diff.causes) {
    if (cause.kind == CauseKind::thread) {
      causes.push_back(cause.text);
    }
  }
  REQUIRE(causes.size() == 1);
  CHECK(causes.front().starts_with("threads pool-*-thread-* (1 → 2)"));
}

TEST_CASE("a report without threads is compared without them, and that is said") {
  const auto diff = diff_of({threaded(0, {{"a", 100}}), heap_report(1, 100'000)});
  CHECK_FALSE(diff.threads);
  CHECK(row_where(diff.warnings, [](const Finding& each) {
          return each.text.find("threads") != std::string::npos;
        }).severity == Severity::info);
}

Report with_loaders(std::uint64_t seconds, unsigned count, std::uint64_t each) {
  Report out = heap_report(seconds, 100'000);
  out.overview.class_loaders.emplace();
  out.overview.classloaders_loaded = count;
  for (unsigned i = 0; i < count; ++i) {
    const std::string label = "a.PluginLoader @ 0x" + std::to_string(10 + i + seconds * 100);
    out.overview.histogram.push_back(class_row("a.Plugin", label, 1, 16, each));
    ClassLoaderRow row;
    row.label = label;
    row.class_name = "a.PluginLoader";
    row.retained = each;
    out.overview.class_loaders->push_back(row);
  }
  out.overview.classes_loaded = count;
  return out;
}

TEST_CASE("loaders that pile up are told with what keeps them") {
  Report late = with_loaders(1, 9, 2000);
  late.overview.total_shallow = 120'000;
  TopObject held;
  held.class_name = "java.lang.Class";
  held.label = "class a.Plugin @ 0x77";
  held.retained = 2000;
  held.holder = Holder{HolderKind::static_field, "a.Hooks", "LIST", "a.Hooks.LIST", {1}};
  late.top.biggest_objects = {held};
  const auto diff = diff_of({with_loaders(0, 1, 2000), late});
  const auto& row = row_where(
      diff.loaders, [](const DiffLoader& each) { return each.class_name == "a.PluginLoader"; });
  CHECK(row.loaders.change == SignedCount{false, 8});
  CHECK(row.retained->change == SignedCount{false, 16'000});
  REQUIRE(row.kept_by);
  CHECK(row.kept_by->front() == "a.Hooks.LIST");
  CHECK(diff.verdict.text.find("8 more class loaders of a.PluginLoader stay alive, kept by "
                               "a.Hooks.LIST") != std::string::npos);
}

TEST_CASE("loaders that have defined no class are in the table of loaders") {
  Report early = with_loaders(0, 2, 2000);
  Report late = with_loaders(1, 2, 2000);
  for (std::uint64_t i = 0; i < 30; ++i) {
    ClassLoaderRow row;
    row.address = {0x5000 + i};
    row.label = "java.net.URLClassLoader @ 0x" + std::to_string(5000 + i);
    (i < 10 ? early : late).overview.class_loaders->push_back(row);
  }
  early.overview.classloaders_loaded += 10;
  late.overview.classloaders_loaded += 20;
  const auto diff = diff_of({early, late});
  const auto& row = row_where(diff.loaders, [](const DiffLoader& each) {
    return each.class_name == "java.net.URLClassLoader";
  });
  CHECK(row.loaders.values == std::vector<std::uint64_t>{10, 20});
  CHECK_FALSE(row.loaders.at_most);
  CHECK(row.classes.values == std::vector<std::uint64_t>{0, 0});
}

TEST_CASE("loaders beyond the end of a list retain an unknown part of the heap") {
  Report early = with_loaders(0, 3, 2000);
  early.overview.class_loaders->resize(1);
  const auto diff = diff_of({early, with_loaders(1, 3, 2500)});
  const auto& row = row_where(
      diff.loaders, [](const DiffLoader& each) { return each.class_name == "a.PluginLoader"; });
  CHECK(row.retained->change == SignedCount());
  CHECK(row.retained->at_most->front() == 100'000);
}

}  // namespace
}  // namespace hprof
