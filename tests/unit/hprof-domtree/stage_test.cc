// The stage from file to file on small heaps, against dominance by definition.
#include "tools/hprof-domtree/stage.h"

#include "formats/domtree_file.h"
#include "tests/support/files.h"
#include "tests/unit/hprof-domtree/heap_model.h"
#include "tests/unit/hprof-domtree/oracle.h"
#include "tools/hprof-domtree/verify.h"

#include <doctest/doctest.h>

#include <random>

using namespace hprof;
using namespace hprof::test;

namespace {

constexpr std::uint32_t kSeeds = 15;

struct WrittenTree {
  std::vector<std::uint32_t> dominators;
  std::vector<std::uint64_t> retained;
  std::vector<ClassTotal> classes;
  DomtreeSummary summary;

  explicit WrittenTree(const std::string& path) {
    const DomtreeFile file(path);
    classes = file.classes();
    summary = file.summary();
    file.for_each_node([&](const DomtreeNode& node) {
      dominators.push_back(node.dominator);
      retained.push_back(node.retained);
    });
  }
};

Steps silent_steps() {
  CommonOptions options;
  options.progress = ProgressMode::never;
  ToolInfo tool;
  tool.name = "test";
  return {tool, options};
}

void build(const std::string& graph_path, const TreeOptions& options, const std::string& path) {
  const GraphFile file(graph_path);
  auto steps = silent_steps();
  build_domtree(file, made_by("hprof-domtree"), options, path, steps);
}

ExitCode verdict(const std::string& graph_path, const TreeOptions& options, const std::string& path,
                 bool is_new = true) {
  const GraphFile file(graph_path);
  auto steps = silent_steps();
  try {
    verify_domtree(file, options, path, is_new, steps);
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::ok;
}

/// Whether `object` belongs to {class object} ∪ instances of the class.
bool is_member(const HeapModel& heap, std::uint32_t class_index, std::uint32_t object) {
  return heap.class_of(object) == class_index || heap.class_objects[class_index] == object;
}

std::uint64_t expected_class_retained(const HeapModel& heap, const Oracle& oracle,
                                      std::uint32_t class_index) {
  std::uint64_t sum = 0;
  for (std::uint32_t object = 0; object < heap.size(); ++object) {
    bool top = oracle.reachable(object) && is_member(heap, class_index, object);
    for (std::uint32_t other = 0; top && other < heap.size(); ++other) {
      top = other == object || !is_member(heap, class_index, other) ||
            !oracle.dominates(other, object);
    }
    const bool twice =
        class_index == 0 && object == heap.class_objects[0];  // java.lang.Class's own class object
    sum += top ? (twice ? 2 : 1) * oracle.retained(object, heap.shallow_sizes()) : 0;
  }
  return sum;
}

std::vector<ClassTotal> expected_classes(const HeapModel& heap, const Oracle& oracle) {
  std::vector<ClassTotal> totals(heap.class_objects.size());
  const auto sizes = heap.shallow_sizes();
  for (std::uint32_t object = 0; object < heap.size(); ++object) {
    auto& total = totals[heap.class_of(object)];
    if (oracle.reachable(object)) {
      total.reachable_instances += 1;
      total.reachable_shallow += sizes[object];
      total.largest_shallow = std::max(total.largest_shallow, sizes[object]);
    } else {
      total.unreachable_instances += 1;
      total.unreachable_shallow += sizes[object];
    }
  }
  for (std::uint32_t i = 0; i < totals.size(); ++i) {
    totals[i].retained = expected_class_retained(heap, oracle, i);
  }
  return totals;
}

DepthTotals expected_depths(const HeapModel& heap, const std::vector<std::uint32_t>& dominators) {
  DepthTotals out;
  std::vector<std::uint32_t> levels;
  for (std::uint32_t object = 0; object < heap.size(); ++object) {
    std::uint32_t level = 0;
    for (auto at = object; at < kVirtualRoot; at = dominators[at]) {
      level += dominators[at] == kUnreachable ? 0 : 1;
    }
    if (level != 0) {
      levels.push_back(level);
      auto& row = out.rows[DepthTotals::row_of(level)];
      ++row.objects;
      row.shallow += heap.shallow_sizes()[object];
    }
  }
  std::sort(levels.begin(), levels.end());
  if (!levels.empty()) {
    out.deepest = levels.back();
    out.p90 = levels[(levels.size() * 9 + 9) / 10 - 1];
  }
  return out;
}

void check_tree(const HeapModel& heap, const WrittenTree& tree, bool skip_excluded) {
  const auto graph = heap.graph(!skip_excluded);
  const std::string text = graph.text();
  CAPTURE(text);
  const Oracle oracle(graph);
  REQUIRE(tree.dominators == oracle.immediate());
  std::uint64_t reachable_bytes = 0;
  for (std::uint32_t object = 0; object < heap.size(); ++object) {
    REQUIRE(tree.retained[object] == oracle.retained(object, heap.shallow_sizes()));
    reachable_bytes += oracle.reachable(object) ? heap.shallow_sizes()[object] : 0;
  }
  CHECK(tree.summary.reachable_shallow == reachable_bytes);
  CHECK(tree.summary.depths == expected_depths(heap, tree.dominators));
  REQUIRE(tree.classes == expected_classes(heap, oracle));
}

}  // namespace

TEST_CASE(
    "the written tree is the one of the definition, by either algorithm, with and without weak "
    "references") {
  const TempFolder folder;
  for (unsigned shape = 0; shape < kShapes; ++shape) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      const auto heap = random_heap(shape, seed);
      heap.write(folder / "x.graph", 1 + seed % 50);
      for (const bool skip_excluded : {false, true}) {
        for (const auto algorithm : {Algorithm::semi_nca, Algorithm::chk}) {
          const TreeOptions options{.algorithm = algorithm, .skip_excluded = skip_excluded};
          build(folder / "x.graph", options, folder / "x.domtree");
          check_tree(heap, WrittenTree(folder / "x.domtree"), skip_excluded);
          CHECK(verdict(folder / "x.graph", options, folder / "x.domtree") == ExitCode::ok);
        }
      }
    }
  }
}

