#include "tools/hprof-report/paths/path_query.h"

#include "common/error.h"
#include "formats/report/path_answer.h"
#include "reference_classes.h"
#include "staged_heap.h"
#include "tools/hprof-report/commands.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::ReferenceClasses;
using test::Root;
using test::StagedHeap;
using test::TempFolder;
using test::Type;

const ToolInfo kTool{.name = "test", .synopsis = "", .purpose = "", .example = ""};

std::vector<PathTarget> ask(const StagedHeap& staged, const std::string& to,
                            std::size_t most_steps = 30) {
  const CommonOptions quiet;
  Steps steps(kTool, quiet);
  const auto heap = staged.open();
  const auto dump = staged.open_dump(*heap);
  return PathQuery(*heap, to, dump.get(), most_steps).answer(steps);
}

/// Two classes of one name by two loaders; ten objects of the first in a list and two elsewhere;
/// garbage that holds garbage.
struct Example {
  Example() {
    const Id loader_class =
        heap.add_class({.name = "demo.Loader", .super = heap.class_named("java.lang.ClassLoader")});
    const Id loader = heap.add_object(loader_class);
    item = heap.add_class({.name = "demo.Item", .fields = {{"data"}}});
    const Id other = heap.add_class({.name = "demo.Item", .fields = {{"data"}}, .loader = loader});
    std::vector<Id> items;
    for (std::uint32_t i = 0; i < 10; ++i) {
      items.push_back(
          heap.add_object(item, {{"data", heap.add_zeros(Type::int8, i == 7 ? 500 : 100)}}));
    }
    largest = items[7];
    const Id list = heap.add_class({.name = "demo.List", .fields = {{"elements"}}});
    const Id owner = heap.add_class(
        {.name = "demo.Owner",
         .statics = {{"ITEMS", Type::object,
                      heap.add_object(
                          list, {{"elements", heap.add_array("java.lang.Object[]", items)}})}}});
    heap.root(Root::sticky_class, owner);
    heap.root(Root::jni_global, heap.add_object(item));
    heap.root(Root::jni_global, heap.add_object(other));
    inner = heap.add_object(item);
    outer = heap.add_object(item, {{"data", inner}});
    alone = heap.add_object(item);
  }
  HeapBuilder heap;
  Id item = 0;
  Id largest = 0;
  Id inner = 0;
  Id outer = 0;
  Id alone = 0;
};

std::string hex(Id id) {
  const char* digits = "0123456789abcdef";
  std::string out;
  for (; id != 0; id /= 16) {
    out.insert(out.begin(), digits[id % 16]);
  }
  return "0x" + out;
}

TEST_CASE("the path to one object, with what it retains and who keeps it") {
  Example example;
  const StagedHeap staged(example.heap);
  const auto targets = ask(staged, hex(example.largest));
  REQUIRE(targets.size() == 1);
  const auto& target = targets[0];
  CHECK(target.kind == PathTargetKind::object);
  CHECK(target.label == "demo.Item @ " + hex(example.largest));
  CHECK(target.reachable == 1);
  CHECK(target.retained > 500);
  REQUIRE(target.path.has_value());
  CHECK(target.path->line == "class demo.Owner.ITEMS → demo.List.elements → [7] → " + target.label);
  REQUIRE(target.holder.has_value());
  CHECK(target.holder->name == "demo.List.elements");
  REQUIRE(target.anchor.has_value());
  CHECK(target.anchor->name == "demo.Owner.ITEMS");
  CHECK(target.held_by.empty());
}

TEST_CASE("a class: all classes of the name, what most paths share, the path to the largest") {
  Example example;
  const StagedHeap staged(example.heap);
  const auto targets = ask(staged, "demo.Item");
  REQUIRE(targets.size() == 2);
  const auto& first = targets[0];
  CHECK(first.address.value == example.item);
  CHECK(first.loader_label == "<system class loader>");
  CHECK(targets[1].loader_label.starts_with("demo.Loader @ 0x"));
  CHECK(first.reachable == 11);
  CHECK(first.unreachable == 3);
  CHECK(first.largest == "demo.Item @ " + hex(example.largest));
  REQUIRE(first.starts.size() == 2);
  CHECK(first.starts[0].targets == 10);
  CHECK(first.starts[0].root_types == "System Class");
  CHECK(first.starts[1].targets == 1);
  REQUIRE(first.common_path.size() == 3);
  for (const auto& step : first.common_path) {
    CHECK(step.targets == 10);
  }
  CHECK(first.common_path[2].reference == "elements");
  CHECK(targets[1].reachable == 1);
  CHECK(targets[1].path->steps.size() == 1);
}

