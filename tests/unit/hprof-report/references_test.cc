#include "reference_classes.h"
#include "staged_heap.h"
#include "tools/hprof-report/references/strength_finder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::ReferenceClasses;
using test::Root;
using test::StagedHeap;
using test::Type;

const ReachRow& reach(const Report& report, Strength strength) {
  return report.references->reachability.at(static_cast<std::size_t>(strength));
}

const ReferenceKind& kind(const Report& report, Strength strength) {
  return report.references->kinds.at(static_cast<std::size_t>(strength) - 1);
}

TEST_CASE("what only weaker references hold is told by the weakest one on the best path") {
  HeapBuilder builder;
  const ReferenceClasses classes(builder);
  const Id node = builder.add_class({.name = "demo.Node", .fields = {{"next"}, {"other"}}});
  const Id weakly = builder.add_object(node);
  const Id through_both = builder.add_object(classes.weak, {{"referent", weakly}});
  const Id softly = builder.add_object(node, {{"next", through_both}});
  const Id finally = builder.add_object(node);
  const Id phantomly = builder.add_object(node, {{"next", finally}});
  const Id strongly = builder.add_object(node);
  const Id holder = builder.add_array(
      "java.lang.Object[]", {builder.add_object(classes.soft, {{"referent", softly}}),
                             builder.add_object(classes.final, {{"referent", finally}}),
                             builder.add_object(classes.phantom, {{"referent", phantomly}}),
                             builder.add_object(classes.weak, {{"referent", strongly}}), strongly,
                             builder.add_object(classes.weak)});
  builder.root(Root::jni_global, holder);
  StagedHeap staged(builder);
  const auto report = staged.report();
  CHECK(reach(report, Strength::soft).objects == 2);
  CHECK(reach(report, Strength::weak).objects == 1);
  CHECK(reach(report, Strength::final).objects == 1);
  CHECK(reach(report, Strength::phantom).objects == 1);
  CHECK(reach(report, Strength::weak).classes.at(0).class_name == "demo.Node");
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  for (const auto& row : report.references->reachability) {
    objects += row.objects;
    shallow += row.shallow;
  }
  CHECK(objects == report.overview.total_objects);
  CHECK(shallow == report.overview.total_shallow);
  CHECK(kind(report, Strength::weak).instances == 3);
  CHECK(kind(report, Strength::weak).cleared == 1);
  CHECK(kind(report, Strength::weak).referents == 2);
  CHECK(kind(report, Strength::soft).referents_retained >
        kind(report, Strength::soft).referents_shallow);
  CHECK(report.references->classes.at(0).class_name == "java.lang.ref.WeakReference");
  CHECK(report.references->classes.at(0).cleared == 1);
}

TEST_CASE("referents inside one another are counted once in what they retain together") {
  HeapBuilder builder;
  const ReferenceClasses classes(builder);
  const Id node = builder.add_class({.name = "demo.Node", .fields = {{"next"}}});
  const Id inner = builder.add_object(node);
  const Id between = builder.add_object(node, {{"next", inner}});
  const Id outer = builder.add_object(node, {{"next", between}});
  const Id inner_reference = builder.add_object(classes.weak, {{"referent", inner}});
  const Id inner_holder = builder.add_object(node, {{"next", inner_reference}}, 0);
  const Id whole =
      builder.add_object(builder.add_class({.name = "demo.Pair", .fields = {{"a"}, {"b"}}}),
                         {{"a", outer}, {"b", inner_holder}});
  builder.root(Root::jni_global, builder.add_object(classes.weak, {{"referent", whole}}));
  StagedHeap staged(builder);
  const auto report = staged.report();
  const auto& weak = kind(report, Strength::weak);
  CHECK(weak.referents == 2);
  CHECK(weak.referents_retained == reach(report, Strength::weak).shallow);
}

TEST_CASE("an entry whose value holds its key is found to hold itself") {
  HeapBuilder builder;
  const ReferenceClasses classes(builder);
  const Id entry_class = builder.add_class(
      {.name = "java.util.WeakHashMap$Entry", .super = classes.weak, .fields = {{"value"}}});
  const Id key_class = builder.add_class({.name = "demo.Key", .fields = {{"data"}}});
  const Id value_class = builder.add_class({.name = "demo.Value", .fields = {{"owner"}}});
  std::vector<Id> entries;
  for (int i = 0; i < 3; ++i) {
    const Id key =
        builder.add_object(key_class, {{"data", builder.add_zeros(Type::int8, 1000U * (i + 1U))}});
    const Id value = builder.add_object(value_class, {{"owner", i == 0 ? Id{0} : key}});
    entries.push_back(builder.add_object(entry_class, {{"referent", key}, {"value", value}}));
  }
  const Id table = builder.add_array("java.util.WeakHashMap$Entry[]", entries);
  builder.root(Root::jni_global, table);
  StagedHeap staged(builder);
  const auto held = *staged.report().references->self_held;
  CHECK(held.objects == 2);
  REQUIRE(held.largest.size() == 2);
  CHECK(held.largest[0].reference_address.value == entries[2]);
  CHECK(held.largest[0].reference_class == "java.util.WeakHashMap$Entry");
  CHECK(held.largest[0].label.starts_with("demo.Key @ 0x"));
  CHECK(held.references_retained > 5000);
}

