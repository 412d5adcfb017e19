// What only Android's dumps have: several heaps, renamed classes, memory that native code holds.
#include "formats/report/caveats.h"
#include "staged_heap.h"
#include "tests/support/indexing.h"
#include "tools/hprof-report/android/mapping_file.h"
#include "tools/hprof-report/android/name_mapper.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace hprof {
namespace {

using test::FieldSpec;
using test::FileFormat;
using test::HeapBuilder;
using test::HeapOptions;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::TempFolder;
using test::Type;

HeapOptions android() {
  return {.format = {.version = "JAVA PROFILE 1.0.3", .id_size = 4}, .dotted_names = true};
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Everything that a mapping file says, in order; fields are indented.
class Recorder : public MappingListener {
 public:
  void on_class(std::string_view original, std::string_view renamed) override {
    heard.emplace_back(original, renamed);
  }
  void on_field(std::string_view original, std::string_view renamed) override {
    heard.emplace_back("  " + std::string(original), renamed);
  }
  Pairs heard;
};

Pairs heard(std::string_view text) {
  const TempFolder folder;
  test::write_file(folder / "mapping.txt",
                   {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  Recorder recorder;
  read_mapping(folder / "mapping.txt", recorder);
  return recorder.heard;
}

std::vector<std::string> field_names(const HeapIndex& index, std::string_view class_name) {
  std::vector<std::string> names;
  for (const auto& info : index.classes) {
    if (index.names[info.name] == class_name) {
      for (const auto& field : info.fields) {
        names.emplace_back(index.names[field.name]);
      }
      for (const auto& field : info.statics) {
        names.emplace_back(index.names[field.name]);
      }
    }
  }
  return names;
}

NameMapping mapped(HeapIndex& index, std::string_view text) {
  const TempFolder folder;
  test::write_file(folder / "m.txt",
                   {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  return map_names(index, folder / "m.txt");
}

const HistogramRow* histogram_row(const Report& report, std::string_view name) {
  const auto& rows = report.overview.histogram;
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const HistogramRow& row) { return row.class_name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("objects are added up by the heap that was told before them in their segment") {
  HeapBuilder builder(android());
  const Id node = builder.add_class({.name = "demo.Node", .fields = {{"next"}}});
  builder.writer().heap_info('A', builder.name("app"));
  const Id first = builder.add_object(node);
  builder.add_zeros(Type::int8, 100);
  builder.writer().heap_info('Z', builder.name("zygote"));
  const Id second = builder.add_object(node, {{"next", first}});
  builder.writer().heap_info('A', builder.name("app"));
  const Id third = builder.add_object(node, {{"next", second}});
  builder.root(Root::jni_global, third);
  StagedHeap staged(builder);
  const auto report = staged.report();
  REQUIRE(report.overview.android_heaps);
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  for (const auto& row : *report.overview.android_heaps) {
    objects += row.objects + row.unreachable_objects;
    shallow += row.shallow + row.unreachable_shallow;
    if (row.name == "app") {
      CHECK(row.objects == 2);
      CHECK(row.shallow == 8);
      // The array and its class, which comes with it.
      CHECK(row.unreachable_objects == 2);
      CHECK(row.unreachable_shallow == 100);
    } else if (row.name == "zygote") {
      CHECK(row.objects == 1);
      CHECK(row.shallow == 4);
    } else {
      CHECK(row.name == "default");
    }
  }
  CHECK(report.overview.android_heaps->size() == 3);
  CHECK(objects == report.overview.all_objects);
  CHECK(shallow == report.overview.all_shallow);
}

TEST_CASE("a class whose instances cannot be as large as it says is told in every head") {
  for (const std::uint32_t size : {64U, 0xa2000000U}) {
    HeapBuilder builder(android());
    const Id node =
        builder.add_class({.name = "a.Node", .fields = {{"next"}}, .instance_size = size});
    Id last = 0;
    for (unsigned i = 0; i < 3; ++i) {
      last = builder.add_object(node, {{"next", last}});
    }
    builder.root(Root::jni_global, last);
    StagedHeap staged(builder);
    const auto report = staged.report();
    const bool is_impossible = size > 1000;
    REQUIRE(report.overview.impossible_size.has_value() == is_impossible);
    CHECK(caveat_words(caveats_of(report)) == (is_impossible ? "sizes in doubt" : ""));
    CHECK_FALSE(caveats_of(report).any());
    if (is_impossible) {
      CHECK(report.overview.impossible_size->class_name == "a.Node");
      CHECK(report.overview.impossible_size->instances == 3);
      CHECK(report.overview.impossible_size->shallow == size);
      CHECK(caveat_text(caveats_of(report))
                .starts_with("Sizes are in doubt: a.Node says that each of its 3 instances takes"));
    }
  }
}

TEST_CASE("a dump without heap records has no heaps, whatever its version") {
  HeapBuilder builder(android());
  builder.root(Root::jni_global, builder.add_zeros(Type::int8, 1));
  StagedHeap staged(builder);
  CHECK_FALSE(staged.report().overview.android_heaps);
}

TEST_CASE("a mapping file's classes and fields are told, nothing else") {
  CHECK(heard("# compiler: R8\n"
              "com.example.Main -> a.a:\n"
              "# {\"id\":\"sourceFile\",\"fileName\":\"Main.java\"}\n"
              "    int count -> a\n"
              "    java.lang.String[] names -> b\r\n"
              "    1:3:void run(int):12:14 -> a\n"
              "    void stop() -> b\n"
              "    com.example.Old.kept -> odd\n"
              "\tcom.example.Old com.example.Old.moved -> c\n"
              "\n"
              "com.example.Other$Inner -> b :\n"
              "not a line of a mapping\n") == Pairs{{"com.example.Main", "a.a"},
                                                    {"  count", "a"},
                                                    {"  names", "b"},
                                                    {"  moved", "c"},
                                                    {"com.example.Other$Inner", "b"}});
  CHECK(heard("a.B -> c:") == Pairs{{"a.B", "c"}});
}

TEST_CASE("what is no mapping file is refused with a sentence") {
  CHECK_THROWS_AS(heard(""), Error);
  CHECK_THROWS_AS(heard("# only a comment\n\n"), Error);
  CHECK_THROWS_AS(heard(std::string((1U << 20U) + 1, 'x')), Error);
  CHECK_THROWS_AS(heard("a -> b\nint x -> y\n"), Error);
  Recorder recorder;
  CHECK_THROWS_AS(read_mapping("/nonexistent/mapping.txt", recorder), Error);
  CHECK(heard(std::string("a.B -> c:\n    int ") + std::string(1000, 'f') + " -> \xff\n").size() ==
        2);
}

TEST_CASE("classes, arrays of them, fields and frames get their first names back") {
  HeapBuilder builder(android());
  const Id base = builder.add_class(
      {.name = "a.a", .fields = {{"a"}, {"b", Type::int32}}, .statics = {{"c"}, {"kept"}}});
  builder.add_class({.name = "b", .super = base, .fields = {{"a"}}});
  builder.class_named("a.a[]");
  builder.class_named("a.a[][]");
  builder.add_thread({.frames = {{.class_address = base}}});
  builder.finish();
  auto index = test::index_of(builder.bytes());
  const auto result = mapped(index,
                             "com.example.Main -> a.a:\n"
                             "    java.lang.Object b -> a\n"
                             "    int a -> b\n"
                             "    java.lang.Object THE_ONE -> c\n"
                             "    java.lang.Object missing -> d\n"
                             "com.example.Sub -> b:\n"
                             "    java.lang.Object own -> a\n"
                             "com.example.Twice -> b:\n"
                             "    java.lang.Object twice -> own\n"
                             "com.example.Gone -> c:\n"
                             "    int x -> a\n");
  CHECK(result.classes == 4);
  CHECK(result.fields_named == 4);
  CHECK(result.file == "m.txt");
  CHECK(field_names(index, "com.example.Main") ==
        std::vector<std::string>{"b", "a", "THE_ONE", "kept"});
  CHECK(field_names(index, "com.example.Sub") == std::vector<std::string>{"own"});
  for (const char* name : {"com.example.Main[]", "com.example.Main[][]", "java.lang.String"}) {
    CHECK(std::any_of(index.classes.begin(), index.classes.end(),
                      [&](const ClassInfo& info) { return index.names[info.name] == name; }));
  }
  REQUIRE(index.frames.size() == 1);
  CHECK(index.names[index.frames[0].class_name] == "com.example.Main");
}

TEST_CASE("native sizes are those of the registry, by the class of the owner") {
  HeapBuilder builder(android());
  const Id bitmap = builder.add_class({.name = "android.graphics.Bitmap", .fields = {{"x"}}});
  const Id registry = builder.add_class({.name = "libcore.util.NativeAllocationRegistry",
                                         .fields = {{"classLoader"}, {"size", Type::int64}}});
  const Id thunk = builder.add_class(
      {.name = "libcore.util.NativeAllocationRegistry$CleanerThunk", .fields = {{"this$0"}}});
  const Id cleaner =
      builder.add_class({.name = "sun.misc.Cleaner", .fields = {{"referent"}, {"thunk"}}});
  const Id plain = builder.add_class({.name = "demo.Runnable"});
  const Id small = builder.add_object(registry, {{"size", 1001}});
  const Id large = builder.add_object(registry, {{"size", 50000}});
  std::vector<Id> held;
  for (const Id owner : {small, small, large}) {
    const Id object = builder.add_object(bitmap);
    held.push_back(object);
    held.push_back(builder.add_object(
        cleaner,
        {{"referent", object}, {"thunk", builder.add_object(thunk, {{"this$0", owner}})}}));
  }
  // Cleaned already, and one that is none of the registry's.
  held.push_back(
      builder.add_object(cleaner, {{"thunk", builder.add_object(thunk, {{"this$0", large}})}}));
  held.push_back(
      builder.add_object(cleaner, {{"referent", held[0]}, {"thunk", builder.add_object(plain)}}));
  builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", held));
  StagedHeap staged(builder);
  const auto report = staged.report();
  CHECK(report.overview.native_bytes == 52000);
  REQUIRE(histogram_row(report, "android.graphics.Bitmap") != nullptr);
  CHECK(histogram_row(report, "android.graphics.Bitmap")->native == 52000);
  CHECK_FALSE(histogram_row(report, "sun.misc.Cleaner")->native);
}

TEST_CASE("native sizes of a hostile dump do not wrap") {
  HeapBuilder builder(android());
  const Id registry = builder.add_class(
      {.name = "libcore.util.NativeAllocationRegistry", .fields = {{"size", Type::int64}}});
  const Id thunk = builder.add_class(
      {.name = "libcore.util.NativeAllocationRegistry$CleanerThunk", .fields = {{"this$0"}}});
  const Id cleaner =
      builder.add_class({.name = "sun.misc.Cleaner", .fields = {{"referent"}, {"thunk"}}});
  const Id huge = builder.add_object(registry, {{"size", 0x7fffffffffffffffULL}});
  std::vector<Id> held;
  for (int i = 0; i < 3; ++i) {
    const Id of = builder.add_object(thunk, {{"this$0", huge}});
    held.push_back(builder.add_object(cleaner, {{"referent", huge}, {"thunk", of}}));
  }
  builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", held));
  StagedHeap staged(builder);
  CHECK(staged.report().overview.native_bytes == 0xffffffffffffffffULL);
}

}  // namespace hprof
