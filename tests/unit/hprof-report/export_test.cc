#include "common/error.h"
#include "formats/export/csv.h"
#include "formats/export/sqlite_file.h"
#include "formats/export/stack_formats.h"
#include "staged_heap.h"
#include "tools/hprof-report/commands.h"
#include "tools/hprof-report/export/dominator_stacks.h"
#include "tools/hprof-report/export/tables.h"

#include <doctest/doctest.h>

#include <string>
#include <sys/stat.h>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::TempFolder;
using test::Type;

std::string folded(const StackTree& tree) {
  StringSink sink;
  write_folded(tree, sink);
  return sink.text();
}

/// Lines of the stacks below objects of demo classes, since core classes lie under the root, too.
std::string demo_stacks(const StagedHeap& staged, const StackLimits& limits) {
  const auto heap = staged.open();
  const auto tree = dominator_stacks(*heap, limits);
  CHECK(tree.total_bytes() == heap->used_heap());
  CHECK(tree.total_objects() == heap->domtree().summary().reachable_objects);
  const std::string all = folded(tree);
  std::string out;
  for (std::size_t at = 0; at < all.size();) {
    const auto end = all.find('\n', at) + 1;
    if (all.compare(at, 5, "demo.") == 0) {
      out += all.substr(at, end - at);
    }
    at = end;
  }
  return out;
}

/// A holder of two boxes with arrays of 100 and 1000 bytes, and of one small leaf; garbage besides.
struct Boxes {
  Boxes() {
    const Id box = heap.add_class({.name = "demo.Box", .fields = {{"data"}}});
    const Id leaf = heap.add_class({.name = "demo.Leaf"});
    const Id holder = heap.add_class({.name = "demo.Holder", .fields = {{"a"}, {"b"}, {"c"}}});
    const Id first = heap.add_object(box, {{"data", heap.add_zeros(Type::int8, 100)}});
    const Id second = heap.add_object(box, {{"data", heap.add_zeros(Type::int8, 1000)}});
    heap.root(Root::jni_global,
              heap.add_object(holder, {{"a", first}, {"b", second}, {"c", heap.add_object(leaf)}}));
    heap.add_object(box);
  }
  HeapBuilder heap;
};

TEST_CASE("stacks merge siblings of a class, largest first") {
  Boxes boxes;
  const StagedHeap staged(boxes.heap);
  CHECK(demo_stacks(staged, {}) ==
        "demo.Holder 40\n"
        "demo.Holder;demo.Box 48\n"
        "demo.Holder;demo.Box;byte[] 1152\n"
        "demo.Holder;demo.Leaf 16\n");
}

TEST_CASE("what is too small or too deep is under (other), and no byte is lost") {
  Boxes boxes;
  const StagedHeap staged(boxes.heap);
  CHECK(demo_stacks(staged, {.least_bytes = 1201, .depth = 200}) ==
        "demo.Holder 40\n"
        "demo.Holder;(other) 1216\n");
  CHECK(demo_stacks(staged, {.least_bytes = 17, .depth = 2}) ==
        "demo.Holder 40\n"
        "demo.Holder;demo.Box 48\n"
        "demo.Holder;demo.Box;(other) 1152\n"
        "demo.Holder;(other) 16\n");
}

TEST_CASE("stacks of a damaged dump are named after it") {
  Boxes boxes;
  const StagedHeap whole(boxes.heap);
  CHECK(dominator_stacks(*whole.open(), {}).title == "x.hprof");
  Boxes more;
  more.heap.writer().heap_raw({0x77, 1, 2, 3});
  const StagedHeap damaged(more.heap);
  CHECK(dominator_stacks(*damaged.open(), {}).title == "x.hprof (damaged)");
}