/// Items under a GC root each, and such that only soft references lead to.
void add_weakly_held(HeapBuilder& heap, unsigned strong, unsigned weak) {
  const ReferenceClasses classes(heap);
  const Id item = heap.add_class({.name = "demo.Item", .fields = {{"data"}}});
  for (unsigned i = 0; i < strong; ++i) {
    heap.root(Root::jni_global, heap.add_object(item));
  }
  std::vector<Id> references;
  for (unsigned i = 0; i < weak; ++i) {
    const Id held = heap.add_object(item, {{"data", heap.add_zeros(Type::int8, 100)}});
    references.push_back(heap.add_object(classes.soft, {{"referent", held}}));
  }
  heap.root(Root::jni_global, heap.add_array("java.lang.Object[]", references));
}

TEST_CASE("all instances that are alive are accounted for: by start, by further starts, as weak") {
  HeapBuilder heap;
  add_weakly_held(heap, 12, 5);
  const StagedHeap staged(heap);
  const auto target = ask(staged, "demo.Item").at(0);
  CHECK(target.reachable == 17);
  CHECK(target.weakly_held == 5);
  CHECK(target.starts.size() == 10);
  CHECK(target.further_starts == 2);
  CHECK(target.further_start_targets == 2);
  CHECK(target.path->only_weak);
  const auto text = md_path_answer({"", "", "", {}, {target}});
  CHECK(text.find("17 instances are alive. Of those alive 5 are reached only through soft, weak, "
                  "final or phantom references; their paths are not counted below.") !=
        std::string::npos);
  CHECK(text.find("The strong paths begin at:") != std::string::npos);
  CHECK(text.find("| 2 further GC roots ") != std::string::npos);
}

TEST_CASE("where no strong path leads to any instance, the others are counted") {
  HeapBuilder heap;
  add_weakly_held(heap, 0, 5);
  const StagedHeap staged(heap);
  const auto target = ask(staged, "demo.Item").at(0);
  CHECK(target.weakly_held == 5);
  REQUIRE(target.starts.size() == 1);
  CHECK(target.starts[0].targets == 5);
  CHECK(target.further_starts == 0);
  const auto text = md_path_answer({"", "", "", {}, {target}});
  CHECK(text.find("No strong path leads there: all are reached only through") != std::string::npos);
  CHECK(text.find("The paths begin at:") != std::string::npos);
}

TEST_CASE("what keeps the largest instance alive is said of that one, not of the class") {
  Example example;
  const StagedHeap staged(example.heap);
  const auto text = md_path_answer({"", "", "", {}, ask(staged, "demo.Item")});
  CHECK(text.find("\nKept alive by") == std::string::npos);
  CHECK(text.find("the one that retains most, `demo.Item @ " + hex(example.largest) +
                  "`, kept alive by field `demo.List.elements`, which hangs on static field "
                  "`demo.Owner.ITEMS`:\n") != std::string::npos);
  const auto one = md_path_answer({"", "", "", {}, ask(staged, hex(example.largest))});
  CHECK(one.find("\nKept alive by field `demo.List.elements`, which") != std::string::npos);
}

TEST_CASE("an unreachable object is told with the garbage that holds it") {
  Example example;
  const StagedHeap staged(example.heap);
  const auto held = ask(staged, hex(example.inner));
  CHECK(held[0].reachable == 0);
  CHECK(held[0].unreachable == 1);
  CHECK_FALSE(held[0].path.has_value());
  REQUIRE(held[0].held_by.size() == 2);
  CHECK(held[0].held_by[0].address.value == example.outer);
  CHECK(held[0].held_by[1].address.value == example.inner);
  CHECK(held[0].held_by[1].reference == "data");
  CHECK(ask(staged, hex(example.alone))[0].held_by.size() == 1);
}

TEST_CASE("garbage that references itself in a ring has an end") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  const Id first = heap.reserve(64);
  const Id second = heap.add_object(node, {{"next", first}});
  heap.add_object(node, {{"next", second}}, first);
  const StagedHeap staged(heap);
  CHECK(ask(staged, hex(second))[0].held_by.size() == 2);
}

TEST_CASE("a long path to an object keeps its ends") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  const Id last = heap.add_object(node);
  Id next = last;
  for (unsigned i = 0; i < 40; ++i) {
    next = heap.add_object(node, {{"next", next}});
  }
  heap.root(Root::jni_global, next);
  const StagedHeap staged(heap);
  const auto target = ask(staged, hex(last), 8)[0];
  CHECK(target.path->steps.size() == 8);
  CHECK(target.path->left_out == 33);
  const auto nodes = ask(staged, "demo.Node", 8)[0];
  CHECK(nodes.common_path.size() == 8);
  CHECK(nodes.common_path_left_out > 0);
  CHECK(nodes.common_path[0].targets == 41);
}