TEST_CASE("the header names algorithm and option, everything else is equal") {
  CHECK(result_options({}) == std::vector<std::string>{"algorithm=semi-nca", "skip-excluded=no"});
  CHECK(result_options({.algorithm = Algorithm::chk, .skip_excluded = true}) ==
        std::vector<std::string>{"algorithm=chk", "skip-excluded=yes"});
}

namespace {

/// Two arrays of `length` references each, one of them below the other, in no order and partly to
/// the same nodes; each node references another one.
HeapModel heap_with_long_rows(std::uint32_t length) {
  std::mt19937 random(7);
  HeapModel heap(2 * length + 3);
  heap.class_objects = {2};
  heap.types = {{.class_index = ClassIndex(0),
                 .class_object = ObjectIndex(2),
                 .kind = RecordKind::instance,
                 .base = 16}};
  heap.references.set_roots({0, 2});
  heap.references.add_edge(0, 1);
  for (std::uint32_t i = 0; i < length; ++i) {
    const auto any = [&] { return static_cast<std::uint32_t>(3 + random() % (2 * length)); };
    heap.references.add_edge(0, any());
    heap.references.add_edge(1, any());
    heap.references.add_edge(any(), any());
  }
  for (std::uint32_t object = 0; object < heap.size(); ++object) {
    heap.excluded.emplace_back(heap.references.targets(object).size(), false);
  }
  return heap;
}

}  // namespace

TEST_CASE("rows that are given back while they are read change nothing") {
  const TempFolder folder;
  heap_with_long_rows(150'000).write(folder / "x.graph", 10'000);
  build(folder / "x.graph", {}, folder / "x.domtree");
  build(folder / "x.graph", {.algorithm = Algorithm::chk}, folder / "chk.domtree");
  const WrittenTree tree(folder / "x.domtree");
  const WrittenTree other(folder / "chk.domtree");
  CHECK(tree.dominators == other.dominators);
  CHECK(tree.retained == other.retained);
  CHECK(tree.classes == other.classes);
}

TEST_CASE("the same graph gives the same bytes") {
  const TempFolder folder;
  random_heap(3, 4).write(folder / "x.graph", 7);
  build(folder / "x.graph", {}, folder / "a.domtree");
  build(folder / "x.graph", {}, folder / "b.domtree");
  CHECK(read_file(folder / "a.domtree") == read_file(folder / "b.domtree"));
}

TEST_CASE("sizes beyond 32 bits of units are kept in 64") {
  const TempFolder folder;
  auto heap = random_heap(5, 2);
  for (auto& type : heap.types) {
    type.base += type.kind == RecordKind::instance ? std::uint64_t{1} << 37U : 0;
  }
  heap.write(folder / "x.graph", 50);
  build(folder / "x.graph", {}, folder / "x.domtree");
  const WrittenTree tree(folder / "x.domtree");
  CHECK(tree.summary.reachable_shallow > std::uint64_t{1} << 37U);
  check_tree(heap, tree, false);
}