TEST_CASE("a chain far deeper than a byte counts") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  Id next = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    next = heap.add_object(node, {{"next", next}});
  }
  heap.root(Root::jni_global, next);
  const StagedHeap staged(heap);
  CHECK(demo_stacks(staged, {.least_bytes = 0, .depth = 2}) ==
        "demo.Node 24\n"
        "demo.Node;demo.Node 24\n"
        "demo.Node;demo.Node;(other) 23952\n");
  const auto deepest = demo_stacks(staged, {.least_bytes = 0, .depth = StackLimits::kMostDepth});
  CHECK(deepest.ends_with(";(other) " + std::to_string((1000 - StackLimits::kMostDepth) * 24) +
                          "\n"));
}

TEST_CASE("class objects are frames of their own, names cannot break a line") {
  HeapBuilder heap;
  const Id data = heap.add_zeros(Type::int8, 50);
  const Id odd = heap.add_class({.name = "odd;name\n", .statics = {{"DATA", Type::object, data}}});
  heap.root(Root::sticky_class, odd);
  const StagedHeap staged(heap);
  const auto text = folded(dominator_stacks(*staged.open(), {}));
  CHECK(text.find("\nclass odd:name ;byte[] ") != std::string::npos);
}

TEST_CASE("CSV fields are quoted and guarded") {
  CHECK(csv_text("java.util.List") == "java.util.List");
  CHECK(csv_text("a,b") == "\"a,b\"");
  CHECK(csv_text("say \"so\"") == "\"say \"\"so\"\"\"");
  CHECK(csv_text("=1+1") == "'=1+1");
  CHECK(csv_text("@x,\r") == "\"'@x,\r\"");
  CHECK(csv_text("\tx") == "'\tx");
  CHECK(csv_text("-") == "'-");
  CHECK(csv_text("") == "");
  CHECK(csv_line({"a", "b"}) == "a,b\n");
}

TEST_CASE("dominators as CSV: the largest ones, and how many there would be") {
  Boxes boxes;
  const StagedHeap staged(boxes.heap);
  const auto heap = staged.open();
  StringSink sink;
  CHECK(write_dominators_csv(*heap, 100, 2, sink) == 5);
  CHECK(sink.text().find("demo.Holder") < sink.text().find("demo.Box"));
  CHECK(sink.text().find("byte[") == std::string::npos);
}

TEST_CASE("a profile of two samples, byte by byte") {
  const StackTree tree{.frames = {"a", "b"},
                       .nodes = {{}, {0, 0, 1, 300}, {1, 1, 2, 5}},
                       .title = "t",
                       .time_ms = 1};
  StringSink sink;
  write_pprof(tree, sink);
  const std::string bytes = sink.text();
  const auto begins_with = [&](std::string_view wanted) { return bytes.starts_with(wanted); };
  using namespace std::string_view_literals;
  CHECK(
      begins_with("\x0a\x04\x08\x01\x10\x02"  // objects, count
                  "\x0a\x04\x08\x03\x10\x04"  // space, bytes
                  "\x12\x08\x0a\x01\x01\x12\x03\x01\xac\x02"
                  "\x12\x08\x0a\x02\x02\x01\x12\x02\x02\x05"sv));
  CHECK(bytes.find("\x32\x05space") != std::string::npos);
}

ExitCode run_export(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (auto& argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  try {
    return export_command(static_cast<int>(arguments.size()), argv.data());
  } catch (const Error& error) {
    return error.code();
  }
}

TEST_CASE("the command refuses what makes no sense") {
  Boxes boxes;
  const StagedHeap staged(boxes.heap);
  const TempFolder folder;
  const auto run = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"export", staged.index(), staged.graph(), staged.domtree(),
                                       "-q"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_export(arguments);
  };
  for (const std::string format : {"folded", "pprof", "speedscope", "csv", "sqlite"}) {
    CHECK(run({"--as", format, "-o", folder / format}) == ExitCode::ok);
    CHECK_FALSE(test::read_file(folder / format).empty());
    CHECK(run({"--as", format, "-o", staged.dump()}) == ExitCode::usage);
    CHECK(run({"--as", format, "-o", folder / "no/where"}) == ExitCode::cannot_create);
  }
  CHECK(run({"-o", folder / "x"}) == ExitCode::usage);
  CHECK(run({"--as", "png"}) == ExitCode::usage);
  CHECK(run({"--as", "folded", "--depth", "251"}) == ExitCode::usage);
  CHECK(run({"--as", "folded", "--least", "10001"}) == ExitCode::usage);
  CHECK(run({"--as", "sqlite"}) == ExitCode::usage);
}