/// One object that no GC root reaches, as it is told.
std::string unreached(const Caveats& caveats) {
  PathTarget target;
  target.unreachable = 1;
  return md_path_answer(
      {.generator = "", .file_name = "", .to = "0x10", .caveats = caveats, .targets = {target}});
}

TEST_CASE("what no GC root reaches is garbage only where nothing was lost or left out") {
  const auto says = [](const Caveats& caveats, const std::string& words) {
    return unreached(caveats).find(words) != std::string::npos;
  };
  Caveats caveats;
  CHECK(says(caveats, "it is garbage that was not collected yet.\n\nNothing references it."));
  caveats.roots_left_out = 3;
  CHECK(says(caveats, "it is garbage, or held by GC roots that were left out.\n"));
  caveats = {};
  caveats.reference_policy = "strong";
  CHECK(says(caveats, "> Only strong references were followed"));
  CHECK(
      says(caveats, "it is garbage, or held by soft, weak, final or phantom references alone.\n"));
  caveats.complete = false;
  CHECK(says(caveats, "> The dump is damaged: "));
  CHECK(says(caveats,
             "No GC root reaches this object in what was read of the dump: it is garbage, "
             "or cut off by the damage, or held by soft, weak"));
  CHECK(says(caveats, "\nNothing that was read references it."));
}

TEST_CASE("instances of a damaged dump that no GC root reaches may be alive") {
  PathTarget target;
  target.kind = PathTargetKind::class_instances;
  target.reachable = 618;
  target.unreachable = 2;
  Caveats caveats;
  const auto answer = [&] {
    return md_path_answer({.generator = "",
                           .file_name = "",
                           .to = "demo.Item",
                           .caveats = caveats,
                           .targets = {target}});
  };
  CHECK(answer().find("618 instances are alive, 2 are garbage.") != std::string::npos);
  caveats.complete = false;
  CHECK(
      answer().find("618 instances are alive; no GC root reaches 2, which are garbage, or cut off "
                    "by the damage.") != std::string::npos);
}

ExitCode code_of(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (auto& argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  try {
    return path_command(static_cast<int>(arguments.size()), argv.data());
  } catch (const Error& error) {
    return error.code();
  }
}

TEST_CASE("every answer about a damaged dump says that it is one") {
  Example example;
  example.heap.writer().heap_raw({0x77, 1, 2, 3});
  const StagedHeap staged(example.heap);
  const TempFolder folder;
  const auto answer = [&](const std::string& name) {
    CHECK(code_of({"path", "-q", staged.index(), staged.graph(), staged.domtree(), "--to",
                   hex(example.alone), "-o", folder / name}) == ExitCode::ok);
    const auto bytes = test::read_file(folder / name);
    return std::string(bytes.begin(), bytes.end());
  };
  CHECK(answer("a.json").find("\"complete\": false") != std::string::npos);
  const std::string text = answer("a.md");
  CHECK(text.find("> The dump is damaged") != std::string::npos);
  CHECK(text.find("it is garbage, or cut off by the damage.") != std::string::npos);
}

TEST_CASE("the command writes both formats and refuses what is not there") {
  Example example;
  const StagedHeap staged(example.heap);
  const TempFolder folder;
  const auto run = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"path", staged.index(), staged.graph(), staged.domtree()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return code_of(arguments);
  };
  CHECK(run({"--to", "demo.Item", "-o", folder / "a.md"}) == ExitCode::ok);
  CHECK(run({"--to", "demo.Item", "-o", folder / "a.json"}) == ExitCode::ok);
  const auto bytes = test::read_file(folder / "a.json");
  const std::string json(bytes.begin(), bytes.end());
  CHECK(json.find("\"common_path\"") != std::string::npos);
  CHECK(run({}) == ExitCode::usage);
  CHECK(run({"--to", "0xzz"}) == ExitCode::usage);
  CHECK(run({"--to", "0x"}) == ExitCode::usage);
  CHECK(run({"--to", "0x1"}) == ExitCode::usage);
  CHECK(run({"--to", "demo.None"}) == ExitCode::usage);
  CHECK(run({"--to", "demo.Item", "-f", "pdf"}) == ExitCode::usage);
  CHECK(run({"--to", "demo.Item", "-o", staged.graph()}) == ExitCode::usage);
}

}  // namespace
}  // namespace hprof