TEST_CASE("a class object that only some late instance holds strongly is held strongly") {
  HeapBuilder builder;
  const ReferenceClasses classes(builder);
  const Id loader = builder.add_object(builder.class_named("java.lang.ClassLoader"));
  const Id app = builder.add_class({.name = "app.Thing", .loader = loader});
  const Id boxes = builder.add_class({.name = "app.Box", .fields = {{"thing"}}, .loader = loader});
  std::vector<Id> weakly;
  for (int i = 0; i < 40; ++i) {
    weakly.push_back(builder.add_object(app));
  }
  const Id weak_array = builder.add_array("java.lang.Object[]", weakly);
  const Id strong_thing = builder.add_object(app);
  const Id pad = builder.add_array(
      "java.lang.Object[]",
      {builder.add_object(classes.weak, {{"referent", weak_array}}), strong_thing});
  builder.root(Root::jni_global, pad);
  builder.root(Root::jni_global, boxes);
  StagedHeap staged(builder);
  const auto report = staged.report();
  CHECK(reach(report, Strength::weak).objects == 41);
}

TEST_CASE("a class that its first instances cannot lead to is held as its other ones are") {
  constexpr Id kTable = 0x9000000;
  HeapBuilder builder;
  const ReferenceClasses classes(builder);
  const Id loader = builder.add_object(builder.class_named("java.lang.ClassLoader"));
  const Id app = builder.add_class(
      {.name = "app.Thing", .statics = {{"ALL", Type::object, kTable}}, .loader = loader});
  std::vector<Id> below;
  for (int i = 0; i < 40; ++i) {
    below.push_back(builder.add_object(app));
  }
  builder.add_array("java.lang.Object[]", below, kTable);
  const Id weakly = builder.add_array(
      "java.lang.Object[]",
      {builder.add_object(app), builder.add_object(app), builder.add_object(classes.weak)});
  builder.root(Root::jni_global, builder.add_object(classes.weak, {{"referent", weakly}}));
  StagedHeap staged(builder);
  const auto report = staged.report();
  const std::uint64_t things_and_table = 41;
  const std::uint64_t array_and_content = 4;
  const std::uint64_t classes_and_loader = 3;  // that of the arrays, too
  CHECK(reach(report, Strength::weak).objects ==
        things_and_table + array_and_content + classes_and_loader);
  CHECK(reach(report, Strength::phantom).objects == 0);
}

TEST_CASE("what lies below such a class is held as it is, wherever it lies in the heap") {
  constexpr Id kShared = 0x8;
  constexpr Id kTable = 0x9000000;
  HeapBuilder builder;
  const ReferenceClasses classes(builder);
  const Id loader = builder.add_object(builder.class_named("java.lang.ClassLoader"));
  const Id app = builder.add_class({.name = "app.Thing",
                                    .fields = {{"shared"}},
                                    .statics = {{"ALL", Type::object, kTable}},
                                    .loader = loader});
  builder.add_array("java.lang.Object[]", {}, kShared);
  std::vector<Id> below{builder.add_object(classes.weak)};
  for (int i = 0; i < 40; ++i) {
    below.push_back(builder.add_object(app, {{"shared", i < 2 ? kShared : 0}}));
  }
  builder.add_array("java.lang.Object[]", below, kTable);
  const Id weakly = builder.add_array(
      "java.lang.Object[]",
      {builder.add_object(app), builder.add_object(app), builder.add_object(classes.weak)});
  builder.root(Root::jni_global, builder.add_object(classes.weak, {{"referent", weakly}}));
  const auto report = StagedHeap(builder).report();
  CHECK(reach(report, Strength::weak).objects >= 45);
  CHECK(reach(report, Strength::phantom).objects == 0);
}

/// What a search through the whole graph says, strength by strength.
std::vector<Strength> by_search(
    std::size_t objects, const std::vector<std::vector<std::pair<std::size_t, Strength>>>& to,
    const std::vector<std::size_t>& roots) {
  std::vector<int> best(objects, 9);
  for (int level = 0; level < 5; ++level) {
    std::vector<std::size_t> stack;
    for (std::size_t i = 0; i < objects; ++i) {
      if (best[i] <= level) {
        stack.push_back(i);
      }
    }
    if (level == 0) {
      for (const auto root : roots) {
        best[root] = 0;
        stack.push_back(root);
      }
    }
    while (!stack.empty()) {
      const auto at = stack.back();
      stack.pop_back();
      for (const auto& [target, kind] : to[at]) {
        if (static_cast<int>(kind) <= level && best[target] > level) {
          best[target] = level;
          stack.push_back(target);
        }
      }
    }
  }
  std::vector<Strength> out;
  for (const auto value : best) {
    out.push_back(static_cast<Strength>(value));
  }
  return out;
}

