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
using test::Root;
using test::StagedHeap;
using test::Type;

/// The classes of java.lang.ref as a heap has them.
struct ReferenceClasses {
  explicit ReferenceClasses(HeapBuilder& builder)
      : reference(builder.add_class(
            {.name = "java.lang.ref.Reference", .fields = {{"referent"}, {"queue"}, {"next"}}})),
        soft(builder.add_class({.name = "java.lang.ref.SoftReference", .super = reference})),
        weak(builder.add_class({.name = "java.lang.ref.WeakReference", .super = reference})),
        final(builder.add_class({.name = "java.lang.ref.FinalReference", .super = reference})),
        phantom(builder.add_class({.name = "java.lang.ref.PhantomReference", .super = reference})) {
  }

  Id of(Strength strength) const {
    const Id ids[] = {0, soft, weak, final, phantom};
    return ids[static_cast<std::size_t>(strength)];
  }

  Id reference;
  Id soft;
  Id weak;
  Id final;
  Id phantom;
};

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

TEST_CASE("enqueued finalizers and the objects that wait for them") {
  HeapBuilder builder;
  const ReferenceClasses classes(builder);
  const Id queue_class = builder.add_class({.name = "java.lang.ref.ReferenceQueue",
                                            .fields = {{"head"}, {"queueLength", Type::int64}},
                                            .statics = {{"ENQUEUED", Type::object, 0x5000000}}});
  const Id mark = builder.add_object(queue_class, {}, 0x5000000);
  const Id queue = builder.add_object(queue_class, {{"queueLength", 2}}, 0x5000100);
  const Id finalizer = builder.add_class({.name = "java.lang.ref.Finalizer",
                                          .super = classes.final,
                                          .statics = {{"queue", Type::object, queue}}});
  const Id file = builder.add_class({.name = "demo.File", .fields = {{"data"}}});
  std::vector<Id> all;
  for (unsigned i = 0; i < 4; ++i) {
    const Id object = builder.add_object(file, {{"data", builder.add_zeros(Type::int8, 100)}});
    all.push_back(
        builder.add_object(finalizer, {{"referent", object}, {"queue", i < 2 ? mark : queue}}));
  }
  all.push_back(builder.add_object(finalizer, {{"queue", mark}}));
  builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", all));
  StagedHeap staged(builder);
  const auto figures = *staged.report().references->finalizers;
  CHECK(figures.registered == 4);
  CHECK(figures.enqueued == 2);
  CHECK(figures.queue_length == 2);
  CHECK(figures.waiting == 2);
  CHECK(figures.waiting_retained > figures.waiting_shallow + 200 - 1);
  CHECK(figures.waiting_classes.at(0).class_name == "demo.File");
}

struct BufferClasses {
  explicit BufferClasses(HeapBuilder& builder)
      : counter(builder.add_class({.name = "java.util.concurrent.atomic.AtomicLong",
                                   .fields = {{"value", Type::int64}}})),
        buffer(
            builder.add_class({.name = "java.nio.Buffer",
                               .fields = {{"capacity", Type::int32}, {"address", Type::int64}}})),
        mapped(builder.add_class(
            {.name = "java.nio.MappedByteBuffer", .super = buffer, .fields = {{"fd"}}})),
        direct(builder.add_class({.name = "java.nio.DirectByteBuffer",
                                  .super = mapped,
                                  .fields = {{"att"}, {"cleaner"}}})),
        deallocator(
            builder.add_class({.name = "java.nio.DirectByteBuffer$Deallocator",
                               .fields = {{"address", Type::int64}, {"size", Type::int64}}})),
        cleaner(builder.add_class({.name = "jdk.internal.ref.Cleaner", .fields = {{"thunk"}}})) {}

  Id counter;
  Id buffer;
  Id mapped;
  Id direct;
  Id deallocator;
  Id cleaner;
};

