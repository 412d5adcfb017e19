#include "staged_heap.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

using test::Encoder;
using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

TEST_CASE("objects are summed up by the stack that allocated them, live ones apart") {
  HeapBuilder builder;
  const Id node = builder.add_class({.name = "demo.Node"});
  builder.root(Root::sticky_class, node);
  builder.class_named("byte[]");
  auto& writer = builder.writer();
  writer.frame(0x51, builder.name("make"), builder.name("()V"), builder.name("Main.java"), 6, 12);
  writer.frame(0x52, builder.name("main"), builder.name("()V"), 0, 6, -3);
  writer.trace(900, 0, {0x51, 0x52});
  writer.trace(901, 0, {0x52});
  writer.trace(902, 0, {});
  const auto object = [&](std::uint32_t trace) {
    const Id id = builder.reserve();
    writer.instance(id, node, {}, trace);
    return id;
  };
  const Id first = object(900);
  object(900);
  const Id second = object(901);
  object(902);
  const Id bytes = builder.reserve(1024);
  const test::Bytes zeros(1000);
  writer.primitive_array(bytes, Type::int8, 1000, zeros, 900);
  for (const Id id : {first, second, bytes}) {
    builder.root(Root::jni_global, id);
  }
  StagedHeap staged(builder);
  const auto sites = *staged.report().allocation_sites;
  CHECK(sites.recorded);
  CHECK(sites.objects == 4);
  CHECK(sites.live_objects == 3);
  CHECK(sites.site_count == 2);
  REQUIRE(sites.sites.size() == 2);
  const auto& big = sites.sites[0];
  CHECK(big.trace_serial == 900);
  CHECK(big.objects == 3);
  CHECK(big.live_objects == 2);
  CHECK(big.class_count == 2);
  CHECK(big.classes.at(0).class_name == "byte[]");
  CHECK(big.classes.at(1).objects == 2);
  CHECK(big.classes.at(1).live_objects == 1);
  REQUIRE(big.frames.size() == 2);
  CHECK(big.frames[0] == "demo.Node.make(Main.java:12)");
  CHECK(big.frames[1] == "demo.Node.main(Native Method)");
  CHECK(sites.live_shallow <= sites.shallow);
}

TEST_CASE("a stack trace without frames is no allocation stack, threads' stacks are none either") {
  HeapBuilder builder;
  const auto thread = builder.add_thread({.name = "main", .frames = {{.method = "run"}}});
  builder.local(thread, builder.add_string("text"));
  StagedHeap staged(builder);
  const auto sites = *staged.report().allocation_sites;
  CHECK_FALSE(sites.recorded);
  CHECK(sites.sites.empty());
}

}  // namespace
}  // namespace hprof
