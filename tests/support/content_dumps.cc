// Heaps about who made, loaded or repeated what.
#include "tests/support/hprof_builder.h"
#include "tests/support/story_dumps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::test {
namespace {

/// Objects that are written with the stack that made them, which HeapBuilder has no words for.
class Allocations {
 public:
  explicit Allocations(HeapBuilder& heap)
      : heap_(heap), node_(heap.add_class({.name = "demo.Node"})) {
    heap.class_named("byte[]");
    frame(kReadLine, "readLine", 31);
    frame(kParse, "parse", 12);
    frame(kMain, "main", 5);
    heap.writer().trace(kByReading, 0, {kReadLine, kParse, kMain});
    heap.writer().trace(kByParsing, 0, {kParse, kMain});
    heap.root(Root::sticky_class, node_);
  }

  void node(std::uint32_t trace, bool live) {
    const Id object = heap_.reserve();
    heap_.writer().instance(object, node_, {}, trace);
    keep(object, live);
  }

  void bytes(std::uint32_t count, std::uint32_t trace, bool live) {
    const Id array = heap_.reserve(count + 24);
    heap_.writer().primitive_array(array, Type::int8, count, Bytes(count), trace);
    keep(array, live);
  }

  static constexpr std::uint32_t kByReading = 900;
  static constexpr std::uint32_t kByParsing = 901;

 private:
  static constexpr Id kReadLine = 0x51;
  static constexpr Id kParse = 0x52;
  static constexpr Id kMain = 0x53;

  void frame(Id id, const char* method, std::int32_t line) {
    heap_.writer().frame(id, heap_.name(method), heap_.name("()V"), heap_.name("Reader.java"),
                         kClassSerial, line);
  }

  void keep(Id object, bool live) {
    if (live) {
      heap_.root(Root::jni_global, object);
    }
  }

  static constexpr std::uint32_t kClassSerial = 6;  // demo.Node, the first after the core classes

  HeapBuilder& heap_;
  Id node_;
};

}  // namespace

void write_allocations(const std::string& path, std::uint64_t) {
  HeapBuilder heap({.format = {.version = "JAVA PROFILE 1.0.1"},
                    .segment = Record::heap_dump,
                    .dotted_names = true,
                    .strings = StringLayout::chars},
                   path);
  Allocations allocations(heap);
  for (std::uint32_t i = 0; i < 6; ++i) {
    allocations.bytes(200 + i, Allocations::kByReading, i % 3 != 0);
    allocations.node(Allocations::kByParsing, i % 2 == 0);
  }
  allocations.bytes(400, Allocations::kByParsing, true);
  heap.finish();
}

void write_plugins(const std::string& path, std::uint64_t count) {
  HeapBuilder heap({.reference_size = 4}, path);
  const Id loader_class = heap.add_class(
      {.name = "demo.PluginLoader", .super = heap.class_named("java.lang.ClassLoader")});
  std::vector<Id> plugins;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Id loader = heap.add_object(loader_class);
    const Id cache = heap.add_zeros(Type::int8, 3000);
    const Id help = heap.add_object(heap.add_class({.name = "plugin.Help", .loader = loader}));
    const Id plugin =
        heap.add_class({.name = "plugin.Main",
                        .statics = {{"cache", Type::object, cache}, {"help", Type::object, help}},
                        .loader = loader});
    plugins.push_back(heap.add_object(plugin));
  }
  const Id hooks = heap.add_array("java.lang.Object[]", plugins);
  heap.root(Root::sticky_class,
            heap.add_class({.name = "demo.Hooks", .statics = {{"ALL", Type::object, hooks}}}));
  heap.finish();
}

void write_duplicates(const std::string& path, std::uint64_t) {
  HeapBuilder heap({.reference_size = 4}, path);
  const Id list = heap.add_class(
      {.name = "java.util.ArrayList", .fields = {{"elementData"}, {"size", Type::int32}}});
  const Id integer =
      heap.add_class({.name = "java.lang.Integer", .fields = {{"value", Type::int32}}});
  const Id order =
      heap.add_class({.name = "demo.Order",
                      .fields = {{"country"}, {"customer"}, {"amount"}, {"lines"}, {"scan"}}});
  std::vector<Id> orders(64);
  for (std::uint32_t i = 0; i < 24; ++i) {
    const Id slots = heap.add_array("java.lang.Object[]", {heap.add_string("one line"), 0, 0, 0});
    orders[i] = heap.add_object(
        order, {{"country", heap.add_string(i % 3 == 0 ? "Switzerland" : "United Kingdom")},
                {"customer", heap.add_string("customer " + std::to_string(i))},
                {"amount", heap.add_object(integer, {{"value", i % 4}})},
                {"lines", heap.add_object(list, {{"elementData", slots}, {"size", 1}})},
                {"scan", heap.add_zeros(Type::int8, 100 + 50 * (i % 2))}});
  }
  const Id elements = heap.add_array("java.lang.Object[]", orders);
  const Id all = heap.add_object(list, {{"elementData", elements}, {"size", 24}});
  heap.root(Root::sticky_class,
            heap.add_class({.name = "demo.Shop", .statics = {{"ORDERS", Type::object, all}}}));
  heap.finish();
}

}  // namespace hprof::test
