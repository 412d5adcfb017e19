// Heaps that differ in the one thing that a rule looks at.
#include "triage_heaps.h"

#include "reference_classes.h"

#include <string>

namespace hprof::test {
namespace {

constexpr std::uint32_t kMiB = 1U << 20U;

/// Holds objects by an array with a root.
void hold(HeapBuilder& heap, const std::vector<Id>& objects) {
  heap.root(Root::jni_global, heap.add_array("java.lang.Object[]", objects));
}

/// Arrays of a mebibyte each in one array.
template <unsigned kCount>
void arrays(HeapBuilder& heap) {
  std::vector<Id> all;
  for (unsigned i = 0; i < kCount; ++i) {
    all.push_back(heap.add_zeros(Type::int8, kMiB));
  }
  hold(heap, all);
}

/// Plug-ins of a loader each, of the same class or of different ones.
template <bool kSameClass>
void plugins(HeapBuilder& heap) {
  const Id loader_class = heap.add_class(
      {.name = "app.PluginLoader", .super = heap.class_named("java.lang.ClassLoader")});
  std::vector<Id> all;
  for (unsigned i = 0; i < 4; ++i) {
    const Id plugin =
        heap.add_class({.name = kSameClass ? "plugin.Main" : "plugin.Main" + std::to_string(i),
                        .statics = {{"data", Type::object, heap.add_zeros(Type::int8, kMiB)}},
                        .loader = heap.add_object(loader_class)});
    all.push_back(heap.add_object(plugin));
  }
  hold(heap, all);
}

/// A thread with a value of 100 KiB in each of twenty ThreadLocals.
template <bool kKeysAreHeld>
void thread_locals(HeapBuilder& heap) {
  const ReferenceClasses classes(heap);
  const Id local = heap.add_class({.name = "java.lang.ThreadLocal"});
  const Id entry = heap.add_class({.name = "java.lang.ThreadLocal$ThreadLocalMap$Entry",
                                   .super = classes.weak,
                                   .fields = {{"value"}}});
  const Id map =
      heap.add_class({.name = "java.lang.ThreadLocal$ThreadLocalMap", .fields = {{"table"}}});
  const Id worker = heap.add_class(
      {.name = "app.Worker", .super = heap.class_named("java.lang.Thread"), .fields = {{"own"}}});
  std::vector<Id> keys;
  std::vector<Id> entries;
  for (unsigned i = 0; i < 20; ++i) {
    keys.push_back(heap.add_object(local));
    entries.push_back(heap.add_object(entry, {{"referent", kKeysAreHeld ? keys.back() : 0},
                                              {"value", heap.add_zeros(Type::int8, 100 * 1024)}}));
  }
  hold(heap, keys);
  const Id table = heap.add_array("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", entries);
  heap.start_thread(
      heap.add_object(worker, {{"threadLocals", heap.add_object(map, {{"table", table}})}}), {});
}

/// 200 objects of 10 KiB with a finalizer, which may wait for it.
template <bool kWaiting>
void finalizers(HeapBuilder& heap) {
  const ReferenceClasses classes(heap);
  const Id mark = heap.reserve();
  const Id queue = heap.add_class(
      {.name = "java.lang.ref.ReferenceQueue", .statics = {{"ENQUEUED", Type::object, mark}}});
  heap.add_object(queue, {}, mark);
  heap.root(Root::sticky_class, queue);
  const Id finalizer = heap.add_class({.name = "java.lang.ref.Finalizer", .super = classes.final});
  std::vector<Id> all;
  for (unsigned i = 0; i < 200; ++i) {
    all.push_back(heap.add_object(finalizer, {{"referent", heap.add_zeros(Type::int8, 10 * 1024)},
                                              {"queue", kWaiting ? mark : 0}}));
  }
  hold(heap, all);
}

/// A weak map with twenty keys of 100 KiB, whose values may lead back to them.
template <bool kValuesHoldKeys>
void weak_keys(HeapBuilder& heap) {
  const ReferenceClasses classes(heap);
  const Id entry = heap.add_class(
      {.name = "java.util.WeakHashMap$Entry", .super = classes.weak, .fields = {{"value"}}});
  std::vector<Id> entries;
  for (unsigned i = 0; i < 20; ++i) {
    const Id key = heap.add_zeros(Type::int8, 100 * 1024);
    const Id value = heap.add_array("java.lang.Object[]", {kValuesHoldKeys ? key : 0});
    entries.push_back(heap.add_object(entry, {{"referent", key}, {"value", value}}));
  }
  hold(heap, entries);
}

enum class Anchor { static_field, local };

/// 500 objects with an array each, in an array that a static field or a local variable leads to.
void add_hoard(HeapBuilder& heap, const char* class_name, Anchor anchor) {
  const Id element = heap.add_class({.name = class_name, .fields = {{"content"}}});
  std::vector<Id> elements;
  for (unsigned i = 0; i < 500; ++i) {
    elements.push_back(heap.add_object(element, {{"content", heap.add_zeros(Type::int8, 1000)}}));
  }
  const Id array = heap.add_array("java.lang.Object[]", elements);
  const Id in_field = anchor == Anchor::static_field ? array : 0;
  const Id shop =
      heap.add_class({.name = "app.Shop", .statics = {{"all", Type::object, in_field}}});
  heap.root(Root::jni_global, shop);
  if (anchor == Anchor::local) {
    heap.local(heap.add_thread({.frames = {{.class_address = shop}}}), array);
  }
}

void orders(HeapBuilder& heap) {
  add_hoard(heap, "app.Order", Anchor::static_field);
}

void orders_at_work(HeapBuilder& heap) {
  add_hoard(heap, "app.Order", Anchor::local);
}

void listeners(HeapBuilder& heap) {
  add_hoard(heap, "app.Listener", Anchor::static_field);
}

void dates(HeapBuilder& heap) {
  add_hoard(heap, "java.util.Date", Anchor::static_field);
}

/// A thread that has an OutOfMemoryError, newly made or from long ago.
template <bool kThrowing>
void error(HeapBuilder& heap) {
  const Id type = heap.add_class({.name = "java.lang.OutOfMemoryError"});
  const Id app = heap.add_class({.name = "app.Main"});
  const auto thread =
      heap.add_thread({.frames = {{.method = "<init>", .class_address = kThrowing ? type : app},
                                  {.method = "load", .class_address = app}}});
  heap.local(thread, heap.add_object(type));
}

void damaged(HeapBuilder& heap) {
  arrays<4>(heap);
  heap.writer().heap_raw({0x77, 1, 2, 3});
}

void one_array(HeapBuilder& heap) {
  heap.root(Root::jni_global, heap.add_zeros(Type::int8, 17 * kMiB));
}

/// The only root is none of the objects: nothing is reachable, so there is no dominator tree.
void nothing(HeapBuilder& heap) {
  heap.root(Root::sticky_class, 0xdead000);
  heap.add_zeros(Type::int8, 100);
}

/// A list of `kElements` arrays of 10 KiB.
template <unsigned kElements>
void list(HeapBuilder& heap) {
  const Id type = heap.add_class(
      {.name = "java.util.ArrayList", .fields = {{"elementData"}, {"size", Type::int32}}});
  std::vector<Id> elements;
  for (unsigned i = 0; i < kElements; ++i) {
    elements.push_back(heap.add_zeros(Type::int8, 10 * 1024));
  }
  const Id all = heap.add_object(
      type, {{"elementData", heap.add_array("java.lang.Object[]", elements)}, {"size", kElements}});
  heap.root(Root::jni_global,
            heap.add_class({.name = "app.Store", .statics = {{"ALL", Type::object, all}}}));
}

/// A mebibyte that a thread has on its stack, or that it only shares with a root.
template <bool kAlone>
void thread(HeapBuilder& heap) {
  const Id array = heap.add_zeros(Type::int8, kMiB);
  heap.local(heap.add_thread({.frames = {{.method = "work"}}}), array);
  if (!kAlone) {
    heap.root(Root::jni_global, array);
  }
}

void three_kinds_of_roots(HeapBuilder& heap) {
  for (const auto kind : {Root::jni_global, Root::monitor_used, Root::native_stack}) {
    heap.root(kind, heap.add_zeros(Type::int8, kMiB));
  }
}

/// Two mebibytes that nothing may hold.
template <bool kHeld>
void dropped(HeapBuilder& heap) {
  arrays<4>(heap);
  const Id array = heap.add_zeros(Type::int8, 2 * kMiB);
  if (kHeld) {
    heap.root(Root::jni_global, array);
  }
}

/// As much unreachable, of which the garbage collector likely made nearly all.
void filler(HeapBuilder& heap) {
  arrays<4>(heap);
  heap.add_zeros(Type::int32, 2 * kMiB);
  heap.add_zeros(Type::int8, kMiB / 2);
}

template <std::uint32_t kMebibytes>
void buffer(HeapBuilder& heap) {
  const Id base = heap.add_class(
      {.name = "java.nio.Buffer", .fields = {{"capacity", Type::int32}, {"address", Type::int64}}});
  const Id direct =
      heap.add_class({.name = "java.nio.DirectByteBuffer", .super = base, .fields = {{"cleaner"}}});
  const Id cleaner = heap.add_object(heap.add_class({.name = "jdk.internal.ref.Cleaner"}));
  heap.root(Root::jni_global, heap.add_object(direct, {{"capacity", kMebibytes * kMiB},
                                                       {"address", 0x7f0000000000},
                                                       {"cleaner", cleaner}}));
}

/// 3000 lists of arrays with 500 slots, of which few or all are in use.
template <unsigned kUsed>
void roomy_lists(HeapBuilder& heap) {
  const Id type = heap.add_class(
      {.name = "java.util.ArrayList", .fields = {{"elementData"}, {"size", Type::int32}}});
  const Id element = heap.add_object(heap.add_class({.name = "app.Item"}));
  std::vector<Id> slots(500);
  std::fill_n(slots.begin(), kUsed, element);
  std::vector<Id> lists;
  for (unsigned i = 0; i < 3000; ++i) {
    const Id array = heap.add_array("java.lang.Object[]", slots);
    lists.push_back(heap.add_object(type, {{"elementData", array}, {"size", kUsed}}));
  }
  hold(heap, lists);
}

/// 300 000 objects with an int.
void add_numbers(HeapBuilder& heap, const char* class_name) {
  const Id type = heap.add_class({.name = class_name, .fields = {{"value", Type::int32}}});
  std::vector<Id> numbers;
  for (unsigned i = 0; i < 300'000; ++i) {
    numbers.push_back(heap.add_object(type, {{"value", i}}));
  }
  hold(heap, numbers);
}

void boxes(HeapBuilder& heap) {
  add_numbers(heap, "java.lang.Integer");
}

void own_numbers(HeapBuilder& heap) {
  add_numbers(heap, "app.Number");
}

}  // namespace

const std::vector<RuleHeaps>& rule_heaps() {
  static const std::vector<RuleHeaps> all{
      {"loader-leak", plugins<true>, plugins<false>},
      {"thread-local-leak", thread_locals<false>, thread_locals<true>},
      {"finalizer-backlog", finalizers<true>, finalizers<false>},
      {"self-held-keys", weak_keys<true>, weak_keys<false>},
      {"listener-leak", listeners, orders},
      {"hoard", orders, orders_at_work},
      {"out-of-memory", error<true>, error<false>},
      {"damaged", damaged, arrays<4>},
      {"big-array", one_array, arrays<17>},
      {"shape", arrays<4>, nothing},
      {"one-or-many", arrays<4>, nothing},
      {"big-collection", list<100>, list<99>},
      {"static-anchor", dates, orders_at_work},
      {"big-thread", thread<true>, thread<false>},
      {"root-kind", arrays<4>, three_kinds_of_roots},
      {"garbage", dropped<false>, dropped<true>},
      {"garbage", dropped<false>, filler},
      {"off-heap", buffer<64>, buffer<63>},
      {"over-capacity", roomy_lists<2>, roomy_lists<500>},
      {"boxed-numbers", boxes, own_numbers},
  };
  return all;
}

}  // namespace hprof::test