namespace {

/// Writes `tree` again after `damage` had its way with it and returns what --verify says.
template <typename Damage>
ExitCode verdict_after(Damage&& damage) {
  const TempFolder folder;
  random_heap(6, 8).write(folder / "x.graph", 50);
  build(folder / "x.graph", {}, folder / "x.domtree");
  WrittenTree tree(folder / "x.domtree");
  damage(tree);
  DomtreeWriter out(folder / "x.domtree", made_by("hprof-domtree"), tree.summary, tree.classes);
  for (std::size_t i = 0; i < tree.dominators.size(); ++i) {
    out.append(tree.dominators[i], tree.retained[i]);
  }
  out.commit();
  return verdict(folder / "x.graph", {}, folder / "x.domtree");
}

std::size_t first_inner(const WrittenTree& tree) {
  for (std::size_t i = 0; i < tree.dominators.size(); ++i) {
    if (tree.dominators[i] < kVirtualRoot) {
      return i;
    }
  }
  FAIL("the heap has no object that another one dominates");
  return 0;
}

}  // namespace

TEST_CASE("--verify accepts an untouched tree and finds every kind of damage") {
  CHECK(verdict_after([](WrittenTree&) {}) == ExitCode::ok);
  const std::vector<void (*)(WrittenTree&)> damages{
      [](WrittenTree& tree) { tree.retained[first_inner(tree)] += 8; },
      [](WrittenTree& tree) { tree.dominators[first_inner(tree)] = kUnreachable; },
      [](WrittenTree& tree) { tree.dominators[first_inner(tree)] = kVirtualRoot; },
      [](WrittenTree& tree) {
        tree.dominators[first_inner(tree)] = static_cast<std::uint32_t>(first_inner(tree));
      },
      [](WrittenTree& tree) { tree.summary.reachable_shallow += 8; },
      [](WrittenTree& tree) { tree.summary.unreachable_objects += 1; },
      [](WrittenTree& tree) { tree.classes[0].reachable_instances += 1; },
      [](WrittenTree& tree) { tree.classes[0].largest_shallow += 8; },
      [](WrittenTree& tree) { tree.classes.pop_back(); },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    CAPTURE(i);
    CHECK(verdict_after(damages[i]) == ExitCode::bug);
  }
}

namespace {

/// What --verify says when the tree of a heap of four objects of 16 bytes, where 0 references 1 and
/// 2, 1 references 2, all reference their class 3, and 0 and 3 are roots, is replaced by this one.
ExitCode verdict_on(const std::vector<std::uint32_t>& dominators,
                    const std::vector<std::uint64_t>& retained, std::uint64_t unreachable) {
  const TempFolder folder;
  HeapModel heap(4);
  heap.references.add_edge(0, 1);
  heap.references.add_edge(0, 2);
  heap.references.add_edge(1, 2);
  heap.references.set_roots({0, 3});
  heap.class_objects = {3};
  heap.types.push_back({});
  heap.types[0].class_index = ClassIndex(0);
  heap.types[0].class_object = ObjectIndex(3);
  heap.types[0].base = 16;
  heap.excluded = {{false, false}, {false}, {}, {}};
  heap.write(folder / "x.graph", 4);
  const std::uint64_t reachable = 4 - unreachable;
  const DomtreeSummary summary{.objects = 4,
                               .size_unit = HeapModel::kSizeUnit,
                               .reachable_objects = reachable,
                               .reachable_shallow = 16 * reachable,
                               .unreachable_objects = unreachable,
                               .unreachable_shallow = 16 * unreachable,
                               .roots = 2};
  const ClassTotal total{.reachable_instances = reachable,
                         .reachable_shallow = 16 * reachable,
                         .largest_shallow = 16,
                         .retained = 64,
                         .unreachable_instances = unreachable,
                         .unreachable_shallow = 16 * unreachable};
  DomtreeWriter out(folder / "x.domtree", made_by("hprof-domtree"), summary, {total});
  for (std::size_t i = 0; i < dominators.size(); ++i) {
    out.append(dominators[i], retained[i]);
  }
  out.commit();
  return verdict(folder / "x.graph", {}, folder / "x.domtree");
}

}  // namespace

TEST_CASE("--verify finds a tree whose sums are right but whose shape is not the graph's") {
  CHECK(verdict_on({kVirtualRoot, 0, 0, kVirtualRoot}, {48, 16, 16, 16}, 0) == ExitCode::ok);
  CHECK(verdict_on({kVirtualRoot, 0, 1, kVirtualRoot}, {48, 32, 16, 16}, 0) == ExitCode::bug);
  CHECK(verdict_on({kVirtualRoot, 0, 0, 0}, {64, 16, 16, 16}, 0) == ExitCode::bug);
  CHECK(verdict_on({kVirtualRoot, 0, kUnreachable, kVirtualRoot}, {32, 16, 0, 16}, 1) ==
        ExitCode::bug);
}
