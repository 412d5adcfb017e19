// Rules of the triage on dumps: one that fires each, and a sibling that does not.
#include "staged_heap.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

constexpr std::uint32_t kMiB = 1U << 20U;

bool speaks(HeapBuilder& builder, const std::string& rule) {
  const auto report = StagedHeap(builder).report({"--sections", "triage"});
  const auto& findings = report.triage->findings;
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.rule == rule; });
}

/// Arrays of a mebibyte each, held by one class.
void add_ordinary(HeapBuilder& builder, unsigned count) {
  std::vector<Id> arrays;
  for (unsigned i = 0; i < count; ++i) {
    arrays.push_back(builder.add_zeros(Type::int8, kMiB));
  }
  builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", arrays));
}

TEST_CASE("one huge array, and the same bytes in many arrays") {
  HeapBuilder one;
  one.root(Root::jni_global, one.add_zeros(Type::int8, 17 * kMiB));
  CHECK(speaks(one, "big-array"));
  HeapBuilder many;
  add_ordinary(many, 17);
  CHECK_FALSE(speaks(many, "big-array"));
}

TEST_CASE("garbage, and the same objects held") {
  HeapBuilder dropped;
  add_ordinary(dropped, 4);
  dropped.add_zeros(Type::int8, 2 * kMiB);
  CHECK(speaks(dropped, "garbage"));
  HeapBuilder held;
  add_ordinary(held, 4);
  held.root(Root::jni_global, held.add_zeros(Type::int8, 2 * kMiB));
  CHECK_FALSE(speaks(held, "garbage"));
}

TEST_CASE("one kind of GC root, and three kinds that share the heap") {
  HeapBuilder one;
  add_ordinary(one, 4);
  CHECK(speaks(one, "root-kind"));
  HeapBuilder three;
  for (const auto root : {Root::jni_global, Root::monitor_used, Root::native_stack}) {
    three.root(root, three.add_zeros(Type::int8, kMiB));
  }
  CHECK_FALSE(speaks(three, "root-kind"));
}

/// A list of plug-ins, each of a loader of its own.
void add_plugins(HeapBuilder& builder, unsigned count, bool same_class) {
  const Id loader_class = builder.add_class(
      {.name = "app.PluginLoader", .super = builder.class_named("java.lang.ClassLoader")});
  std::vector<Id> plugins;
  for (unsigned i = 0; i < count; ++i) {
    const Id plugin =
        builder.add_class({.name = same_class ? "plugin.Main" : "plugin.Main" + std::to_string(i),
                           .statics = {{"data", Type::object, builder.add_zeros(Type::int8, kMiB)}},
                           .loader = builder.add_object(loader_class)});
    plugins.push_back(builder.add_object(plugin));
  }
  builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", plugins));
}

TEST_CASE("class loaders that pile up, and plug-ins side by side") {
  HeapBuilder copies;
  add_plugins(copies, 4, true);
  CHECK(speaks(copies, "loader-leak"));
  HeapBuilder plugins;
  add_plugins(plugins, 4, false);
  CHECK_FALSE(speaks(plugins, "loader-leak"));
}

/// Objects of a class with one int, in an array.
void add_numbers(HeapBuilder& builder, const std::string& class_name, unsigned count) {
  const Id number = builder.add_class({.name = class_name, .fields = {{"value", Type::int32}}});
  std::vector<Id> numbers;
  for (unsigned i = 0; i < count; ++i) {
    numbers.push_back(builder.add_object(number, {{"value", i}}));
  }
  builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", numbers));
}

TEST_CASE("boxed numbers, and as many numbers of the application") {
  HeapBuilder boxed({.reference_size = 4});
  add_numbers(boxed, "java.lang.Integer", 300'000);
  CHECK(speaks(boxed, "boxed-numbers"));
  HeapBuilder own({.reference_size = 4});
  add_numbers(own, "app.Number", 300'000);
  CHECK_FALSE(speaks(own, "boxed-numbers"));
}

/// 500 objects with an array each, in an array that a static field or a local variable leads to.
void add_hoard(HeapBuilder& builder, const std::string& class_name, bool in_static_field) {
  const Id element = builder.add_class({.name = class_name, .fields = {{"content"}}});
  std::vector<Id> elements;
  for (unsigned i = 0; i < 500; ++i) {
    elements.push_back(
        builder.add_object(element, {{"content", builder.add_zeros(Type::int8, 1000)}}));
  }
  const Id array = builder.add_array("java.lang.Object[]", elements);
  const Id shop = builder.add_class(
      {.name = "app.Shop", .statics = {{"all", Type::object, in_static_field ? array : 0}}});
  builder.root(Root::jni_global, shop);
  if (!in_static_field) {
    builder.local(builder.add_thread({.frames = {{.class_address = shop}}}), array);
  }
}

TEST_CASE("a static field that keeps all orders, or all listeners, and a thread at work") {
  const auto speaking = [](const std::string& class_name, bool in_static_field) {
    std::vector<std::string> out;
    for (const auto* rule : {"hoard", "listener-leak", "static-anchor"}) {
      HeapBuilder builder;
      add_hoard(builder, class_name, in_static_field);
      if (speaks(builder, rule)) {
        out.emplace_back(rule);
      }
    }
    return out;
  };
  CHECK(speaking("app.Order", true) == std::vector<std::string>{"hoard"});
  CHECK(speaking("app.Listener", true) == std::vector<std::string>{"listener-leak"});
  CHECK(speaking("java.util.Date", true) == std::vector<std::string>{"static-anchor"});
  CHECK(speaking("app.Order", false).empty());
}

}  // namespace
}  // namespace hprof