TEST_CASE("the command refuses options that do nothing and names that mislead") {
  Boxes boxes;
  const StagedHeap staged(boxes.heap);
  const TempFolder folder;
  using Words = std::vector<std::string>;
  const auto run = [&](const Words& options) {
    Words arguments{"export", staged.index(), staged.graph(), staged.domtree(), "-q"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_export(arguments);
  };
  const auto with = [&](const std::string& format, const Words& options) {
    Words all{"--as", format, "-o", folder / "out"};
    all.insert(all.end(), options.begin(), options.end());
    return run(all);
  };
  for (const std::string stacks : {"folded", "pprof", "speedscope"}) {
    CHECK(with(stacks, {"--depth", "200"}) == ExitCode::ok);
    CHECK(with(stacks, {"--least=1"}) == ExitCode::ok);
    CHECK(with(stacks, {"--table", "histogram"}) == ExitCode::usage);
  }
  for (const auto& options : {Words{"--depth", "200"}, {"--depth=200"}, {"--least", "1"}}) {
    CHECK(with("csv", options) == ExitCode::usage);
    CHECK(with("sqlite", options) == ExitCode::usage);
  }
  CHECK(with("csv", {"--table", "dominators", "--least", "1"}) == ExitCode::ok);
  CHECK(with("csv", {"--table=histogram"}) == ExitCode::ok);
  CHECK(with("sqlite", {"--table=histogram"}) == ExitCode::usage);
  CHECK(with("csv", {"--show-values"}) == ExitCode::usage);

  for (const auto* name : {"s.html", "s.JSON", "s.sqlite.gz", "s.folded"}) {
    CHECK(run({"--as", "csv", "-o", folder / name}) == ExitCode::usage);
  }
  for (const auto* name : {"s.csv", "s.csv.gz", "s.txt", "s", "2024.11"}) {
    CHECK(run({"--as", "csv", "-o", folder / name}) == ExitCode::ok);
  }
  CHECK(run({"--as", "speedscope", "-o", folder / "s.json"}) == ExitCode::ok);
  CHECK(run({"--as", "pprof", "-o", folder / "s.pb.gz"}) == ExitCode::ok);
  CHECK(run({"--as", "sqlite", "-o", folder / "s.db"}) == ExitCode::ok);
}

TEST_CASE("a database that is not committed leaves nothing") {
  const TempFolder folder;
  {
    SqliteFile file(folder / "x.sqlite");
    file.execute("CREATE TABLE t(a)");
    SqliteInsert(file, "t", 1).bind(1).insert();
    CHECK_THROWS_AS(file.execute("no such statement"), Error);
    CHECK_THROWS_AS(SqliteInsert(file, "none", 1), Error);
  }
  CHECK_THROWS(test::read_file(folder / "x.sqlite"));
}

TEST_CASE("a text with a NUL is in the database to its end") {
  const TempFolder folder;
  SqliteFile file(folder / "x.sqlite");
  file.execute("CREATE TABLE t(a)");
  SqliteInsert(file, "t", 1).bind(std::string_view("before\0after", 12)).insert();
  file.commit();
  const auto bytes = test::read_file(folder / "x.sqlite");
  CHECK(std::string(bytes.begin(), bytes.end()).find("before\\x00after") != std::string::npos);
}

TEST_CASE("a database does not wait for the reader of a pipe") {
  const TempFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_AS(SqliteFile(folder / "pipe"), Error);
}

}  // namespace
}  // namespace hprof