/// A random heap of plain objects and references, and what is to be found in it.
struct RandomHeap {
  explicit RandomHeap(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return std::size_t{random() % n}; };
    const ReferenceClasses classes(builder);
    const Id plain = builder.add_class({.name = "demo.Plain", .fields = {{"a"}, {"b"}}});
    const std::size_t count = 4 + below(40);
    const unsigned one_in = 2 + static_cast<unsigned>(below(6));
    std::vector<Strength> kinds;
    for (std::size_t i = 0; i < count; ++i) {
      ids.push_back(builder.reserve(64));
      kinds.push_back(below(one_in) == 0 ? static_cast<Strength>(1 + below(4)) : Strength::strong);
    }
    std::vector<std::vector<std::pair<std::size_t, Strength>>> to(count);
    const auto target = [&](std::size_t from, Strength kind) {
      const auto to_object = below(count + 2);
      if (to_object >= count) {
        return Id{0};
      }
      to[from].emplace_back(to_object, kind);
      return ids[to_object];
    };
    for (std::size_t i = 0; i < count; ++i) {
      if (kinds[i] == Strength::strong) {
        builder.add_object(plain,
                           {{"a", target(i, Strength::strong)}, {"b", target(i, Strength::strong)}},
                           ids[i]);
      } else {
        builder.add_object(
            classes.of(kinds[i]),
            {{"queue", target(i, Strength::strong)}, {"referent", target(i, kinds[i])}}, ids[i]);
      }
    }
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < 1 + below(3); ++i) {
      roots.push_back(below(count));
      builder.root(Root::jni_global, ids[roots.back()]);
    }
    expected = by_search(count, to, roots);
  }

  HeapBuilder builder;
  std::vector<Id> ids;
  std::vector<Strength> expected;
};

ReachColumn found(const Heap& heap, std::uint64_t most_edges) {
  const ReferenceTypes types(heap.index());
  StrengthFinder finder(heap, types, most_edges);
  heap.for_each_object(
      [&](const HeapObject& object) { finder.note(object); },
      [&](std::uint32_t source, std::uint32_t ordinal) { finder.note_excluded(source, ordinal); });
  finder.solve();
  return finder.take_column();
}

TEST_CASE("strengths of random heaps equal those of a search through the whole graph") {
  unsigned weaker = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomHeap random(seed);
    StagedHeap staged(random.builder);
    const auto heap = staged.open();
    heap->load_dominators();
    heap->load_retained();
    const auto column = found(*heap, seed % 2 == 0 ? 0 : 1 + seed % 5);
    for (std::size_t i = 0; i < random.ids.size(); ++i) {
      const auto object = heap->index().addresses.index_of(random.ids[i]).value();
      const bool reachable = heap->dominators()[object] != kUnreachable;
      REQUIRE(reachable == (random.expected[i] <= Strength::phantom));
      if (reachable) {
        CAPTURE(seed);
        CAPTURE(i);
        CHECK(column.strength(object) == random.expected[i]);
        weaker += random.expected[i] != Strength::strong ? 1 : 0;
      }
    }
  }
  CHECK(weaker > 400);
}

TEST_CASE("a long chain behind a weak reference takes no longer than its length") {
  HeapBuilder builder;
  const ReferenceClasses classes(builder);
  const Id node = builder.add_class({.name = "demo.Node", .fields = {{"next"}, {"shared"}}});
  builder.root(Root::sticky_class, node);
  builder.root(Root::sticky_class, classes.soft);
  const Id shared = builder.add_object(node);
  Id next = 0;
  constexpr unsigned kLength = 100'000;
  for (unsigned i = 0; i < kLength; ++i) {
    const Id same = builder.add_object(classes.soft, {{"queue", shared}});
    next = builder.add_object(node, {{"next", next}, {"shared", i % 2 == 0 ? same : shared}});
  }
  builder.root(Root::jni_global, builder.add_object(classes.weak, {{"referent", next}}));
  StagedHeap staged(builder);
  const auto report = staged.report();
  CHECK(reach(report, Strength::weak).objects == kLength + kLength / 2 + 1);
}

TEST_CASE("without the dump the section has what the stage files tell") {
  HeapBuilder builder;
  const ReferenceClasses classes(builder);
  const Id text = builder.add_string("text");
  builder.root(Root::sticky_class, builder.class_named("byte[]"));
  builder.root(Root::jni_global, builder.add_object(classes.weak, {{"referent", text}}));
  StagedHeap staged(builder);
  std::remove(staged.dump().c_str());
  const auto report = staged.report();
  CHECK(reach(report, Strength::weak).objects == 2);
  CHECK_FALSE(report.references->finalizers.has_value());
  CHECK(std::any_of(report.not_covered->begin(), report.not_covered->end(),
                    [](const NotCovered& n) { return n.section == "references"; }));
}

}  // namespace
}  // namespace hprof
