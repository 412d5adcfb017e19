#include "formats/class_chain.h"
#include "formats/hprof_tags.h"
#include "formats/index_file.h"
#include "tests/support/hprof_builder.h"
#include "tests/support/indexing.h"
#include "tools/hprof-index/java_names.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hprof;
using namespace hprof::test;

namespace {

const ClassInfo* find_class(const HeapIndex& index, std::string_view name) {
  const auto found =
      std::find_if(index.classes.begin(), index.classes.end(),
                   [&](const ClassInfo& info) { return index.names[info.name] == name; });
  return found == index.classes.end() ? nullptr : &*found;
}

std::uint64_t records_of(const HeapIndex& index, std::string_view name, RecordKind kind) {
  for (const auto& type : index.types) {
    if (type.kind == kind && index.class_name(type.class_index) == name) {
      return type.records;
    }
  }
  return 0;
}

std::vector<RootInfo> roots_of(const HeapIndex& index, Id address) {
  std::vector<RootInfo> roots;
  for (const auto& root : index.roots) {
    if (index.addresses.address_at(root.object) == address) {
      roots.push_back(root);
    }
  }
  return roots;
}

Bytes finished(HeapBuilder& heap) {
  heap.finish();
  return heap.bytes();
}

}  // namespace

TEST_CASE("class names take Java form whatever form the dump has") {
  CHECK(java_class_name("java/util/HashMap$Node") == "java.util.HashMap$Node");
  CHECK(java_class_name("[Ljava/lang/String;") == "java.lang.String[]");
  CHECK(java_class_name("[[B") == "byte[][]");
  CHECK(java_class_name("[Z") == "boolean[]");
  CHECK(java_class_name("java.lang.String[]") == "java.lang.String[]");
  CHECK(java_class_name("B") == "B");
  CHECK(java_class_name("[") == "[");
  CHECK(java_class_name("[Q") == "[Q");
  CHECK(java_class_name("") == "");
}

TEST_CASE("objects are numbered by address, the pseudo object first") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node"});
  const Id high = heap.add_object(node, {}, 0x9000000);
  const Id low = heap.add_object(node, {}, 0x100);
  const auto index = index_of(finished(heap));
  CHECK(index.addresses.index_of(0) == ObjectIndex(0));
  CHECK(index.addresses.index_of(low) == ObjectIndex(1));
  CHECK(index.addresses.index_of(high).value() == index.addresses.size() - 1);
  CHECK_FALSE(index.summary.addresses_ascend);
  CHECK(records_of(index, "demo.Node", RecordKind::instance) == 2);
  CHECK(records_of(index, "java.lang.ClassLoader", RecordKind::instance) == 1);
}

TEST_CASE("classes that nothing describes are faked at free addresses or at their own id") {
  HeapBuilder heap({.core = CoreClasses::none, .first_class = 8});
  auto& writer = heap.writer();
  const Id node = heap.add_class({.name = "demo.Node"});
  heap.add_zeros(Type::int16, 3);
  heap.add_object(node);
  writer.instance(0x5000, 0x4000, Bytes(7, 1));
  writer.object_array(0x6000, 0x4100, std::vector<Id>{0x5000});
  const auto index = index_of(finished(heap));
  REQUIRE(find_class(index, "java.lang.Class") != nullptr);
  CHECK(find_class(index, "java.lang.Class")->faked);
  CHECK(find_class(index, "java.lang.ClassLoader") != nullptr);
  const ClassInfo* shorts = find_class(index, "short[]");
  REQUIRE(shorts != nullptr);
  const ClassInfo* unknown = find_class(index, "unknown-class-0");
  REQUIRE(unknown != nullptr);
  CHECK(unknown->address == 0x4000);
  CHECK(unknown->fields.size() == 3);
  REQUIRE(find_class(index, "unknown-class-1[]") != nullptr);
  CHECK(find_class(index, "unknown-class-1[]")->address == 0x4100);
  CHECK(index.summary.root_fallback);
}

TEST_CASE("a class whose name string or load record is missing keeps a name of its own") {
  HeapBuilder heap;
  auto& writer = heap.writer();
  ClassRecord record;
  record.address = 0x70000;
  writer.class_dump(record);
  record.address = 0x70100;
  writer.load_class(77, record.address, 0, 0xdead);
  writer.class_dump(record);
  const auto index = index_of(finished(heap));
  CHECK(find_class(index, "unknown-name@0x70000") != nullptr);
  CHECK(find_class(index, "Unresolved Name 0xdead") != nullptr);
}

