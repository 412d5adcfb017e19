#include "common/error.h"
#include "formats/report/gzip.h"
#include "formats/report_file.h"
#include "heap_fixture.h"
#include "tests/support/files.h"
#include "tools/hprof-report/commands.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace hprof {
namespace {

using test::HeapFixture;
using test::TempFolder;

constexpr std::uint8_t kSystemClass = 0x05;
constexpr std::uint8_t kThread = 0x08;
constexpr std::uint8_t kJniGlobal = 0x01;

using Command = ExitCode (*)(int argc, char** argv);

ExitCode run(Command command, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "hprof-report");
  std::vector<char*> argv;
  for (auto& argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  return command(static_cast<int>(arguments.size()), argv.data());
}

ExitCode code_of(Command command, const std::vector<std::string>& arguments) {
  try {
    return run(command, arguments);
  } catch (const Error& error) {
    return error.code();
  }
}

std::string text_of(const std::string& path) {
  const auto bytes = test::read_file(path);
  return {bytes.begin(), bytes.end()};
}

Report report_of(const HeapFixture& heap, const std::vector<std::string>& options = {}) {
  const TempFolder folder;
  const auto paths = heap.write(folder / "x");
  std::vector<std::string> arguments{paths.index, paths.graph, paths.domtree, "-o",
                                     folder / "r.json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  REQUIRE(run(report_command, arguments) == ExitCode::ok);
  return read_report(folder / "r.json");
}

/// A class app.Cache whose static field holds a list of 40 byte arrays of 984 bytes, and some
/// ordinary objects.
HeapFixture cache_heap() {
  HeapFixture heap;
  heap.add_class(0x100, "app.Loader", {.super = "java.lang.ClassLoader"});
  heap.add(0x200, "app.Loader");
  heap.add_class(0x110, "app.Cache", {.loader = 0x200, .statics = {0x300}});
  heap.add_class(0x120, "java.lang.Object[]");
  heap.add_class(0x130, "byte[]");
  heap.add_class(0x140, "app.Thread", {.loader = 0x200});
  heap.add(0x180, "app.Thread");
  std::vector<std::uint64_t> arrays;
  for (std::uint64_t i = 0; i < 40; ++i) {
    arrays.push_back(0x1000 + i * 0x400);
    heap.add(arrays.back(), "byte[]", {}, 984 - 16);
  }
  heap.add(0x300, "java.lang.Object[]", arrays);
  heap.add(0xf000, "byte[]", {}, 100);  // garbage
  for (const std::uint64_t address : {0x10, 0x20, 0x30, 0x120, 0x130}) {
    heap.root(address, kSystemClass);
  }
  heap.root(0x110, kSystemClass);
  heap.root(0x110, kJniGlobal);
  heap.root(0x180, kThread);
  return heap;
}

TEST_CASE("totals are those of the reachable heap, garbage stands apart") {
  const Report report = report_of(cache_heap());
  const auto& overview = report.overview;
  CHECK(overview.total_objects == 52);
  CHECK(overview.all_objects == 53);
  CHECK(overview.unreachable_count == 1);
  CHECK(overview.unreachable_shallow == 120);
  CHECK(overview.all_shallow == overview.total_shallow + 120);
  CHECK(overview.gc_roots == 7);
  CHECK(overview.classes_loaded == 8);
  CHECK(overview.classloaders_loaded == 2);
  CHECK(overview.gc_roots_by_type.size() == 3);
  CHECK(overview.gc_roots_by_type[0].root_type == "System Class");
  CHECK(overview.gc_roots_by_type[0].count == 5);
  CHECK(overview.gc_roots_by_type[1].root_type == "JNI Global, System Class");
  CHECK(overview.gc_roots_by_type[1].retained == 8 + 16 + 40 * 8 + 40 * 984);
  std::uint64_t of_roots = overview.held_by_several_roots.value_or(0);
  CHECK(of_roots != 0);
  for (const auto& row : overview.gc_roots_by_type) {
    of_roots += row.retained;
  }
  CHECK(of_roots == overview.total_shallow);
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  for (const auto& row : overview.heap_composition) {
    objects += row.objects;
    shallow += row.shallow;
  }
  CHECK(objects == overview.total_objects);
  CHECK(shallow == overview.total_shallow);
  REQUIRE(overview.unreachable_histogram.size() == 1);
  CHECK(overview.unreachable_histogram[0].class_name == "byte[]");
  CHECK(report.unreachable->composition[2] == CompositionRow{"primitive arrays", 1, 120});
}

TEST_CASE("the histogram has a row per class object, largest first") {
  const auto histogram = report_of(cache_heap()).overview.histogram;
  CHECK(histogram.size() == 8);
  CHECK(std::is_sorted(histogram.begin(), histogram.end(),
                       [](const auto& a, const auto& b) { return a.retained > b.retained; }));
  const auto bytes = std::find_if(histogram.begin(), histogram.end(),
                                  [](const auto& r) { return r.class_name == "byte[]"; });
  REQUIRE(bytes != histogram.end());
  CHECK(bytes->instances == 40);
  CHECK(bytes->shallow == 40 * 984);
  CHECK(bytes->max_instance_shallow == 984);
  CHECK(bytes->loader_label == "<system class loader>");
  const auto cache = std::find_if(histogram.begin(), histogram.end(),
                                  [](const auto& r) { return r.class_name == "app.Cache"; });
  CHECK(cache->loader_label == "app.Loader @ 0x200");
  CHECK(cache->loader_address == Address{0x200});
}

TEST_CASE("a single suspect is followed to its accumulation point") {
  const Report report = report_of(cache_heap());
  REQUIRE(report.leaks.suspects.size() == 1);
  const auto& suspect = report.leaks.suspects[0];
  CHECK(suspect.kind == SuspectKind::single);
  CHECK(suspect.label == "class app.Cache @ 0x110");
  CHECK(suspect.class_name == "java.lang.Class");
  CHECK(suspect.address == Address{0x110});
  CHECK(suspect.loader_label == "app.Loader @ 0x200");
  CHECK(suspect.root_types == std::vector<std::string>{"JNI Global", "System Class"});
  REQUIRE(suspect.accumulation_point);
  CHECK(suspect.accumulation_point->label == "java.lang.Object[40] @ 0x300");
  CHECK(suspect.accumulation_point->retained == 16 + 40 * 8 + 40 * 984);
}

TEST_CASE("top consumers: marked where below the threshold, by loader and by package") {
  const auto top = report_of(cache_heap(), {"--detail", "minimal"}).top;
  REQUIRE(top.biggest_objects.size() == 9);
  CHECK(top.biggest_objects[0].above_threshold);
  CHECK_FALSE(top.biggest_objects[1].above_threshold);
  CHECK(top.biggest_classes[0].class_name == "java.lang.Class");
  CHECK(top.biggest_classes[0].instances == 6);
  REQUIRE(top.biggest_class_loaders.size() == 2);
  CHECK(top.biggest_class_loaders[0].label == "app.Loader @ 0x200");
  CHECK(top.biggest_class_loaders[0].instances == 3);
  CHECK(top.biggest_class_loaders[1].label == "<system class loader>");
  CHECK(top.biggest_packages.retained == report_of(cache_heap()).overview.total_shallow);
  REQUIRE(top.biggest_packages.children.size() == 1);
  CHECK(top.biggest_packages.children[0].name == "app");
  REQUIRE(top.biggest_packages.children[0].children.size() == 1);
  CHECK(top.biggest_packages.children[0].children[0].name == "Cache");
}

TEST_CASE("minimal shows ten rows, default twenty, and always all above the threshold") {
  HeapFixture heap;
  heap.add_class(0x100, "a.Small", {.instance_size = 16});
  heap.add_class(0x110, "byte[]");
  for (std::uint64_t i = 0; i < 15; ++i) {
    heap.add(0x1000 + i * 0x1000, "byte[]", {}, 1000);
    heap.root(0x1000 + i * 0x1000, kJniGlobal);
    heap.add(0x100000 + i * 16, "a.Small");
    heap.root(0x100000 + i * 16, kJniGlobal);
  }
  CHECK(report_of(heap, {"--detail", "minimal"}).top.biggest_objects.size() == 15);
  CHECK(report_of(heap).top.biggest_objects.size() == 20);
  CHECK(report_of(heap, {"--detail", "max"}).top.biggest_objects.size() > 30);
}

/// 30 app.Session objects that retain 1016 bytes each: all in one list a long way from its root,
/// which makes them top-level objects, and each in one of two lists that are near; `elsewhere` of
/// them in the second.
HeapFixture session_heap(std::uint64_t elsewhere, bool weak) {
  HeapFixture heap;
  heap.add_class(0x100, "app.Holder", {.statics = {0x500}});
  heap.add_class(0x108, "app.Other", {.statics = {0x600}});
  heap.add_class(0x10c, "app.Second", {.statics = {0x520}});
  heap.add_class(0x110, "app.List");
  heap.add_class(0x118, "java.lang.Object[]");
  heap.add_class(0x120, "app.Session");
  heap.add_class(0x128, "byte[]");
  std::vector<std::uint64_t> listed;
  std::vector<std::uint64_t> others;
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < 30; ++i) {
    const std::uint64_t session = 0x10000 + i * 0x1000;
    all.push_back(session);
    (i < elsewhere ? others : listed).push_back(session);
    heap.add(session, "app.Session", {session + 0x100});
    heap.add(session + 0x100, "byte[]", {}, 1000 - 16);
  }
  heap.add(0x500, "app.List", {0x700});
  heap.add(0x700, "java.lang.Object[]", listed);
  heap.add(0x520, "app.List", {0x720});
  heap.add(0x720, "java.lang.Object[]", others);
  heap.add(0x600, "app.List", {0x610});
  heap.add(0x610, "app.List", {0x620});
  heap.add(0x620, "app.List", {0x710});
  heap.add(0x710, "java.lang.Object[]", all);
  if (weak) {
    heap.exclude(0x500, 0);
    heap.exclude(0x600, 0);
  }
  for (const std::uint64_t address : {0x100, 0x108, 0x10c}) {
    heap.root(address, kSystemClass);
  }
  return heap;
}

TEST_CASE(
    "a group of top-level objects is a suspect, with the way most share and where it gathers") {
  const Report report = report_of(session_heap(0, false));
  const auto& suspects = report.leaks.suspects;
  REQUIRE(suspects.size() == 1);
  CHECK(suspects[0].kind == SuspectKind::group);
  CHECK(suspects[0].class_name == "app.Session");
  CHECK(suspects[0].class_address == Address{0x120});
  CHECK(suspects[0].instances == 30);
  CHECK(suspects[0].retained == 30 * 1016);
  CHECK_FALSE(suspects[0].address);
  CHECK(suspects[0].root_types == std::vector<std::string>{"System Class"});
  REQUIRE(suspects[0].accumulation_point);
  CHECK(suspects[0].accumulation_point->label == "java.lang.Object[30] @ 0x700");
  std::vector<std::string> path;
  for (const auto& step : suspects[0].common_path) {
    path.push_back(step.label);
  }
  CHECK(path == std::vector<std::string>{"class app.Holder @ 0x100", "app.List @ 0x500",
                                         "java.lang.Object[30] @ 0x700"});
}

TEST_CASE("80 % on one way are too few, more are enough") {
  CHECK_FALSE(report_of(session_heap(6, false)).leaks.suspects.at(0).accumulation_point);
  CHECK(report_of(session_heap(6, false)).leaks.suspects.at(0).common_path.empty());
  CHECK(report_of(session_heap(5, false)).leaks.suspects.at(0).accumulation_point->address ==
        Address{0x700});
}

TEST_CASE("excluded references are followed only where nothing else leads to the group") {
  auto heap = session_heap(0, true);
  CHECK(report_of(heap).leaks.suspects.at(0).accumulation_point->address == Address{0x700});
  heap.root(0x610, kThread);
  const auto suspect = report_of(heap).leaks.suspects.at(0);
  CHECK(suspect.accumulation_point->address == Address{0x710});
  CHECK(suspect.root_types == std::vector<std::string>{"Thread"});
}

TEST_CASE("a suspect that is no GC root names the roots that reach it") {
  HeapFixture heap;
  heap.add_class(0x100, "app.A", {.statics = {0x900}});
  heap.add_class(0x108, "app.B", {.statics = {0x900}});
  heap.add_class(0x110, "byte[]");
  heap.add(0x900, "byte[]", {}, 10000);
  heap.root(0x100, kJniGlobal);
  heap.root(0x108, kThread);
  const auto suspect = report_of(heap).leaks.suspects.at(0);
  CHECK(suspect.label == "byte[10000] @ 0x900");
  CHECK(suspect.root_types == std::vector<std::string>{"JNI Global"});
  CHECK(suspect.accumulation_point->address == Address{0x900});
}

TEST_CASE("the accumulation point is given up after 1000 levels, and a deep chain is measured") {
  const auto chain = [](std::uint64_t length) {
    HeapFixture heap;
    heap.add_class(0x100, "app.Node");
    heap.add_class(0x110, "byte[]");
    for (std::uint64_t i = 0; i < length; ++i) {
      heap.add(0x1000 + i * 16, "app.Node", {i + 1 == length ? 0x80000 : 0x1000 + (i + 1) * 16});
    }
    heap.add(0x80000, "byte[]", {}, 1000000);
    heap.root(0x1000, kThread);
    return report_of(heap);
  };
  const Report shorter = chain(999);
  CHECK(shorter.leaks.suspects.at(0).accumulation_point->address == Address{0x80000});
  CHECK(shorter.triage->depth_max == 1001);
  CHECK(shorter.triage->depth_p90 == 901);
  CHECK_FALSE(chain(1000).leaks.suspects.at(0).accumulation_point);
}

TEST_CASE("--sections leaves out the optional sections and is kept for later rendering") {
  const Report report = report_of(cache_heap(), {"--sections", "summary,leaks"});
  CHECK_FALSE(report.triage);
  CHECK_FALSE(report.unreachable);
  CHECK(*report.sections == std::vector<std::string>{"summary", "leaks"});
  CHECK_FALSE(report.leaks.suspects.empty());
}

TEST_CASE("objects lists the reachable heap in address order as CSV, quoted only where needed") {
  const TempFolder folder;
  auto heap = cache_heap();
  heap.add_class(0x148, "odd,\"name\"\xff");
  heap.add(0x188, "odd,\"name\"\xff", {0x200});
  heap.root(0x188, kThread);
  const auto paths = heap.write(folder / "x");
  REQUIRE(run(objects_command, {paths.index, paths.graph, paths.domtree, "-o", folder / "o.csv"}) ==
          ExitCode::ok);
  const std::string text = text_of(folder / "o.csv");
  CHECK(text.starts_with(
      "address,class,shallow,retained,dominator\n0x0,java.lang.ClassLoader,16,16,ROOT\n"
      "0x10,java.lang.Class,0,0,ROOT\n"));
  CHECK(text.find("\n0x188,\"odd,\"\"name\"\"\\xff\",16,16,ROOT\n") != std::string::npos);
  CHECK(text.find("\n0x300,java.lang.Object[],336,39696,0x110\n") != std::string::npos);
  CHECK(text.find("0xf000") == std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + 52 + 2);
  REQUIRE(run(objects_command, {paths.index, paths.graph, paths.domtree, "-o",
                                folder / "o.csv.gz"}) == ExitCode::ok);
  CHECK(gunzip(text_of(folder / "o.csv.gz"), "o") == text);
}

TEST_CASE("two runs differ in the time alone; render gives the Markdown of the analysis") {
  const TempFolder folder;
  const auto paths = cache_heap().write(folder / "x");
  const auto analyse = [&](const std::string& output) {
    REQUIRE(run(report_command, {paths.index, paths.graph, paths.domtree, "-o", folder / output}) ==
            ExitCode::ok);
  };
  analyse("a.json.gz");
  analyse("b.json.gz");
  Report first = read_report(folder / "a.json.gz");
  const Report second = read_report(folder / "b.json.gz");
  first.generated = second.generated;
  CHECK(first == second);
  analyse("a.md");
  REQUIRE(run(render_command, {folder / "b.json.gz", "-o", folder / "b.md"}) == ExitCode::ok);
  const auto without_time = [](const std::string& text) {
    const auto at = text.find("Generated by");
    return text.substr(0, at) + text.substr(text.find('\n', at));
  };
  CHECK(without_time(text_of(folder / "a.md")) == without_time(text_of(folder / "b.md")));
}

TEST_CASE("stage files that do not belong together are refused as stale, others as what they are") {
  const TempFolder folder;
  const auto a = cache_heap().write(folder / "a");
  const auto b = session_heap(0, false).write(folder / "b");
  CHECK(code_of(report_command, {a.index, b.graph, b.domtree}) == ExitCode::stale);
  CHECK(code_of(report_command, {a.index, a.graph, b.domtree}) == ExitCode::stale);
  CHECK(code_of(objects_command, {a.index, b.graph, b.domtree}) == ExitCode::stale);
  CHECK(code_of(report_command, {a.graph, a.index, a.domtree}) == ExitCode::bad_data);
  CHECK(code_of(report_command, {a.index, a.graph, folder / "none"}) == ExitCode::no_input);
  CHECK(code_of(report_command, {a.index, a.graph}) == ExitCode::usage);
  CHECK(code_of(report_command, {a.index, a.graph, a.domtree, "-f", "pdf"}) == ExitCode::usage);
  CHECK(code_of(report_command, {a.index, a.graph, a.domtree, "--sections", "everything"}) ==
        ExitCode::usage);
}

TEST_CASE("render refuses options of the analysis, with or without a value attached") {
  for (const char* option :
       {"--detail=max", "--dump", "--find-duplicates", "--collections", "--show-secrets"}) {
    CHECK(code_of(render_command, {"x.json", option}) == ExitCode::usage);
  }
}

}  // namespace
}  // namespace hprof
