#include "staged_heap.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

TEST_CASE("virtual threads off their carriers: what they retain together, and their stacks") {
  HeapBuilder builder;
  const Id thread_class = builder.class_named("java.lang.Thread");
  const Id base = builder.add_class({.name = "java.lang.BaseVirtualThread", .super = thread_class});
  const Id virtual_class =
      builder.add_class({.name = "java.lang.VirtualThread",
                         .super = base,
                         .fields = {{"state", Type::int32}, {"carrierThread"}, {"cont"}, {"task"}},
                         .statics = {{"NEW", Type::int32, 0},
                                     {"RUNNING", Type::int32, 2},
                                     {"PARKED", Type::int32, 4},
                                     {"TERMINATED", Type::int32, 99}}});
  const Id chunk = builder.add_class(
      {.name = "jdk.internal.vm.StackChunk", .fields = {{"parent"}, {"size", Type::int32}}});
  const Id continuation =
      builder.add_class({.name = "jdk.internal.vm.Continuation", .fields = {{"tail"}}});
  const Id older = builder.add_object(chunk, {{"size", 20}});
  const Id tail = builder.add_object(chunk, {{"parent", older}, {"size", 100}});
  const Id inner = builder.add_object(virtual_class, {{"state", 4}});
  const Id outer = builder.add_object(virtual_class,
                                      {{"state", 4},
                                       {"cont", builder.add_object(continuation, {{"tail", tail}})},
                                       {"task", inner}});
  builder.root(Root::jni_global, outer);
  for (const unsigned state : {0U, 99U}) {
    builder.root(Root::jni_global, builder.add_object(virtual_class, {{"state", state}}));
  }
  builder.root(Root::jni_global,
               builder.add_object(virtual_class, {{"state", 2}, {"carrierThread", outer}}));
  const auto report = StagedHeap(builder).report();
  REQUIRE(report.threads->unmounted);
  CHECK(report.threads->unmounted->threads == 2);
  CHECK(report.threads->unmounted->stack_bytes == 120 * 8);
  const auto& largest = report.threads->threads.front();
  CHECK(largest.address.value == outer);
  CHECK(report.threads->unmounted->retained == largest.retained);
  HeapBuilder without;
  without.add_thread();
  CHECK_FALSE(StagedHeap(without).report().threads->unmounted);
}

}  // namespace
}  // namespace hprof