TEST_CASE("direct buffers are counted by their owners, views and freed ones are not") {
  HeapBuilder builder;
  const BufferClasses classes(builder);
  const auto cleaner = [&](std::uint64_t memory, std::uint64_t size) {
    return builder.add_object(
        classes.cleaner, {{"thunk", builder.add_object(classes.deallocator,
                                                       {{"address", memory}, {"size", size}})}});
  };
  const auto owner = [&](std::uint64_t capacity, std::uint64_t memory, std::uint64_t freed_memory) {
    return builder.add_object(classes.direct, {{"capacity", capacity},
                                               {"address", memory},
                                               {"cleaner", cleaner(freed_memory, capacity + 16)}});
  };
  const Id big = owner(1'000'000, 0x7f0000000000, 0x7f0000000000);
  const Id aligned = owner(4096, 0x7f0000200008, 0x7f0000200000);
  const Id freed = owner(5000, 0x7f0000300000, 0);
  const Id view = builder.add_object(
      classes.direct, {{"capacity", 500'000}, {"address", 0x7f0000000100}, {"att", big}});
  const Id native = builder.add_object(classes.direct, {{"capacity", 77}, {"address", 0x1234}});
  const Id file = builder.add_object(
      classes.direct,
      {{"capacity", 8192}, {"address", 0x7e0000000000}, {"cleaner", cleaner(0, 0)}, {"fd", big}});
  const Id total = builder.add_object(classes.counter, {{"value", 1'004'096}});
  builder.add_class({.name = "java.nio.Bits",
                     .statics = {{"TOTAL_CAPACITY", Type::object, total},
                                 {"MAX_MEMORY", Type::int64, 1U << 30U}}});
  builder.root(Root::jni_global,
               builder.add_array("java.lang.Object[]", {big, aligned, freed, view, native, file}));
  builder.root(Root::jni_global, total);
  StagedHeap staged(builder);
  const auto report = staged.report();
  const auto& buffers = *report.references->direct_buffers;
  CHECK(buffers.buffers == 2);
  CHECK(buffers.capacity == 1'004'096);
  CHECK(buffers.freed == 1);
  CHECK(buffers.views == 1);
  CHECK(buffers.foreign == 1);
  CHECK(buffers.foreign_capacity == 77);
  CHECK(buffers.mapped_buffers == 1);
  CHECK(buffers.mapped_capacity == 8192);
  CHECK(buffers.jvm_capacity == 1'004'096);
  CHECK(buffers.jvm_limit == 1U << 30U);
  REQUIRE(buffers.largest.size() == 3);
  CHECK(buffers.largest[0].address.value == big);
  CHECK(buffers.largest[0].memory.value == 0x7f0000000000);
}

TEST_CASE("ThreadLocal entries belong to threads, stale ones are told apart") {
  HeapBuilder builder({.core = test::CoreClasses::unrooted});
  const ReferenceClasses classes(builder);
  const Id local_class = builder.add_class({.name = "java.lang.ThreadLocal"});
  const Id entry_class = builder.add_class({.name = "java.lang.ThreadLocal$ThreadLocalMap$Entry",
                                            .super = classes.weak,
                                            .fields = {{"value"}}});
  const Id map_class =
      builder.add_class({.name = "java.lang.ThreadLocal$ThreadLocalMap", .fields = {{"table"}}});
  const Id thread_class = builder.add_class(
      {.name = "java.lang.Thread",
       .fields = {{"name"}, {"threadLocals"}, {"inheritableThreadLocals"}, {"holder"}}});
  const Id holder_class = builder.add_class(
      {.name = "java.lang.Thread$FieldHolder", .fields = {{"terminatingThreadLocals"}}});
  const Id worker_class = builder.add_class({.name = "demo.Worker", .super = thread_class});
  const Id key = builder.add_object(local_class);
  const auto entry = [&](Id entry_key, std::uint32_t bytes) {
    return builder.add_object(
        entry_class, {{"referent", entry_key}, {"value", builder.add_zeros(Type::int8, bytes)}});
  };
  const auto map = [&](std::initializer_list<Id> entries) {
    const Id table = builder.add_array("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", entries);
    return builder.add_object(map_class, {{"table", table}});
  };
  const Id stale = entry(0, 50'000);
  const Id first = builder.add_object(
      thread_class,
      {{"name", builder.add_string("first")},
       {"threadLocals", map({entry(key, 10), 0, stale})},
       {"holder",
        builder.add_object(holder_class, {{"terminatingThreadLocals", map({entry(key, 20)})}})}});
  const Id second =
      builder.add_object(worker_class, {{"inheritableThreadLocals", map({entry(key, 3000)})}});
  for (const Id object : {first, second, key}) {
    builder.root(Root::jni_global, object);
  }
  builder.root(Root::jni_global, map({entry(key, 100)}));
  StagedHeap staged(builder);
  const auto report = staged.report();
  const auto& locals = *report.references->thread_locals;
  CHECK(locals.entries == 5);
  CHECK(locals.stale == 1);
  CHECK(locals.stale_retained > 50'000);
  CHECK(locals.thread_count == 3);
  REQUIRE(locals.threads.size() == 3);
  CHECK(locals.threads[0].name == "first");
  CHECK(locals.threads[0].entries == 3);
  CHECK(locals.threads[0].stale == 1);
  CHECK(locals.threads[1].name == "demo.Worker");
  CHECK(locals.threads[1].thread.value == second);
  CHECK(locals.threads[2].thread.value == 0);
  CHECK(locals.largest.at(0).entry.value == stale);
  CHECK(locals.largest[0].stale);
  CHECK(locals.largest[0].value_class == "byte[]");
  CHECK(locals.largest[0].thread.value == first);
  CHECK(locals.largest.at(1).key_class == "java.lang.ThreadLocal");
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