TEST_CASE("a local is an edge of its thread only where the thread was read before") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node"});
  const Id early = heap.add_object(node);
  const Id late = heap.add_object(node);
  heap.root(Root::java_frame, early, 1, 0);
  const Thread thread = heap.add_thread({.frames = {{}}});
  REQUIRE(thread.serial == 1);
  heap.local(thread, late, 0);
  heap.root(Root::native_stack, late, thread.serial);
  const auto index = index_of(finished(heap));
  REQUIRE(roots_of(index, early).size() == 1);
  CHECK_FALSE(roots_of(index, early)[0].is_local());
  const auto locals = roots_of(index, late);
  REQUIRE(locals.size() == 2);
  CHECK(index.addresses.address_at(locals[0].thread) == thread.object);
  CHECK(locals[0].frame == 0);
  CHECK(locals[1].kind == sub::kRootNativeStack);
}

TEST_CASE("roots that repeat count once, roots that are no object are counted as dangling") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node"});
  const Id one = heap.add_object(node);
  for (int i = 0; i < 1000; ++i) {
    heap.root(Root::jni_global, one);
    heap.root(Root::monitor_used, one);
  }
  heap.root(Root::unknown, 0xbad0);
  heap.root(Root::unreachable, one);
  const auto index = index_of(finished(heap));
  CHECK(roots_of(index, one).size() == 2);
  CHECK(index.summary.dangling_roots == 1);
}

TEST_CASE("without a system class root the boot loader's classes are roots, arrays left out") {
  HeapBuilder heap({.core = CoreClasses::unrooted});
  const Id loader_class = heap.add_class({.name = "demo.Loader"});
  const Id loader = heap.add_object(loader_class);
  const Id own = heap.add_class({.name = "demo.Own", .loader = loader});
  const Id stray = heap.add_class({.name = "demo.Stray", .loader = 0xbad0});
  const Id array = heap.class_named("demo.Own[]");
  const auto index = index_of(finished(heap));
  CHECK(index.summary.root_fallback);
  CHECK(roots_of(index, loader_class).size() == 1);
  CHECK(roots_of(index, own).empty());
  CHECK(roots_of(index, array).empty());
  CHECK(roots_of(index, stray).size() == 1);
}

TEST_CASE("compressed references show in the spacing of object arrays") {
  for (const std::uint32_t reference_size : {4U, 8U}) {
    HeapBuilder heap({.reference_size = reference_size});
    heap.class_named("java.lang.Object[]");
    heap.add_array("java.lang.Object[]", std::vector<Id>(100, 0));
    heap.add_array("java.lang.Object[]", std::vector<Id>(100, 0));
    CHECK(index_of(finished(heap)).summary.reference_size == reference_size);
  }
}

TEST_CASE("alignment is the common step of all addresses, between 8 and 256") {
  const auto alignment = [](std::initializer_list<Id> addresses) {
    HeapBuilder heap({.core = CoreClasses::none, .first_class = 0x10000});
    const Id node = heap.add_class({.name = "demo.Node"});
    for (const Id address : addresses) {
      heap.add_object(node, {}, address);
    }
    return index_of(finished(heap)).summary.object_alignment;
  };
  CHECK(alignment({0x20000, 0x20010, 0x20030}) == 16);
  CHECK(alignment({0x20004, 0x20008}) == 8);
  CHECK(alignment({0x20000, 0x40000}) == 256);
  CHECK(alignment({}) == 8);
}

TEST_CASE("an id that comes twice keeps its first record") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node"});
  const Id other = heap.add_class({.name = "demo.Other"});
  heap.add_object(node, {}, 0x5000000);
  heap.add_object(other, {}, 0x5000000);
  heap.add_object(other, {}, node);
  const auto index = index_of(finished(heap));
  CHECK(index.summary.duplicate_ids == 2);
  CHECK(records_of(index, "demo.Node", RecordKind::instance) == 1);
  CHECK(records_of(index, "demo.Other", RecordKind::instance) == 0);
}

