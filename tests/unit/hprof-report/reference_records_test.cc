#include "reference_classes.h"
#include "staged_heap.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::ReferenceClasses;
using test::Root;
using test::StagedHeap;
using test::Type;

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

}  // namespace
}  // namespace hprof
