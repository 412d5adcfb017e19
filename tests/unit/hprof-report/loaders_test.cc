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

const RetainedSet& set_of(const Report& report, Id loader) {
  const auto& components = report.components->components;
  const auto found = std::find_if(components.begin(), components.end(), [&](const Component& one) {
    return one.address == Address{loader};
  });
  REQUIRE(found != components.end());
  REQUIRE(found->retained_set);
  return *found->retained_set;
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
  const auto& set = set_of(report, heap.app);
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

TEST_CASE("object arrays of a component by how much of them is used") {
  PluginHeap heap(1);
  auto& builder = heap.builder;
  const Id thing = builder.add_zeros(Type::int32, 1000);
  const Id objects =
      builder.add_array("java.lang.Object[]", {thing, thing, 0, 0, 0, 0, 0, 0, 0, 0});
  const Id own = builder.class_named("java.lang.Object[]");
  const Id holder =
      builder.add_class({.name = "demo.Holder", .fields = {{"all"}}, .loader = heap.app});
  const Id all = builder.add_array(
      "demo.All[]", {objects, builder.add_array("java.lang.Object[]", {own, own, 0}),
                     builder.add_array("java.lang.Object[]", {own, thing}),
                     builder.add_array("java.lang.Object[]", {0, 0}),
                     builder.add_array("java.lang.Object[]", std::initializer_list<Id>{})});
  builder.root(Root::jni_global, builder.add_object(holder, {{"all", all}}));
  const auto report = StagedHeap(builder).report();
  const auto& rows = *set_of(report, heap.app).arrays;
  const auto found = std::find_if(rows.begin(), rows.end(), [](const ComponentArrays& row) {
    return row.class_name == "java.lang.Object[]";
  });
  REQUIRE(found != rows.end());
  CHECK(found->arrays == 5);
  CHECK(found->zero_length == 1);
  const auto& fill = *found->fill;
  REQUIRE(fill.size() == 4);
  CHECK(fill[0].most_bp == 0);
  CHECK(fill[0].arrays == 1);
  CHECK(!fill[0].own_class);
  CHECK(fill[1].most_bp == 2000);
  CHECK(fill[1].unused_bytes == 8 * fill[0].unused_bytes / 2);
  REQUIRE(fill[1].at_end);
  CHECK(*fill[1].at_end == FillPart{1, fill[1].shallow});
  CHECK(!fill[1].own_class);
  CHECK(fill[2].most_bp == 8000);
  CHECK(!fill[2].at_end);
  REQUIRE(fill[2].own_class);
  CHECK(fill[2].own_class->arrays == 1);
  CHECK(fill[3].most_bp == 10'000);
  CHECK(fill[3].arrays == 1);
  CHECK(fill[3].unused_bytes == 0);
}

TEST_CASE("what the references of a component refer to, and what finalizers watch of it") {
  PluginHeap heap(1);
  auto& builder = heap.builder;
  const Id reference =
      builder.add_class({.name = "java.lang.ref.Reference", .fields = {{"referent"}}});
  const Id soft = builder.add_class({.name = "java.lang.ref.SoftReference", .super = reference});
  const Id weak = builder.add_class({.name = "java.lang.ref.WeakReference", .super = reference});
  const Id final = builder.add_class({.name = "java.lang.ref.FinalReference", .super = reference});
  const Id finalizer = builder.add_class({.name = "java.lang.ref.Finalizer", .super = final});
  const Id file = builder.add_class({.name = "demo.File", .loader = heap.app});
  const Id holder =
      builder.add_class({.name = "demo.Holder", .fields = {{"all"}}, .loader = heap.app});
  const Id text = builder.add_zeros(Type::int8, 1000);
  const Id elsewhere = builder.add_zeros(Type::int32, 10);
  const Id watched = builder.add_object(file);
  const Id lost = builder.add_object(file);
  const Id all = builder.add_array(
      "demo.All[]", {text, watched, builder.add_object(soft, {{"referent", text}}),
                     builder.add_object(soft, {{"referent", text}}), builder.add_object(soft),
                     builder.add_object(weak, {{"referent", elsewhere}}),
                     builder.add_object(weak, {{"referent", watched}})});
  builder.root(Root::jni_global, builder.add_object(holder, {{"all", all}}));
  builder.root(Root::jni_global, elsewhere);
  builder.root(Root::jni_global, builder.add_object(finalizer, {{"referent", watched}}));
  builder.add_object(finalizer, {{"referent", text}});  // itself unreachable
  builder.root(Root::jni_global, lost);
  const auto report = StagedHeap(builder).report();
  const auto& set = set_of(report, heap.app);
  REQUIRE(set.softly_referenced->size() == 1);
  CHECK(set.softly_referenced->front().class_name == "byte[]");
  CHECK(set.softly_referenced->front().instances == 1);
  REQUIRE(set.weakly_referenced->size() == 2);
  CHECK(set.weakly_referenced->front().class_name == "int[]");
  CHECK(set.weakly_referenced->back().class_name == "demo.File");
  REQUIRE(set.with_finalizer->size() == 1);
  CHECK(set.with_finalizer->front().class_name == "demo.File");
  CHECK(set.with_finalizer->front().instances == 1);
}

TEST_CASE("whether an instance of java.lang.Class for a primitive type lies before class objects") {
  const auto first_with = [](Id address) {
    PluginHeap heap(1);
    auto& builder = heap.builder;
    builder.add_class({.name = "java.util.Cache",
                       .statics = {{"data", Type::object, builder.add_zeros(Type::int8, 5000)}}});
    builder.class_named("byte[]");  // else it is faked at the first address
    if (address != 0) {
      builder.root(Root::jni_global,
                   builder.add_object(builder.class_named("java.lang.Class"), {}, address));
    }
    return set_of(StagedHeap(builder).report(), 0).primitive_class_first;
  };
  CHECK(!first_with(0).value_or(true));
  CHECK(first_with(0x800).has_value());
  CHECK(first_with(0x800).value_or(false));
  CHECK(!first_with(0x40000000).value_or(true));
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