TEST_CASE("the layout of String is found wherever its class stands, and only where it is plain") {
  HeapBuilder heap;
  CHECK(index_of(finished(heap)).summary.string_value_offset != 0xffffffffU);
  HeapBuilder dotted({.dotted_names = true, .strings = StringLayout::chars});
  CHECK_FALSE(index_of(finished(dotted)).summary.string_class.is_none());
  HeapBuilder two({.core = CoreClasses::none});
  two.add_class({.name = "java.lang.String", .fields = {{"value"}, {"other"}}});
  const auto index = index_of(finished(two));
  CHECK_FALSE(index.summary.string_class.is_none());
  CHECK(index.summary.string_value_offset == 0xffffffffU);
}

TEST_CASE("a cycle of super classes does not hang") {
  HeapBuilder heap({.core = CoreClasses::none});
  heap.add_class({.name = "demo.A", .super = 0x30000, .address = 0x20000});
  heap.add_class({.name = "demo.B", .super = 0x20000, .address = 0x30000});
  const auto index = index_of(finished(heap));
  const ClassIndex super = find_class(index, "demo.A")->super_class;
  CHECK(index.class_name(super) == "demo.B");
  const auto chain = class_chain(index, super);
  CHECK(chain.size() >= 2);
  CHECK(chain.size() < 10);
}

TEST_CASE("a chain of super classes without end is cut, one that is asked to stop stops") {
  HeapBuilder heap({.core = CoreClasses::none});
  constexpr std::uint64_t kClasses = 1000;
  for (std::uint64_t i = 0; i < kClasses; ++i) {
    heap.add_class({.name = "demo.C" + std::to_string(i),
                    .super = i == 0 ? 0 : 0x20000 + 0x100 * (i - 1),
                    .address = 0x20000 + 0x100 * i});
  }
  const auto index = index_of(finished(heap));
  const auto row =
      ClassIndex(static_cast<std::uint32_t>(find_class(index, "demo.C999") - index.classes.data()));
  CHECK(class_chain(index, row).size() == kDeepestClass);
  const auto all = class_chain(index, row, [](ClassIndex) { return false; });
  CHECK(all.size() == kClasses);
  const auto some = class_chain(
      index, row, [&](ClassIndex link) { return index.class_name(link) == "demo.C998"; });
  CHECK(some.size() == 2);
}

TEST_CASE("an index file holds all of the index") {
  HeapBuilder heap;
  const Id node =
      heap.add_class({.name = "demo.Node",
                      .fields = {{"next"}, {"count", Type::int32}},
                      .statics = {{"FIRST", Type::object, 0x1000000}, {"N", Type::int64, -2}}});
  for (int i = 0; i < 5000; ++i) {
    heap.add_object(node);
  }
  const Thread thread =
      heap.add_thread({.name = "worker", .frames = {{.method = "run", .line = -3}, {}}});
  heap.local(thread, 0x1000000, 1);
  const auto index = index_of(finished(heap));
  const TempFolder folder;
  Provenance provenance;
  provenance.tool = "hprof-index";
  write_index(folder / "x.index", provenance, index);
  const auto file = read_index(folder / "x.index");
  const HeapIndex& copy = file.index;
  CHECK(file.provenance == provenance);
  REQUIRE(copy.classes.size() == index.classes.size());
  for (std::size_t i = 0; i < copy.classes.size(); ++i) {
    CHECK(copy.names[copy.classes[i].name] == index.names[index.classes[i].name]);
    CHECK(copy.classes[i].address == index.classes[i].address);
    CHECK(copy.classes[i].object == index.classes[i].object);
    CHECK(copy.classes[i].super_class == index.classes[i].super_class);
    CHECK(copy.classes[i].fields.size() == index.classes[i].fields.size());
    CHECK(copy.classes[i].statics.size() == index.classes[i].statics.size());
  }
  const ClassInfo& copied_node = *find_class(copy, "demo.Node");
  CHECK(copied_node.statics[1].value == static_cast<std::uint64_t>(-2));
  CHECK(copy.names[copied_node.fields[0].name] == "next");
  CHECK(copy.roots == index.roots);
  CHECK(copy.addresses.size() == index.addresses.size());
  index.addresses.for_each([&](std::uint64_t address) {
    REQUIRE(copy.addresses.index_of(address) == index.addresses.index_of(address));
  });
  REQUIRE(copy.frames.size() == 2);
  CHECK(copy.names[copy.frames[0].method] == "run");
  CHECK(copy.frames[0].line == -3);
  CHECK(copy.traces.back().frame_ids == index.traces.back().frame_ids);
  CHECK(copy.threads.size() == 1);
  CHECK(copy.sub_records.size() == index.sub_records.size());
}
