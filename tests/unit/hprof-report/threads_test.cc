// Threads in the layouts of several JDKs, what their locals retain, and their stacks.
#include "staged_heap.h"
#include "tools/hprof-report/threads/dominating.h"
#include "tools/hprof-report/threads/thread_reader.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace hprof {
namespace {

using test::FrameSpec;
using test::HeapBuilder;
using test::HeapOptions;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::StringLayout;
using test::Type;

constexpr std::uint32_t kParked = 0x291;
constexpr std::uint32_t kSleeping = 0xe1;

HeapOptions jdk8() {
  HeapOptions options;
  options.strings = StringLayout::chars;
  options.thread_fields = {{"name"},
                           {"priority", Type::int32},
                           {"daemon", Type::boolean},
                           {"contextClassLoader"},
                           {"threadStatus", Type::int32}};
  return options;
}

HeapOptions jdk21() {
  HeapOptions options;
  options.thread_fields = {{"name"}, {"contextClassLoader"}, {"holder"}};
  return options;
}

/// A thread object that the caller has made, with a stack.
void start(HeapBuilder& builder, Id object, std::uint32_t serial,
           const std::vector<FrameSpec>& frames) {
  std::vector<Id> ids;
  for (std::uint32_t i = 0; i < frames.size(); ++i) {
    ids.push_back(0x900000 + serial * 0x1000 + i);
    builder.writer().frame(ids.back(), builder.name(frames[i].method),
                           builder.name(frames[i].signature), builder.name(frames[i].source), 0,
                           frames[i].line);
  }
  builder.writer().trace(1000 + serial, serial, ids);
  builder.root(Root::thread_object, object, serial, 1000 + serial);
}

const ThreadRow& thread_at(const Report& report, Id address) {
  const auto& rows = report.threads->threads;
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const ThreadRow& row) { return row.address.value == address; });
  REQUIRE(found != rows.end());
  return *found;
}

TEST_CASE("sets of objects are summed along the dominator tree with nothing counted twice") {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 200; ++round) {
    const std::uint32_t size = 2 + static_cast<std::uint32_t>(random() % 60);
    const bool chain = round % 3 == 0;
    BigArray<std::uint32_t> dominators(size);
    DomtreeSummary summary;
    summary.objects = size;
    summary.reachable_shallow = size;
    RetainedColumn retained(summary);
    std::vector<std::uint64_t> sums(size, 1);
    for (std::uint32_t i = size; i-- > 0;) {
      // A dominator has a lower number here; subtrees are complete when their top is reached.
      const auto above = chain && i != 0 ? i - 1 : static_cast<std::uint32_t>(random() % (i + 1));
      dominators[i] = above == i ? kVirtualRoot : above;
      if (above != i) {
        sums[above] += sums[i];
      }
    }
    for (std::uint32_t i = 0; i < size; ++i) {
      retained.add({.index = i, .retained = sums[i], .units = sums[i]});
    }
    std::vector<std::uint32_t> objects;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (random() % 3 != 0) {
        objects.push_back(i);
      }
    }
    std::shuffle(objects.begin(), objects.end(), random);
    const DominatingObjects dominating(dominators, objects);
    std::vector<std::uint32_t> places;
    std::set<std::uint32_t> below;
    for (const auto object : objects) {
      if (random() % 2 != 0) {
        continue;
      }
      places.push_back(dominating.place_of(object));
      for (std::uint32_t node = 0; node < size; ++node) {
        auto at = node;
        while (at < size && at != object) {
          at = dominators[at];
        }
        if (at == object) {
          below.insert(node);
        }
      }
    }
    CHECK(dominating.retained(places, retained) == below.size());
    for (const auto upper : objects) {
      for (const auto lower : objects) {
        auto at = lower;
        while (at < size && at != upper) {
          at = dominators[at];
        }
        CHECK(dominating.covers(dominating.place_of(upper), dominating.place_of(lower)) ==
              (at == upper));
      }
    }
  }
}

TEST_CASE("a long way that many objects share is climbed about once") {
  constexpr std::uint32_t kLength = 300'000;
  constexpr std::uint32_t kLeaves = 20'000;
  BigArray<std::uint32_t> dominators(kLength + kLeaves);
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t i = 0; i < kLength; ++i) {
    dominators[i] = i == 0 ? kVirtualRoot : i - 1;
  }
  for (std::uint32_t i = 0; i < kLeaves; ++i) {
    dominators[kLength + i] = kLength - 1;
    leaves.push_back(kLength + i);
  }
  leaves.push_back(0);
  const DominatingObjects dominating(dominators, leaves);
  for (std::uint32_t i = 0; i < kLeaves; ++i) {
    REQUIRE(dominating.covers(0, dominating.place_of(kLength + i)));
  }
}

