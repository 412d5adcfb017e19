// Stage files with right checksums whose contents contradict each other.
#include "common/error.h"
#include "heap_fixture.h"
#include "tests/support/files.h"
#include "tools/hprof-report/commands.h"

#include <doctest/doctest.h>

#include <functional>
#include <numeric>

namespace hprof {
namespace {

using test::HeapFixture;
using test::TempFolder;

/// A list of four nodes with an array below the last one, and garbage, the last object of all.
HeapFixture list_heap() {
  HeapFixture heap;
  heap.add_class(0x100, "app.Node");
  heap.add_class(0x120, "byte[]");
  for (std::uint64_t i = 0; i < 4; ++i) {
    heap.add(0x1000 + 0x10 * i, "app.Node", {i == 3 ? 0x2000U : 0x1010 + 0x10 * i});
  }
  heap.add(0x2000, "byte[]", {}, 5000);
  heap.add(0x3000, "app.Node");
  for (const std::uint64_t address : {0x10, 0x20, 0x30, 0x100, 0x120}) {
    heap.root(address, 0x05);
  }
  heap.root(0x1000, 0x01);
  return heap;
}

struct Tree {
  std::vector<std::uint32_t> dominators;
  std::vector<std::uint64_t> retained;
  DomtreeSummary summary;
  std::vector<ClassTotal> classes;
  std::uint32_t first_node = 0;

  std::uint32_t row(std::uint32_t place) const { return first_node + place; }
};

using Forgery = std::function<void(Tree&)>;

void forge(const std::string& path, const Forgery& forgery) {
  const DomtreeFile file(path);
  Tree tree{.dominators = {}, .retained = {}, .summary = file.summary(), .classes = file.classes()};
  file.for_each_node([&](const DomtreeNode& node) {
    tree.dominators.push_back(node.dominator);
    tree.retained.push_back(node.retained);
  });
  // The nodes are the only objects in a row of which each dominates the next.
  while (tree.dominators[tree.first_node + 1] != tree.first_node) {
    ++tree.first_node;
  }
  forgery(tree);
  DomtreeWriter out(path, file.provenance(), tree.summary, tree.classes);
  for (std::size_t i = 0; i < tree.dominators.size(); ++i) {
    out.append(tree.dominators[i], tree.retained[i]);
  }
  out.commit();
}

using Command = ExitCode (*)(int argc, char** argv);

ExitCode code_of(Command command, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "hprof-report");
  std::vector<char*> argv;
  for (auto& argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  try {
    return command(static_cast<int>(arguments.size()), argv.data());
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("again") != std::string::npos);
    return error.code();
  }
}

struct Answers {
  ExitCode whole;   ///< of a report with all sections
  ExitCode few;     ///< of one without the dominators
  ExitCode stacks;  ///< of an export of the tree
};

Answers answers_to(const Forgery& forgery) {
  const TempFolder folder;
  const auto paths = list_heap().write(folder / "x");
  forge(paths.domtree, forgery);
  const std::vector<std::string> files{paths.index, paths.graph, paths.domtree, "-o",
                                       folder / "out"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), files.begin(), files.end());
    return more;
  };
  return {.whole = code_of(report_command, with({"--collections", "--detail", "max"})),
          .few = code_of(report_command, with({"--sections", "leaks,references,threads"})),
          .stacks = code_of(export_command, with({"--as", "folded"}))};
}

void check_refused(const Forgery& forgery) {
  const auto answers = answers_to(forgery);
  CHECK(answers.whole == ExitCode::bad_data);
  CHECK(answers.few == ExitCode::bad_data);
}

}  // namespace

TEST_CASE("a tree that nobody forged is taken") {
  const auto answers = answers_to([](Tree&) {});
  CHECK(answers.whole == ExitCode::ok);
  CHECK(answers.few == ExitCode::ok);
  CHECK(answers.stacks == ExitCode::ok);
}

TEST_CASE("an unreachable dominator is refused") {
  const Forgery forgery = [](Tree& tree) {
    tree.dominators[tree.row(2)] = static_cast<std::uint32_t>(tree.dominators.size()) - 1;
  };
  check_refused(forgery);
  CHECK(answers_to(forgery).stacks == ExitCode::bad_data);
}

TEST_CASE("dominators in a circle are refused, whatever they are said to retain") {
  for (const bool same_size : {false, true}) {
    CAPTURE(same_size);
    const Forgery forgery = [same_size](Tree& tree) {
      tree.dominators[tree.row(1)] = tree.row(3);
      for (std::uint32_t i = 1; same_size && i < 4; ++i) {
        tree.retained[tree.row(i)] = tree.retained[tree.row(1)];
      }
    };
    check_refused(forgery);
    CHECK(answers_to(forgery).stacks == ExitCode::bad_data);
  }
}

TEST_CASE("an object that dominates itself is refused") {
  const Forgery forgery = [](Tree& tree) { tree.dominators[tree.row(1)] = tree.row(1); };
  check_refused(forgery);
  CHECK(answers_to(forgery).stacks == ExitCode::bad_data);
}

TEST_CASE("a dominator that retains less than what is below it is refused") {
  check_refused([](Tree& tree) { tree.retained[tree.row(2)] = 8; });
}

TEST_CASE("a GC root that something dominates is refused") {
  const auto answers = answers_to([](Tree& tree) {
    // The first class gets all that the list has, and the list's head below it.
    std::swap(tree.retained[0], tree.retained[tree.row(0)]);
    tree.dominators[tree.row(0)] = 0;
    for (std::uint32_t i = 1; i < 4; ++i) {
      tree.dominators[tree.row(i)] = 0;
    }
  });
  CHECK(answers.whole == ExitCode::bad_data);
}

TEST_CASE("class totals that cannot be lead to a wrong figure, no further") {
  const auto answers = answers_to([](Tree& tree) {
    for (auto& total : tree.classes) {
      total.reachable_instances = ~std::uint64_t{0};
      total.reachable_shallow = ~std::uint64_t{0};
      total.unreachable_instances = 1;
    }
  });
  CHECK((answers.whole == ExitCode::ok || answers.whole == ExitCode::bad_data));
}

}  // namespace hprof
