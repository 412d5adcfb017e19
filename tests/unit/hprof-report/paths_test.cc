#include "formats/report/path_line.h"
#include "formats/report/summary.h"
#include "staged_heap.h"
#include "tools/hprof-report/paths/path_book.h"
#include "tools/hprof-report/paths/path_holders.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

std::string plain(const Sentence& sentence) {
  std::string out;
  for (const auto& span : sentence) {
    out += span.text;
  }
  return out;
}

/// A map of the JDK's shape with `value` under `nodes` links of one bucket.
Id add_map(HeapBuilder& heap, Id value) {
  const Id node =
      heap.add_class({.name = "java.util.HashMap$Node", .fields = {{"value"}, {"next"}}});
  const Id map = heap.add_class({.name = "java.util.HashMap", .fields = {{"table"}}});
  const Id entry = heap.add_object(node, {{"value", value}});
  return heap.add_object(map,
                         {{"table", heap.add_array("java.util.HashMap$Node[]", {0, 0, entry, 0})}});
}

Suspect only_suspect(const Report& report) {
  REQUIRE(report.leaks.suspects.size() == 1);
  return report.leaks.suspects[0];
}

TEST_CASE("a path goes from a static field through fields and elements, and the holder is named") {
  HeapBuilder heap;
  const Id bytes = heap.add_zeros(Type::int8, 100'000);
  const Id map = add_map(heap, bytes);
  const Id cache = heap.add_class(
      {.name = "demo.Cache", .statics = {{"OTHER", Type::int32, 7}, {"CACHE", Type::object, map}}});
  heap.root(Root::sticky_class, cache);
  const StagedHeap staged(heap);
  const auto suspect = only_suspect(staged.report());
  REQUIRE(suspect.why_alive.has_value());
  CHECK(suspect.why_alive->line ==
        "class demo.Cache.CACHE → java.util.HashMap.table → [2] → java.util.HashMap$Node.value → " +
            suspect.accumulation_point->label);
  const auto& steps = suspect.why_alive->steps;
  REQUIRE(steps.size() == 5);
  CHECK(steps[0].via == Via::root);
  CHECK(steps[0].reference == "System Class");
  CHECK(steps[1].via == Via::static_field);
  CHECK(steps[1].address.value == map);
  CHECK(steps[2].via == Via::field);
  CHECK(steps[2].declared_by == "java.util.HashMap");
  CHECK(steps[3].via == Via::element);
  CHECK(steps[4].address.value == bytes);
  CHECK(steps[4].retained == suspect.accumulation_point->retained);
  REQUIRE(suspect.holder.has_value());
  CHECK(suspect.holder->kind == HolderKind::static_field);
  CHECK(suspect.holder->name == "demo.Cache.CACHE");
  CHECK(suspect.holder->address.value == cache);
  CHECK_FALSE(suspect.anchor.has_value());
  CHECK(
      plain(suspect_sentence(suspect)).ends_with(", kept alive by static field demo.Cache.CACHE."));
}

TEST_CASE("a field of the application hangs on the static field above it") {
  HeapBuilder heap;
  const Id map = add_map(heap, heap.add_zeros(Type::int8, 100'000));
  const Id service = heap.add_class({.name = "demo.Service", .fields = {{"listeners"}}});
  const Id app = heap.add_class(
      {.name = "demo.App",
       .statics = {{"SERVICE", Type::object, heap.add_object(service, {{"listeners", map}})}}});
  heap.root(Root::sticky_class, app);
  const auto suspect = only_suspect(StagedHeap(heap).report());
  REQUIRE(suspect.holder.has_value());
  CHECK(suspect.holder->kind == HolderKind::field);
  CHECK(suspect.holder->name == "demo.Service.listeners");
  REQUIRE(suspect.anchor.has_value());
  CHECK(suspect.anchor->name == "demo.App.SERVICE");
  CHECK(plain(suspect_sentence(suspect))
            .ends_with("kept alive by field demo.Service.listeners, which hangs on static field "
                       "demo.App.SERVICE."));
}

TEST_CASE("links between objects of one class are no holders") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}, {"data"}}});
  const Id list = heap.add_class({.name = "demo.List", .fields = {{"head"}}});
  const Id last = heap.add_object(node, {{"data", heap.add_zeros(Type::int8, 50'000)}});
  const Id middle =
      heap.add_object(node, {{"next", last}, {"data", heap.add_zeros(Type::int8, 50'000)}});
  const Id head =
      heap.add_object(node, {{"next", middle}, {"data", heap.add_zeros(Type::int8, 50'000)}});
  heap.root(Root::jni_global, heap.add_object(list, {{"head", head}}));
  const auto suspect = only_suspect(StagedHeap(heap).report());
  REQUIRE(suspect.holder.has_value());
  CHECK(suspect.holder->name == "demo.List.head");
}

struct ThreadHeap {
  ThreadHeap() {
    const Id main_class = heap.add_class({.name = "demo.Main"});
    const Id buffer_class = heap.add_class({.name = "java.util.ArrayList", .fields = {{"data"}}});
    bytes = heap.add_zeros(Type::int8, 100'000);
    buffer = heap.add_object(buffer_class, {{"data", bytes}});
    thread = heap.add_thread(
        {.name = "worker-1",
         .frames = {
             {.method = "sleep", .class_address = heap.class_named("java.lang.Thread"), .line = -3},
             {.method = "run", .class_address = main_class, .line = 12}}});
    heap.local(thread, buffer, 1);
    heap.local(thread, heap.add_zeros(Type::int8, 10), 0);
  }
  HeapBuilder heap;
  Id bytes = 0;
  Id buffer = 0;
  test::Thread thread;
};

TEST_CASE("a local is named with its thread and frame, and the stack stands beside") {
  ThreadHeap example;
  const auto suspect = only_suspect(StagedHeap(example.heap).report());
  REQUIRE(suspect.why_alive.has_value());
  const auto& steps = suspect.why_alive->steps;
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].label.ends_with(" worker-1"));
  CHECK(steps[1].via == Via::local);
  CHECK(steps[1].frame == "demo.Main.run(Main.java:12)");
  CHECK(reference_text(steps[1]) == "<Java Local> demo.Main.run(Main.java:12)");
  REQUIRE(suspect.holder.has_value());
  CHECK(suspect.holder->kind == HolderKind::local);
  CHECK(suspect.holder->class_name == "demo.Main");
  CHECK(suspect.holder->member == "run");
  REQUIRE(suspect.thread.has_value());
  CHECK(suspect.thread->name == "worker-1");
  REQUIRE(suspect.thread->frames.size() == 2);
  CHECK(suspect.thread->frames[0].frame == "java.lang.Thread.sleep(Native Method)");
  CHECK(suspect.thread->frames[0].locals.empty());
  REQUIRE(suspect.thread->frames[1].locals.size() == 1);
  CHECK(suspect.thread->frames[1].locals[0].address.value == example.buffer);
  CHECK(suspect.thread->frames[1].method == "demo.Main.run()V");
  REQUIRE(suspect.keywords.has_value());
  CHECK(suspect.keywords->back() == "Main.java:12");
}

TEST_CASE("a thread-local value is told by the static field that holds its key") {
  HeapBuilder heap;
  const Id reference =
      heap.add_class({.name = "java.lang.ref.Reference", .fields = {{"referent"}}});
  const Id weak = heap.add_class({.name = "java.lang.ref.WeakReference", .super = reference});
  const Id entry = heap.add_class(
      {.name = "java.lang.ThreadLocal$ThreadLocalMap$Entry", .super = weak, .fields = {{"value"}}});
  const Id key_class = heap.add_class({.name = "java.lang.ThreadLocal"});
  const Id key = heap.add_object(key_class);
  const Id context =
      heap.add_class({.name = "demo.Context", .statics = {{"CURRENT", Type::object, key}}});
  heap.root(Root::sticky_class, context);
  const Id value =
      heap.add_object(entry, {{"referent", key}, {"value", heap.add_zeros(Type::int8, 100'000)}});
  heap.root(Root::jni_global,
            heap.add_array("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", {0, value}));
  const auto suspect = only_suspect(StagedHeap(heap).report());
  REQUIRE(suspect.holder.has_value());
  CHECK(suspect.holder->kind == HolderKind::thread_local_value);
  CHECK(suspect.holder->name == "demo.Context.CURRENT");
  CHECK(suspect.holder->address.value == value);
}

TEST_CASE("what only a weak reference leads to has a path that says so") {
  HeapBuilder heap;
  const Id reference =
      heap.add_class({.name = "java.lang.ref.Reference", .fields = {{"referent"}}});
  const Id soft = heap.add_class({.name = "java.lang.ref.SoftReference", .super = reference});
  const Id holder = heap.add_object(soft, {{"referent", heap.add_zeros(Type::int8, 100'000)}});
  heap.root(Root::jni_global, holder);
  const auto suspect = only_suspect(StagedHeap(heap).report());
  REQUIRE(suspect.why_alive.has_value());
  CHECK(suspect.why_alive->only_weak);
  CHECK(suspect.why_alive->steps[1].reference == "referent");
}

TEST_CASE("a strong way is taken even where a weak one is shorter") {
  HeapBuilder heap;
  const Id reference =
      heap.add_class({.name = "java.lang.ref.Reference", .fields = {{"referent"}}});
  const Id soft = heap.add_class({.name = "java.lang.ref.SoftReference", .super = reference});
  const Id box = heap.add_class({.name = "demo.Box", .fields = {{"content"}}});
  const Id bytes = heap.add_zeros(Type::int8, 100'000);
  heap.root(Root::jni_global, heap.add_object(soft, {{"referent", bytes}}));
  const Id inner = heap.add_object(box, {{"content", bytes}});
  heap.root(Root::jni_global, heap.add_object(box, {{"content", inner}}));
  const auto suspect = only_suspect(StagedHeap(heap).report());
  REQUIRE(suspect.why_alive.has_value());
  CHECK_FALSE(suspect.why_alive->only_weak);
  CHECK(suspect.why_alive->steps.size() == 3);
}

TEST_CASE("class, super class and class loader are steps as well") {
  HeapBuilder heap;
  const Id bytes = heap.add_zeros(Type::int8, 100'000);
  const Id loader_class = heap.add_class({.name = "demo.Loader",
                                          .super = heap.class_named("java.lang.ClassLoader"),
                                          .fields = {{"classes"}}});
  const Id loader = heap.reserve(64);
  const Id base = heap.add_class(
      {.name = "demo.Base", .statics = {{"DATA", Type::object, bytes}}, .loader = loader});
  const Id derived = heap.add_class({.name = "demo.Derived", .super = base, .loader = loader});
  heap.add_object(loader_class, {}, loader);
  heap.root(Root::jni_global, heap.add_object(derived));
  const auto suspect = only_suspect(StagedHeap(heap).report());
  REQUIRE(suspect.why_alive.has_value());
  const auto& steps = suspect.why_alive->steps;
  REQUIRE(steps.size() == 4);
  CHECK(steps[1].via == Via::own_class);
  CHECK(steps[1].reference == "<class>");
  CHECK(steps[2].via == Via::super_class);
  CHECK(steps[3].via == Via::static_field);
  const auto loader_row = std::find_if(steps.begin(), steps.end(), [&](const PathStep& step) {
    return step.address.value == loader;
  });
  CHECK(loader_row == steps.end());
}

/// `count` instances of demo.Item with 1000 bytes each, referenced from two lists, so that nothing
/// dominates them; the lists hang on one object.
void fill_group(HeapBuilder& heap, std::uint64_t count) {
  const Id item = heap.add_class({.name = "demo.Item", .fields = {{"data"}}});
  std::vector<Id> items;
  for (std::uint64_t i = 0; i < count; ++i) {
    items.push_back(
        heap.add_object(item, {{"data", heap.add_zeros(Type::int8, i == 3 ? 2000 : 1000)}}));
  }
  const Id owner = heap.add_class({.name = "demo.Owner", .fields = {{"items"}}});
  heap.root(Root::jni_global,
            heap.add_object(owner, {{"items", heap.add_array("demo.Item[]", items)}}));
  heap.root(Root::jni_global, heap.add_array("java.lang.Object[]", items));
}

TEST_CASE("instances of a group share a path, with how many go along it") {
  HeapBuilder heap;
  fill_group(heap, 50);
  const auto report = StagedHeap(heap).report();
  const auto& suspect = only_suspect(report);
  CHECK(suspect.kind == SuspectKind::group);
  REQUIRE(suspect.accumulation_point.has_value());
  CHECK(suspect.accumulation_point->class_name == "java.lang.Object[]");
  REQUIRE(suspect.common_path.size() == 1);
  CHECK(suspect.common_path[0].targets == 50);
  CHECK(suspect.common_path[0].via == Via::root);
  REQUIRE(suspect.why_alive.has_value());
  CHECK(suspect.why_alive->steps.size() == 1);
  REQUIRE(suspect.retained_classes.has_value());
  REQUIRE(suspect.retained_classes->size() == 2);
  CHECK((*suspect.retained_classes)[0].class_name == "byte[]");
  CHECK((*suspect.retained_classes)[0].objects == 50);
  CHECK((*suspect.retained_classes)[1].objects == 50);
}

TEST_CASE("what an accumulation point holds is told once, though two suspects lead to it") {
  HeapBuilder heap;
  const Id entry = heap.add_class({.name = "demo.Entry", .fields = {{"data"}}});
  std::vector<Id> entries;
  for (unsigned i = 0; i < 400; ++i) {
    entries.push_back(
        heap.add_object(entry, {{"data", heap.add_primitives(Type::int32, {i, i, i, i})}}));
  }
  // The short way to the entries leads through a table, the long one through another: no table
  // dominates them.
  const Id table = heap.add_array("demo.Entry[]", entries);
  const Id holder = heap.add_class({.name = "demo.Holder", .fields = {{"next"}}});
  Id other = heap.add_array("demo.Entry[]", entries);
  for (unsigned i = 0; i < 3; ++i) {
    other = heap.add_object(holder, {{"next", other}});
  }
  heap.root(Root::jni_global, heap.add_object(holder, {{"next", table}}));
  heap.root(Root::jni_global, other);
  const auto report = StagedHeap(heap).report();
  std::vector<std::size_t> at_table;
  for (std::size_t i = 0; i < report.leaks.suspects.size(); ++i) {
    const auto& point = report.leaks.suspects[i].accumulation_point;
    if (point && point->address.value == table) {
      at_table.push_back(i);
    }
  }
  REQUIRE(at_table.size() == 2);
  const auto& first = report.leaks.suspects[at_table[0]];
  const auto& second = report.leaks.suspects[at_table[1]];
  CHECK_FALSE(first.same_point_as);
  CHECK(first.accumulated);
  CHECK(first.tree);
  CHECK(second.same_point_as == at_table[0] + 1);
  CHECK_FALSE(second.accumulated);
  CHECK_FALSE(second.tree);
}

TEST_CASE("the middle of a long path is left out, and its length is told") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  Id next = heap.add_zeros(Type::int8, 1'000'000);
  const Id bytes = next;
  for (unsigned i = 0; i < 99; ++i) {
    next = heap.add_object(node, {{"next", next}});
  }
  heap.root(Root::jni_global, next);
  const auto report = StagedHeap(heap).report({"--detail", "minimal"});
  const auto suspect = only_suspect(report);
  REQUIRE(suspect.why_alive.has_value());
  CHECK(suspect.why_alive->steps.size() == 10);
  CHECK(suspect.why_alive->left_out == 90);
  CHECK(suspect.why_alive->left_out_after == 5);
  CHECK(suspect.why_alive->steps.back().address.value == bytes);
  CHECK(suspect.why_alive->steps[5].reference == "next");
  CHECK(suspect.why_alive->line.find("→ … 90 objects left out … →") != std::string::npos);
}

TEST_CASE("of a class that piles up memory the largest static field is told") {
  HeapBuilder heap;
  std::vector<test::StaticSpec> statics;
  for (std::uint32_t i = 0; i < 20; ++i) {
    const std::uint32_t part = (i * 7) % 20;
    statics.push_back({.name = "PART" + std::to_string(part),
                       .value = heap.add_zeros(Type::int8, 1000 * (part + 1))});
  }
  const Id registry = heap.add_class({.name = "demo.Registry", .statics = statics});
  heap.root(Root::sticky_class, registry);
  heap.root(Root::sticky_class, heap.class_named("byte[]"));
  const auto suspect = only_suspect(StagedHeap(heap).report());
  REQUIRE(suspect.accumulation_point.has_value());
  CHECK(suspect.accumulation_point->address.value == registry);
  REQUIRE(suspect.largest_static.has_value());
  CHECK(suspect.largest_static->kind == HolderKind::static_field);
  CHECK(suspect.largest_static->name == "demo.Registry.PART19");
  CHECK(suspect.largest_static->address.value == registry);
}

TEST_CASE("without the dump paths have objects but no field names, and the report says so") {
  HeapBuilder heap;
  const Id map = add_map(heap, heap.add_zeros(Type::int8, 100'000));
  const Id cache =
      heap.add_class({.name = "demo.Cache", .statics = {{"CACHE", Type::object, map}}});
  heap.root(Root::sticky_class, cache);
  const StagedHeap staged(heap);
  std::remove(staged.dump().c_str());
  const auto report = staged.report();
  const auto suspect = only_suspect(report);
  REQUIRE(suspect.why_alive.has_value());
  CHECK(suspect.why_alive->steps[1].reference == "CACHE");
  CHECK(suspect.why_alive->steps[2].via == Via::unknown);
  CHECK(suspect.holder->name == "demo.Cache.CACHE");
  REQUIRE(report.not_covered.has_value());
  CHECK(std::any_of(report.not_covered->begin(), report.not_covered->end(),
                    [](const NotCovered& row) { return row.section == "leaks"; }));
}

TEST_CASE("the biggest objects have their paths, too") {
  HeapBuilder heap;
  fill_group(heap, 4);
  const auto report = StagedHeap(heap).report();
  for (const auto& row : report.top.biggest_objects) {
    REQUIRE(row.why_alive.has_value());
    CHECK(row.why_alive->steps.back().address == row.address);
    CHECK(row.why_alive->steps.front().via == Via::root);
  }
}

TEST_CASE("classes of the platform are told from others, arrays by their elements") {
  for (const char* name : {"java.lang.String", "javax.x.Y", "sun.misc.Unsafe", "jdk.internal.A",
                           "com.sun.x.Y", "java.util.HashMap$Node[]", "byte[]", "int[][]"}) {
    CHECK(is_platform_class(name));
  }
  for (const char* name : {"demo.Cache", "javaz.X", "com.sunny.X", "demo.A[]", "byte"}) {
    CHECK_FALSE(is_platform_class(name));
  }
}

TEST_CASE("a shortened path keeps both ends and the object before the second") {
  const auto whole = shortened({1, 2, 3, 4, 5}, 5);
  CHECK(whole.left_out == 0);
  CHECK(whole.objects.size() == 5);
  const auto ends = shortened({1, 2, 3, 4, 5, 6, 7}, 5);
  CHECK(ends.objects == std::vector<std::uint32_t>{1, 2, 3, 6, 7});
  CHECK(ends.left_out == 2);
  CHECK(ends.left_out_after == 3);
  CHECK(ends.last_left_out == 5);
}

}  // namespace
}  // namespace hprof