TEST_CASE("a thread of JDK 8 says what its fields say") {
  HeapBuilder builder(jdk8());
  const Id thread_class = builder.class_named("java.lang.Thread");
  const Id loader = builder.add_object(builder.class_named("java.lang.ClassLoader"));
  const std::vector<std::uint8_t> chars{0, 'm', 0, 'a', 0, 'i', 0, 0xfc};
  const Id name = builder.add_primitive_data(Type::character, 4, chars);
  const Id main = builder.add_object(thread_class, {{"name", name},
                                                    {"priority", 5},
                                                    {"daemon", 1},
                                                    {"contextClassLoader", loader},
                                                    {"threadStatus", kParked}});
  const Id fresh = builder.add_object(
      builder.add_class({.name = "demo.Worker", .super = thread_class, .fields = {{"name"}}}),
      {{"java.lang.Thread#name", builder.add_string("worker")}, {"threadStatus", 0}});
  const Id garbage = builder.add_object(thread_class);
  start(builder, main, 1, {});
  builder.root(Root::jni_global, fresh);
  const auto report = StagedHeap(builder).report();
  REQUIRE(report.threads);
  CHECK(report.threads->total == 2);
  CHECK(report.threads->without_stack == 2);
  const auto& row = thread_at(report, main);
  CHECK(row.name == "mai\xc3\xbc");
  CHECK(row.class_name == "java.lang.Thread");
  CHECK(row.kind == ThreadKind::platform);
  CHECK(row.daemon == true);
  CHECK(row.priority == 5);
  CHECK(row.state == "WAITING");
  CHECK(row.state_detail == "parked");
  CHECK(row.state_value == kParked);
  REQUIRE(row.context_class_loader);
  CHECK(row.context_class_loader->starts_with("java.lang.ClassLoader @ 0x"));
  const auto& worker = thread_at(report, fresh);
  CHECK(worker.name == "worker");
  CHECK(worker.class_name == "demo.Worker");
  CHECK(worker.state == "NEW");
  CHECK_FALSE(worker.context_class_loader);
  CHECK(worker.depth == 0);
  for (const auto& listed : report.threads->threads) {
    CHECK(listed.address.value != garbage);
  }
}

TEST_CASE(
    "threads of JDK 19 and later have their fields in a holder, virtual ones their own state") {
  HeapBuilder builder(jdk21());
  const Id thread_class = builder.class_named("java.lang.Thread");
  const Id holder_class = builder.add_class(
      {.name = "java.lang.Thread$FieldHolder",
       .fields = {
           {"priority", Type::int32}, {"daemon", Type::boolean}, {"threadStatus", Type::int32}}});
  const Id base = builder.add_class({.name = "java.lang.BaseVirtualThread", .super = thread_class});
  const Id virtual_class = builder.add_class({.name = "java.lang.VirtualThread",
                                              .super = base,
                                              .fields = {{"state", Type::int32}, {"carrierThread"}},
                                              .statics = {{"RUNNING", Type::int32, 2},
                                                          {"TIMED_PARKED", Type::int32, 7},
                                                          {"PARKED", Type::int32, 4}}});
  const Id carrier = builder.add_object(
      thread_class, {{"name", builder.add_string("carrier")},
                     {"holder", builder.add_object(holder_class, {{"priority", 7},
                                                                  {"daemon", 1},
                                                                  {"threadStatus", kSleeping}})}});
  const Id mounted = builder.add_object(
      virtual_class, {{"name", builder.add_string("")}, {"state", 2}, {"carrierThread", carrier}});
  const Id parked = builder.add_object(virtual_class, {{"state", 0x107}});
  start(builder, carrier, 1, {});
  start(builder, mounted, 2, {{.method = "run"}});
  builder.root(Root::jni_global, parked);
  const auto report = StagedHeap(builder).report();
  const auto& threads = *report.threads;
  CHECK(threads.total == 3);
  CHECK(threads.virtual_threads == 2);
  CHECK(threads.mounted == 1);
  CHECK(threads.virtual_without_stack == 1);
  const auto& platform = thread_at(report, carrier);
  CHECK(platform.priority == 7);
  CHECK(platform.daemon == true);
  CHECK(platform.state == "TIMED_WAITING");
  CHECK(platform.state_detail == "sleeping");
  const auto& running = thread_at(report, mounted);
  CHECK(running.kind == ThreadKind::virtual_thread);
  CHECK(running.name == "");
  CHECK(running.state == "RUNNABLE");
  CHECK(running.carrier == Address{carrier});
  CHECK(running.depth == 1);
  const auto& waiting = thread_at(report, parked);
  CHECK(waiting.state == "TIMED_WAITING");
  CHECK(waiting.state_detail == "timed parked, suspended");
  CHECK_FALSE(waiting.carrier);
  CHECK_FALSE(waiting.name);
}

