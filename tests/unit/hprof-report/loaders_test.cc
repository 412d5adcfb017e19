#include "staged_heap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace hprof {
namespace {

using test::CoreClasses;
using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

/// Loaders as of JDK 9: an application loader with a name, and `plugins` plug-in loaders below it,
/// each of which has defined demo.Plugin with `bytes` of data in a static field.
struct PluginHeap {
  explicit PluginHeap(unsigned plugins, std::uint32_t bytes = 1000)
      : builder({.core = CoreClasses::none}) {
    builder.add_class({.name = "java.lang.Object", .super = 0});
    builder.add_class({.name = "java.lang.Class"});
    loader_class =
        builder.add_class({.name = "java.lang.ClassLoader", .fields = {{"parent"}, {"name"}}});
    builder.add_class({.name = "java.lang.String",
                       .fields = {{"value"}, {"hash", Type::int32}, {"coder", Type::int8}}});
    const Id own = builder.add_class({.name = "demo.Loader", .super = loader_class});
    app = builder.add_object(own, {{"name", builder.add_string("app")}});
    builder.root(Root::jni_global, app);
    for (unsigned i = 0; i < plugins; ++i) {
      const Id loader = builder.add_object(own, {{"parent", app}});
      plugin_loaders.push_back(loader);
      const Id plugin = builder.add_class(
          {.name = "demo.Plugin",
           .statics = {{"data", Type::object, builder.add_zeros(Type::int8, bytes)}},
           .loader = loader});
      builder.add_class({.name = "demo.Only" + std::to_string(i), .loader = loader});
      builder.root(Root::jni_global, builder.add_object(plugin));
    }
    builder.add_class({.name = "demo.Main", .loader = app});
    builder.root(Root::jni_global, builder.add_object(builder.class_named("demo.Main")));
  }

  HeapBuilder builder;
  Id loader_class = 0;
  Id app = 0;
  std::vector<Id> plugin_loaders;
};

const ClassLoaderRow& loader_at(const Report& report, Id address) {
  const auto& rows = *report.overview.class_loaders;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const ClassLoaderRow& row) {
    return row.address == Address{address};
  });
  REQUIRE(found != rows.end());
  return *found;
}

TEST_CASE("class loaders: name, parent, what they defined and retain") {
  PluginHeap heap(3);
  const StagedHeap staged(heap.builder);
  const auto report = staged.report();
  CHECK(report.overview.class_loaders->size() == report.overview.classloaders_loaded);
  const auto& boot = loader_at(report, 0);
  CHECK(boot.label == "<system class loader>");
  CHECK(boot.class_name == "java.lang.ClassLoader");
  CHECK_FALSE(boot.parent_address.has_value());
  const auto& app = loader_at(report, heap.app);
  CHECK(app.class_name == "demo.Loader");
  CHECK(app.name == "app");
  CHECK(app.parent_address == Address{0});
  CHECK(app.parent_label == "<system class loader>");
  CHECK(app.classes == 1);
  CHECK(app.duplicate_classes == 0);
  CHECK(app.instances == 1);
  const auto& plugin = loader_at(report, heap.plugin_loaders[1]);
  CHECK_FALSE(plugin.name.has_value());
  CHECK(plugin.parent_address == Address{heap.app});
  CHECK(plugin.parent_label == app.label);
  CHECK(plugin.classes == 1);
  CHECK(plugin.duplicate_classes == 1);
  CHECK(plugin.instances == 1);
  CHECK(plugin.retained > 1000);
  std::uint64_t retained = 0;
  for (const auto& row : *report.overview.class_loaders) {
    retained += row.retained;
  }
  CHECK(retained == report.overview.total_shallow);
}

TEST_CASE("class loaders without the dump have neither name nor parent, and say nothing wrong") {
  PluginHeap heap(2);
  const StagedHeap staged(heap.builder);
  std::filesystem::remove(staged.dump());
  const auto report = staged.report();
  const auto& plugin = loader_at(report, heap.plugin_loaders[1]);
  CHECK_FALSE(plugin.parent_address.has_value());
  CHECK_FALSE(plugin.name.has_value());
}

TEST_CASE("duplicate classes: names with several loaders, with all of their loaders counted") {
  PluginHeap heap(12);
  const StagedHeap staged(heap.builder);
  const auto report = staged.report();
  CHECK(report.overview.duplicate_class_names == 1);
  REQUIRE(report.overview.duplicate_classes->size() == 1);
  const auto& row = report.overview.duplicate_classes->front();
  CHECK(row.class_name == "demo.Plugin");
  CHECK(row.count == 12);
  CHECK(row.instances == 12);
  CHECK(row.loaders.size() == 10);
  CHECK(row.loaders[0].address == Address{heap.plugin_loaders[0]});
}

