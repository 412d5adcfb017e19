// The builder is what other tests trust, so its bytes are compared with ones written out by hand.
#include "tests/support/hprof_builder.h"

#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace hprof::test;

namespace {

Bytes after_header(const Bytes& file, const std::string& version = "JAVA PROFILE 1.0.2") {
  return {file.begin() + static_cast<std::ptrdiff_t>(version.size() + 1 + 4 + 8), file.end()};
}

/// The bytes of a text of hexadecimal digits; blanks are for the eye.
Bytes hex(const std::string& digits) {
  Bytes result;
  std::string pending;
  for (const char digit : digits) {
    if (digit != ' ') {
      pending += digit;
    }
    if (pending.size() == 2) {
      result.push_back(static_cast<std::uint8_t>(std::stoul(pending, nullptr, 16)));
      pending.clear();
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a file begins with its version, id size and time") {
  HprofWriter writer({.version = "JAVA PROFILE 1.0.1", .id_size = 4, .timestamp_ms = 0x0102030405});
  writer.finish();
  const std::string version = "JAVA PROFILE 1.0.1";
  Bytes expected(version.begin(), version.end());
  const Bytes tail{0, 0, 0, 0, 4, 0, 0, 0, 1, 2, 3, 4, 5};
  expected.insert(expected.end(), tail.begin(), tail.end());
  CHECK(writer.bytes() == expected);
  CHECK(writer.position() == expected.size());
}

TEST_CASE("each root kind has the fields of its kind") {
  HprofWriter writer(FileFormat{.id_size = 4});
  writer.begin_segment(Record::heap_dump);
  writer.root(Root::unknown, 1);
  writer.root(Root::jni_global, 2);
  writer.root(Root::jni_local, 3, 4, 5);
  writer.root(Root::java_frame, 3, 4, 5);
  writer.root(Root::native_stack, 3, 4);
  writer.root(Root::sticky_class, 3);
  writer.root(Root::thread_block, 3, 4);
  writer.root(Root::monitor_used, 3);
  writer.root(Root::thread_object, 3, 4, 5);
  writer.root(Root::interned_string, 3);
  writer.root(Root::jni_monitor, 3, 4, 5);
  writer.heap_info(7, 8);
  writer.finish();
  const Bytes expected =
      hex("0c 00000000 0000006c "
          "ff 00000001 "
          "01 00000002 00000003 "
          "02 00000003 00000004 00000005 "
          "03 00000003 00000004 00000005 "
          "04 00000003 00000004 "
          "05 00000003 "
          "06 00000003 00000004 "
          "07 00000003 "
          "08 00000003 00000004 00000005 "
          "89 00000003 "
          "8e 00000003 00000004 00000005 "
          "fe 00000007 00000008 ");
  CHECK(after_header(writer.bytes()) == expected);
}

TEST_CASE("a class record carries constants, statics and fields") {
  HprofWriter writer(FileFormat{.id_size = 4});
  writer.class_dump({.address = 1,
                     .trace = 2,
                     .super = 3,
                     .loader = 4,
                     .instance_size = 9,
                     .constants = {{.index = 6, .type = Type::int16, .value = -2}},
                     .statics = {{.name = 7, .type = Type::boolean, .value = true}},
                     .fields = {{.name = 8, .type = Type::object}}});
  writer.finish();
  const Bytes expected =
      hex("1c 00000000 0000003b "
          "20 00000001 00000002 00000003 00000004 "
          "00000000 00000000 00000000 00000000 00000009 "
          "0001 0006 09 fffe "
          "0001 00000007 04 01 "
          "0001 00000008 02 ");
  CHECK(after_header(writer.bytes()) == expected);
}

TEST_CASE("objects and arrays are written with their types") {
  HprofWriter writer(FileFormat{.id_size = 4});
  const Bytes fields{0xaa, 0xbb};
  const std::vector<Id> elements{5, 0};
  writer.instance(1, 2, fields, 3);
  writer.object_array(4, 2, elements);
  writer.primitive_array(6, Type::int16, 1, fields);
  writer.primitive_array_without_data(7, Type::int64, 9);
  writer.finish();
  const Bytes expected =
      hex("1c 00000000 0000004a "
          "21 00000001 00000003 00000002 00000002 aabb "
          "22 00000004 00000000 00000002 00000002 00000005 00000000 "
          "23 00000006 00000000 00000001 09 aabb "
          "c3 00000007 00000000 00000009 0b ");
  CHECK(after_header(writer.bytes()) == expected);
}

TEST_CASE("a record written while a segment is open stands before it") {
  HprofWriter writer(FileFormat{.id_size = 4});
  writer.root(Root::unknown, 1);
  writer.utf8(2, "x");
  writer.heap_dump_end();
  writer.finish();
  const Bytes expected{0x01, 0, 0, 0, 0, 0, 0, 0, 5, 0,    0, 0, 2, 'x',  //
                       0x1c, 0, 0, 0, 0, 0, 0, 0, 5, 0xff, 0, 0, 0, 1,    //
                       0x2c, 0, 0, 0, 0, 0, 0, 0, 0};
  CHECK(after_header(writer.bytes()) == expected);
}

TEST_CASE("a segment can lie about its length") {
  HprofWriter writer(FileFormat{.id_size = 4});
  writer.root(Root::unknown, 1);
  writer.end_segment(0x01020304);
  writer.raw({0xde, 0xad});
  const Bytes expected{0x1c, 0, 0, 0, 0, 1, 2, 3, 4, 0xff, 0, 0, 0, 1, 0xde, 0xad};
  CHECK(after_header(writer.bytes()) == expected);
}

TEST_CASE("field values go to their fields, own ones first, hidden ones by their class") {
  HeapBuilder heap({.format = {.id_size = 4}, .core = CoreClasses::none});
  const Id base = heap.add_class({.name = "demo.Base", .super = 0, .fields = {{"x", Type::int8}}});
  const Id derived = heap.add_class(
      {.name = "demo.Derived", .super = base, .fields = {{"x", Type::int16}, {"y", Type::int32}}});
  heap.add_object(derived, {{"demo.Base#x", 1}, {"y", -1}, {"x", 2}}, 0x77);
  heap.finish();
  const Bytes object{0x21, 0, 0,    0,    0x77, 0,    0, 0,    1, 0, 1, 0, 0x80, 0, 0, 0, 7,  //
                     0,    2, 0xff, 0xff, 0xff, 0xff, 1, 0x2c, 0, 0, 0, 0, 0,    0, 0, 0};
  const Bytes& file = heap.bytes();
  REQUIRE(file.size() > object.size());
  CHECK(Bytes(file.end() - static_cast<std::ptrdiff_t>(object.size()), file.end()) == object);
  CHECK_THROWS_AS(heap.add_object(derived, {{"z", 1}}), std::logic_error);
  CHECK_THROWS_AS(heap.add_object(0x123, {}), std::logic_error);
}

TEST_CASE("array and class names take the form of the virtual machine") {
  const auto file_with = [](bool dotted) {
    HeapBuilder heap({.dotted_names = dotted, .core = CoreClasses::none});
    heap.class_named("demo.Node[][]");
    heap.class_named("int[]");
    heap.class_named("demo.Node");
    heap.finish();
    return std::string(heap.bytes().begin(), heap.bytes().end());
  };
  const auto slashed = file_with(false);
  CHECK(slashed.find("[[Ldemo/Node;") != std::string::npos);
  CHECK(slashed.find("[I") != std::string::npos);
  CHECK(slashed.find("demo.Node") == std::string::npos);
  const auto dotted = file_with(true);
  CHECK(dotted.find("demo.Node[][]") != std::string::npos);
  CHECK(dotted.find("int[]") != std::string::npos);
}

TEST_CASE("automatic addresses leave the room that the virtual machine takes") {
  HeapBuilder wide({.core = CoreClasses::none});
  HeapBuilder narrow({.reference_size = 4, .core = CoreClasses::none});
  for (HeapBuilder* heap : {&wide, &narrow}) {
    const Id bytes = heap->add_zeros(Type::int8, 1);
    const Id array = heap->add_array("demo.Node[]", {0, 0, 0});
    const Id node = heap->add_object(heap->add_class(
        {.name = "demo.Node", .super = 0, .fields = {{"next"}, {"value", Type::int32}}}));
    const Id next = heap->reserve();
    CHECK(array - bytes == 24);
    CHECK(node - array == (heap == &wide ? 48 : 32));
    CHECK(next - node == (heap == &wide ? 32 : 24));
  }
}

TEST_CASE("a streamed file equals the one in memory") {
  const TempFolder folder;
  const auto fill = [](HeapBuilder& heap) {
    const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
    const Thread thread = heap.add_thread({.name = "main", .frames = {{.class_address = node}}});
    Id previous = 0;
    for (int i = 0; i < 100'000; ++i) {
      previous = heap.add_object(node, {{"next", previous}});
    }
    heap.local(thread, previous);
    heap.next_dump();
    heap.root(Root::jni_global, heap.add_string("again"));
    heap.finish();
  };
  HeapBuilder in_memory;
  fill(in_memory);
  HeapBuilder streamed({}, folder / "dump.hprof");
  fill(streamed);
  CHECK(read_file(folder / "dump.hprof") == in_memory.bytes());
}