TEST_CASE("locals retain what hangs on them, once, and a thread is no local of its own") {
  HeapBuilder builder;
  const Id node = builder.add_class({.name = "demo.Node", .fields = {{"next"}}});
  const Id thread_class = builder.class_named("java.lang.Thread");
  const Id last = builder.add_object(node);
  const Id middle = builder.add_object(node, {{"next", last}});
  const Id big = builder.add_zeros(Type::int8, 1000);
  const Id shared = builder.add_zeros(Type::int8, 5000);
  const Id jni = builder.add_zeros(Type::int8, 100);
  const Id thread = builder.add_object(thread_class);
  const Id holder = builder.add_array("java.lang.Thread[]", {thread});
  builder.root(Root::jni_global, shared);
  start(builder, thread, 9, {{.method = "top"}, {.method = "bottom"}});
  builder.root(Root::java_frame, middle, 9, 0);
  builder.root(Root::java_frame, last, 9, 0);
  builder.root(Root::java_frame, thread, 9, 0);
  builder.root(Root::java_frame, big, 9, 1);
  builder.root(Root::java_frame, middle, 9, 1);
  builder.root(Root::java_frame, shared, 9, 1);
  builder.root(Root::java_frame, holder, 9, 1);
  builder.root(Root::jni_local, jni, 9, 0xffffffff);
  const auto report = StagedHeap(builder).report();
  const auto& row = thread_at(report, thread);
  const std::uint64_t node_bytes = row.shallow;  // one reference field each
  const auto array_bytes = [](std::uint64_t count) { return 8 + 8 + 4 + count + 4; };
  // last: reachable through middle and the thread, so the thread dominates it.
  CHECK(row.locals == 6);
  REQUIRE(row.frames);
  REQUIRE(row.frames->size() == 3);
  const auto& top = row.frames->at(0);
  CHECK(top.frame == 0);
  CHECK(top.root_type == "Java Local");
  CHECK(top.locals == 2);
  CHECK(top.retained == 2 * node_bytes);
  const auto& bottom = row.frames->at(1);
  CHECK(bottom.frame == 1);
  CHECK(bottom.locals == 4);
  const auto& native = row.frames->at(2);
  CHECK_FALSE(native.frame);
  CHECK(native.root_type == "JNI Local");
  CHECK(native.locals == 1);
  REQUIRE(row.largest_local);
  CHECK(row.largest_local->address.value == shared);
  REQUIRE(row.largest_locals);
  REQUIRE(row.largest_locals->size() == 6);
  const auto size_of = [&](Id id) {
    for (const auto& local : *row.largest_locals) {
      if (local.object.address.value == id) {
        return local.object.retained;
      }
    }
    return std::uint64_t{0};
  };
  for (const auto& local : *row.largest_locals) {
    CHECK(local.held_elsewhere == (local.object.address.value == shared));
  }
  CHECK(size_of(shared) == array_bytes(5000));
  CHECK(size_of(middle) == node_bytes);
  CHECK(bottom.retained == size_of(big) + size_of(middle) + size_of(shared) + size_of(holder));
  CHECK(row.locals_retained ==
        size_of(big) + size_of(middle) + size_of(holder) + size_of(last) + size_of(jni));
}