TEST_CASE("components add up to the used heap, however few are listed") {
  for (const char* detail : {"minimal", "default", "max"}) {
    PluginHeap heap(150);
    const StagedHeap staged(heap.builder);
    const auto report = staged.report({std::string("--detail=") + detail});
    const auto& components = *report.components;
    std::uint64_t retained = components.others_retained;
    std::uint64_t objects = components.others_objects;
    std::uint64_t basis_points = components.others_retained_bp;
    for (const auto& component : components.components) {
      retained += component.retained;
      objects += component.objects;
      basis_points += component.retained_bp;
      std::uint64_t of_classes = 0;
      for (const auto& row : component.top_classes) {
        of_classes += row.retained;
      }
      CHECK(of_classes == component.retained);
    }
    CHECK(retained == report.overview.total_shallow);
    CHECK(objects == report.overview.total_objects);
    CHECK(basis_points <= 10'000);
    CHECK(components.components.size() + components.others == 152);
    const auto& by_class = components.loader_classes;
    REQUIRE(by_class.size() == 2);
    CHECK(by_class[0].class_name == "demo.Loader");
    CHECK(by_class[0].class_loaders == 151);
    CHECK(by_class[0].retained + by_class[1].retained == report.overview.total_shallow);
    CHECK(by_class[0].objects + by_class[1].objects == report.overview.total_objects);
  }
}

TEST_CASE(
    "what would go away with a component: its arrays, those without elements, its references") {
  PluginHeap heap(1);
  auto& builder = heap.builder;
  const Id reference =
      builder.add_class({.name = "java.lang.ref.Reference", .fields = {{"referent"}}});
  const Id soft = builder.add_class({.name = "java.lang.ref.SoftReference", .super = reference});
  const Id own = builder.add_class({.name = "demo.Cached", .super = soft, .loader = heap.app});
  const Id weak = builder.add_class({.name = "java.lang.ref.WeakReference", .super = reference});
  const Id holder =
      builder.add_class({.name = "demo.Holder", .fields = {{"all"}}, .loader = heap.app});
  const Id all = builder.add_array(
      "java.lang.Object[]",
      {builder.add_zeros(Type::int32, 0), builder.add_zeros(Type::int32, 0),
       builder.add_zeros(Type::int32, 5000), builder.add_object(own), builder.add_object(soft),
       builder.add_object(soft), builder.add_object(weak)});
  builder.root(Root::jni_global, builder.add_object(holder, {{"all", all}}));
  const auto report = StagedHeap(builder).report();
  const auto& components = report.components->components;
  const auto found = std::find_if(components.begin(), components.end(), [&](const Component& one) {
    return one.address == Address{heap.app};
  });
  REQUIRE(found != components.end());
  const auto& set = *found->retained_set;
  REQUIRE(set.arrays->size() >= 2);
  const auto& ints = set.arrays->front();
  CHECK(ints.class_name == "int[]");
  CHECK(ints.arrays == 3);
  CHECK(ints.shallow > 20'000);
  CHECK(ints.zero_length == 2);
  CHECK(ints.zero_length_shallow > 0);
  CHECK(ints.zero_length_shallow < ints.shallow - 20'000);
  CHECK((*set.arrays)[1].zero_length == 0);
  REQUIRE(set.soft_references->size() == 2);
  CHECK(set.soft_references->front().class_name == "java.lang.ref.SoftReference");
  CHECK(set.soft_references->front().instances == 2);
  CHECK(set.soft_references->back().class_name == "demo.Cached");
  REQUIRE(set.weak_references->size() == 1);
  CHECK(set.weak_references->front().instances == 1);
}

TEST_CASE("a component counts what its top-level objects dominate") {
  PluginHeap heap(1, 50'000);
  const StagedHeap staged(heap.builder);
  const auto report = staged.report();
  const auto& component = report.components->components.front();
  CHECK(component.address == Address{heap.plugin_loaders[0]});
  CHECK(component.top_level_objects == 1);
  CHECK(component.top_classes.front().class_name == "demo.Plugin");
  CHECK(component.retained > 50'000);
}

}  // namespace
}  // namespace hprof