TEST_CASE("of very many frames with locals those that retain most are kept, from the top") {
  HeapBuilder builder;
  const auto rank_of = [](std::uint32_t frame) { return frame * 37 % 100; };
  const auto thread = builder.add_thread({.frames = std::vector<FrameSpec>(100)});
  for (std::uint32_t frame = 0; frame < 100; ++frame) {
    builder.local(thread, builder.add_zeros(Type::int64, rank_of(frame)), frame);
  }
  const auto report = StagedHeap(builder).report();
  const auto& frames = *thread_at(report, thread.object).frames;
  REQUIRE(frames.size() == 64);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    CHECK(rank_of(static_cast<std::uint32_t>(frames[i].frame.value())) >= 36);
    CHECK((i == 0 || frames[i - 1].frame < frames[i].frame));
  }
}

TEST_CASE("the thread that ran out of memory is found by its stack, or by the error it holds") {
  HeapBuilder builder;
  const Id error = builder.add_class({.name = "java.lang.OutOfMemoryError"});
  const auto thrower = builder.add_thread(
      {.name = "thrower",
       .frames = {{.method = "<init>", .class_address = error}, {.method = "fill"}}});
  const auto holder = builder.add_thread({.name = "holder", .frames = {{.method = "log"}}});
  const auto other = builder.add_thread(
      {.name = "other",
       .frames = {{.method = "fill"}, {.method = "<init>", .class_address = error}}});
  builder.local(holder, builder.add_object(error));
  const auto report = StagedHeap(builder).report();
  CHECK(thread_at(report, thrower.object).out_of_memory == OutOfMemorySign::thrown);
  CHECK(thread_at(report, holder.object).out_of_memory == OutOfMemorySign::local);
  CHECK_FALSE(thread_at(report, other.object).out_of_memory);
}

TEST_CASE("equal stacks are one stack, by what their frames say") {
  HeapBuilder builder;
  const std::vector<FrameSpec> wait{{.method = "wait", .line = -3}, {.method = "run", .line = 7}};
  for (unsigned i = 0; i < 4; ++i) {
    builder.add_thread({.name = "pool", .frames = wait});
  }
  builder.add_thread(
      {.name = "line", .frames = {{.method = "wait", .line = -3}, {.method = "run", .line = 8}}});
  builder.add_thread({.name = "none"});
  const auto report = StagedHeap(builder).report();
  const auto& threads = *report.threads;
  CHECK(threads.total == 6);
  CHECK(threads.distinct_stacks == 2);
  REQUIRE(threads.stacks.size() == 2);
  CHECK(threads.stacks[0].threads == 4);
  CHECK(threads.stacks[0].depth == 2);
  CHECK(threads.stacks[0].frames[0].native);
  CHECK_FALSE(threads.stacks[0].frames[0].line);
  CHECK(threads.stacks[0].frames[1].line == 7);
  CHECK(threads.stacks[0].retained == 4 * threads.threads[0].retained);
  CHECK(threads.without_stack == 1);
  std::uint64_t in_first = 0;
  for (std::size_t i = 0; i < threads.threads.size(); ++i) {
    const auto& row = threads.threads[i];
    in_first += row.stack == 0 ? 1 : 0;
    if (i != 0) {
      const auto& before = threads.threads[i - 1];
      CHECK((before.retained > row.retained ||
             (before.retained == row.retained && before.address < row.address)));
    }
  }
  CHECK(in_first == 4);
}

TEST_CASE("without the dump the threads are there, without their names") {
  HeapBuilder builder;
  const auto main = builder.add_thread({.frames = {{.method = "main"}}});
  const StagedHeap heap(builder);
  CHECK(std::remove(heap.dump().c_str()) == 0);
  const auto report = heap.report();
  const auto& row = thread_at(report, main.object);
  CHECK_FALSE(row.name);
  CHECK(row.depth == 1);
  REQUIRE(report.not_covered);
  CHECK(std::any_of(report.not_covered->begin(), report.not_covered->end(),
                    [](const NotCovered& gap) { return gap.section == "threads"; }));
}

TEST_CASE("thread states are those of java.lang.Thread.State") {
  CHECK(platform_state(0) == "NEW");
  CHECK(platform_state(0x5) == "RUNNABLE");
  CHECK(platform_state(0x1) == "RUNNABLE");
  CHECK(platform_state(0x401) == "BLOCKED");
  CHECK(platform_state(0x191) == "WAITING");
  CHECK(platform_state(0x1a1) == "TIMED_WAITING");
  CHECK(platform_state(0x2) == "TERMINATED");
  CHECK(state_detail(0x1a1) == "in Object.wait");
  CHECK(state_detail(0x400005) == "native code");
  CHECK(state_detail(0x5).empty());
}

}  // namespace
}  // namespace hprof
