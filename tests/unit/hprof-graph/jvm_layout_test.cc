// Heaps with objects packed as a JVM of a given layout packs them; all sizes are worked out by hand
// or were read off a JVM.
#include "tests/support/hprof_builder.h"
#include "tests/support/indexing.h"
#include "tools/hprof-graph/layout_guess.h"
#include "tools/hprof-graph/size_model.h"
#include "tools/hprof-graph/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

using namespace hprof;
using namespace hprof::test;

namespace {

/// Bytes of one instance of each of the test's classes.
struct TrueSizes {
  std::uint64_t object;      ///< no fields
  std::uint64_t lone;        ///< an int
  std::uint64_t base;        ///< a long and a boolean
  std::uint64_t sub;         ///< base, a reference and a short
  std::uint64_t references;  ///< three references
  std::uint64_t wide;        ///< a long
  std::uint64_t late;        ///< wide and an int
};

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t step) {
  return (bytes + step - 1) / step * step;
}

/// Objects one behind the other, each as large as it is told.
class PackedHeap {
 public:
  PackedHeap(const JvmLayout& layout, const TrueSizes& sizes, std::uint32_t id_size = 8)
      : layout_(layout), heap_({.format = {.id_size = id_size}}) {
    classes_["java.lang.Object"] = heap_.class_named("java.lang.Object");
    add_class("demo.Lone", {{"i", Type::int32}});
    add_class("demo.Base", {{"flag", Type::boolean}, {"l", Type::int64}});
    add_class("demo.Sub", {{"s", Type::int16}, {"o"}}, "demo.Base");
    add_class("demo.References", {{"a"}, {"b"}, {"c"}});
    add_class("demo.Wide", {{"l", Type::int64}});
    add_class("demo.Late", {{"i", Type::int32}}, "demo.Wide");
    for (int round = 0; round < 3; ++round) {
      add_objects("java.lang.Object", sizes.object, 1 + round);
      add_objects("demo.Lone", sizes.lone, 2);
      add_objects("demo.Base", sizes.base, 1);
      add_objects("demo.Sub", sizes.sub, 2);
      add_objects("demo.References", sizes.references, 1);
      add_objects("demo.Wide", sizes.wide, 1);
      add_objects("demo.Late", sizes.late, 2);
      add_arrays();
    }
    heap_.finish();
    index_ = index_of(heap_.bytes());
  }

  const HeapIndex& index() const { return index_; }
  std::uint64_t size(const ShallowSizes& sizes, const std::string& name) const {
    const auto found =
        std::find_if(index_.types.begin(), index_.types.end(), [&](const TypeInfo& type) {
          return type.kind == RecordKind::instance && index_.class_name(type.class_index) == name;
        });
    REQUIRE(found != index_.types.end());
    return sizes.describe(*found).shallow(0);
  }
  std::uint64_t array_size(const ShallowSizes& sizes, RecordKind kind, std::uint64_t length) const {
    const auto found = std::find_if(index_.types.begin(), index_.types.end(),
                                    [&](const TypeInfo& type) { return type.kind == kind; });
    REQUIRE(found != index_.types.end());
    return sizes.describe(*found).shallow(length);
  }

 private:
  void add_class(const std::string& name, const std::vector<FieldSpec>& fields,
                 const std::string& super = "java.lang.Object") {
    classes_[name] = heap_.add_class({.name = name, .super = classes_.at(super), .fields = fields});
  }
  void add_objects(const std::string& name, std::uint64_t bytes, int count) {
    for (int i = 0; i < count; ++i) {
      heap_.add_object(classes_.at(name), {}, next_);
      next_ += bytes;
    }
  }
  void add_arrays() {
    for (std::uint32_t length = 0; length < 17; ++length) {
      heap_.add_zeros(Type::int8, length, next_);
      next_ += rounded(layout_.array_base + length, layout_.alignment);
      heap_.add_zeros(Type::int32, length, next_);
      next_ += rounded(layout_.array_base + 4 * length, layout_.alignment);
      heap_.add_zeros(Type::int64, length, next_);
      next_ += rounded(rounded(layout_.array_base, 8) + 8 * length, layout_.alignment);
      const std::vector<Id> nulls(length);
      heap_.add_array("java.lang.Object[]", nulls, next_);
      next_ += rounded(rounded(layout_.array_base, layout_.reference) + layout_.reference * length,
                       layout_.alignment);
    }
  }

  JvmLayout layout_;
  HeapBuilder heap_;
  std::map<std::string, Id> classes_;
  Id next_ = 0x2000000;
  HeapIndex index_;
};

void check_layout(const JvmLayout& layout, const TrueSizes& sizes, std::uint32_t id_size = 8) {
  const PackedHeap heap(layout, sizes, id_size);
  const auto guess = guess_layout(heap.index(), {});
  CHECK(guess.layout.header == layout.header);
  CHECK(guess.layout.reference == layout.reference);
  CHECK(guess.layout.word == id_size);
  CHECK(guess.layout.alignment == layout.alignment);
  CHECK(guess.layout.array_base == layout.array_base);
  CHECK(guess.layout.packing == layout.packing);
  CHECK(guess.support.smaller == 0);
  CHECK(guess.support.larger == 0);
  CHECK(confidence_of(guess.support) != Confidence::low);
  const auto ours = make_sizes(heap.index(), SizeModel::hotspot, guess.layout);
  CHECK(ours->unit() == layout.alignment);
  CHECK(heap.size(*ours, "java.lang.Object") == sizes.object);
  CHECK(heap.size(*ours, "demo.Lone") == sizes.lone);
  CHECK(heap.size(*ours, "demo.Base") == sizes.base);
  CHECK(heap.size(*ours, "demo.Sub") == sizes.sub);
  CHECK(heap.size(*ours, "demo.References") == sizes.references);
  CHECK(heap.size(*ours, "demo.Wide") == sizes.wide);
  CHECK(heap.size(*ours, "demo.Late") == sizes.late);
}

constexpr TrueSizes kCompressed{16, 16, 24, 32, 24, 24, 24};

/// Of a class of the JDK, as the JVM would say: given its fields and the layout.
std::uint64_t jdk_size(const std::vector<FieldSpec>& of_class, const std::string& name,
                       const std::vector<FieldSpec>& fields, const JvmLayout& layout,
                       const std::vector<FieldSpec>& of_subclass = {}) {
  HeapBuilder heap({.core = CoreClasses::none});
  const Id object = heap.add_class({.name = "java.lang.Object", .super = 0});
  heap.add_class({.name = "java.lang.Class", .super = object, .fields = of_class});
  const Id base = heap.add_class({.name = name, .super = object, .fields = fields});
  const Id sub = heap.add_class({.name = "demo.Sub", .super = base, .fields = of_subclass});
  heap.add_object(of_subclass.empty() ? base : sub);
  heap.finish();
  const auto index = index_of(heap.bytes());
  const auto sizes = make_sizes(index, SizeModel::hotspot, layout);
  const auto type = std::find_if(index.types.begin(), index.types.end(), [&](const TypeInfo& row) {
    return row.kind == RecordKind::instance &&
           index.class_name(row.class_index) == (of_subclass.empty() ? name : "demo.Sub");
  });
  REQUIRE(type != index.types.end());
  return sizes->describe(*type).shallow(0);
}

std::vector<FieldSpec> counted(int longs, int ints, int booleans, int references) {
  std::vector<FieldSpec> fields;
  const auto add = [&](const std::string& prefix, int count, Type type) {
    for (int i = 0; i < count; ++i) {
      fields.push_back({prefix + std::to_string(i), type});
    }
  };
  add("l", longs, Type::int64);
  add("i", ints, Type::int32);
  add("z", booleans, Type::boolean);
  add("o", references, Type::object);
  return fields;
}

const std::vector<FieldSpec> kClassOf17{{"annotationData"}, {"module"}, {"classData"}};

}  // namespace

TEST_CASE("compressed references and class pointers are told by the distances (S05)") {
  check_layout({.header = 12, .reference = 4, .alignment = 8, .array_base = 16}, kCompressed);
}

TEST_CASE("class pointers are compressed without references being so (S10)") {
  check_layout({.header = 12, .reference = 8, .alignment = 8, .array_base = 16},
               {16, 16, 24, 32, 40, 24, 24});
}

TEST_CASE("compact headers have 8 bytes (S11)") {
  check_layout({.header = 8, .reference = 4, .alignment = 8, .array_base = 12},
               {8, 16, 24, 24, 24, 16, 24});
}

TEST_CASE("full headers, with arrays as before JDK 23 and since") {
  for (const std::uint32_t base : {20U, 24U}) {
    check_layout({.header = 16, .reference = 8, .alignment = 8, .array_base = base},
                 {16, 24, 32, 40, 40, 24, 32});
  }
}

TEST_CASE("objects are aligned to more than 8 bytes (S08)") {
  check_layout({.header = 12, .reference = 4, .alignment = 16, .array_base = 16},
               {16, 16, 32, 32, 32, 32, 32});
  check_layout({.header = 12, .reference = 4, .alignment = 32, .array_base = 16},
               {32, 32, 32, 32, 32, 32, 32});
}

TEST_CASE("32-bit heaps") {
  check_layout({.header = 8, .reference = 4, .word = 4, .alignment = 8, .array_base = 12},
               {8, 16, 24, 24, 24, 16, 24}, 4);
}

TEST_CASE("before JDK 15 no field goes into a gap of its super class") {
  check_layout({.header = 12,
                .reference = 4,
                .alignment = 8,
                .array_base = 16,
                .packing = FieldPacking::stacked},
               {16, 16, 24, 32, 24, 24, 32});
}

TEST_CASE("arrays begin at the layout's base, wide elements at a multiple of 8") {
  const PackedHeap heap({.header = 8, .reference = 4, .alignment = 8, .array_base = 12},
                        {8, 16, 24, 24, 24, 16, 24});
  const auto sizes =
      make_sizes(heap.index(), SizeModel::hotspot, guess_layout(heap.index(), {}).layout);
  CHECK(heap.array_size(*sizes, RecordKind::byte_array, 0) == 16);
  CHECK(heap.array_size(*sizes, RecordKind::byte_array, 4) == 16);
  CHECK(heap.array_size(*sizes, RecordKind::byte_array, 5) == 24);
  CHECK(heap.array_size(*sizes, RecordKind::int_array, 1) == 16);
  CHECK(heap.array_size(*sizes, RecordKind::long_array, 1) == 24);
  CHECK(heap.array_size(*sizes, RecordKind::object_array, 1) == 16);
  CHECK(heap.array_size(*sizes, RecordKind::object_array, 2) == 24);
}

TEST_CASE("a reference never takes more than 8 bytes, however far objects lie apart (S06)") {
  HeapBuilder heap({.format = {.id_size = 8}});
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  for (Id at = 0; at < 20; ++at) {
    heap.add_object(node, {}, 0x2000000 + 48 * at);
    heap.add_array("demo.Node[]", {node}, 0x2000000 + 48 * at + 24);
  }
  heap.finish();
  const auto index = index_of(heap.bytes());
  const auto guess = guess_layout(index, {});
  CHECK((guess.layout.reference == 4 || guess.layout.reference == 8));
  CHECK(guess.support.smaller == 0);
}

TEST_CASE("ids that are no addresses bear out no layout, and the graph then has one model only") {
  HeapBuilder heap({.format = {.id_size = 4}, .first_class = 1000, .first_object = 2000});
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  for (Id at = 0; at < 50; ++at) {
    heap.add_object(node, {}, 3000 + at);
  }
  heap.finish();
  const auto guess = guess_layout(index_of(heap.bytes()), {});
  CHECK(guess.support.smaller == 1);
  CHECK(confidence_of(guess.support) == Confidence::low);
}

TEST_CASE("what is told is not inferred") {
  const PackedHeap heap({.header = 12, .reference = 4, .alignment = 8, .array_base = 16},
                        kCompressed);
  const auto wishes = parse_layout("header=16,ref=8,align=32,array=20,fields=stacked");
  const auto guess = guess_layout(heap.index(), wishes);
  CHECK(guess.layout == JvmLayout{.header = 16,
                                  .reference = 8,
                                  .word = 8,
                                  .alignment = 32,
                                  .array_base = 20,
                                  .packing = FieldPacking::stacked});
  CHECK(guess.support.given);
  CHECK(guess.support.smaller > 0);
  CHECK(guess_layout(heap.index(), parse_layout("ref=4")).layout.header == 12);
}

TEST_CASE("wrong layouts are refused with a sentence") {
  for (const char* text : {"header=9", "header=", "ref=-4", "align=12", "align=8x", "array=13",
                           "fields=old", "color=blue", "header", ",", "=8", " , "}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_layout(text), Error);
  }
  CHECK_FALSE(parse_layout("").any());
  CHECK_THROWS_WITH_AS(parse_layout("colour=8"), doctest::Contains("header, ref, align"), Error);
  CHECK_THROWS_WITH_AS(parse_layout("header"), doctest::Contains("header, ref, align"), Error);
}

TEST_CASE("a layout may be written with blanks and capitals") {
  const auto wishes = parse_layout("Header=8, ref=4 ,");
  CHECK(wishes.header == 8);
  CHECK(wishes.reference == 4);
}

TEST_CASE("java.lang.Thread of JDK 17 keeps three fields apart, and subclasses begin behind") {
  auto fields = counted(3, 2, 3, 11);
  fields.push_back({"threadLocalRandomSeed", Type::int64});
  fields.push_back({"threadLocalRandomProbe", Type::int32});
  fields.push_back({"threadLocalRandomSecondarySeed", Type::int32});
  const std::vector<FieldSpec> flag{{"flag", Type::boolean}};
  CHECK(jdk_size(kClassOf17, "java.lang.Thread", fields, {}) == 368);
  CHECK(jdk_size(kClassOf17, "java.lang.Thread", fields, {}, flag) == 376);
  const JvmLayout no_coops{.header = 12, .reference = 8, .array_base = 16};
  CHECK(jdk_size(kClassOf17, "java.lang.Thread", fields, no_coops) == 408);
  CHECK(jdk_size(kClassOf17, "java.lang.Thread", fields, no_coops, flag) == 416);
  const JvmLayout aligned{.alignment = 16};
  CHECK(jdk_size(kClassOf17, "java.lang.Thread", fields, aligned, flag) == 384);
  const JvmLayout aligned_more{.alignment = 32};
  CHECK(jdk_size(kClassOf17, "java.lang.Thread", fields, aligned_more, flag) == 384);
}

TEST_CASE("java.lang.Thread of JDK 25 has fields that the JVM adds") {
  auto fields = counted(2, 0, 1, 12);
  fields.push_back({"holder"});
  fields.push_back({"threadLocalRandomSeed", Type::int64});
  fields.push_back({"threadLocalRandomProbe", Type::int32});
  fields.push_back({"threadLocalRandomSecondarySeed", Type::int32});
  CHECK(jdk_size(kClassOf17, "java.lang.Thread", fields, {}) == 112);
}

TEST_CASE("classes that the JVM adds fields to, those that are padded as a whole, and others") {
  const auto six = counted(0, 1, 0, 5);
  auto member = six;
  member.back().name = "method";
  CHECK(jdk_size(kClassOf17, "java.lang.invoke.MemberName", member, {}) == 48);
  CHECK(jdk_size(kClassOf17, "demo.invoke.MemberName", member, {}) == 40);
  CHECK(jdk_size(kClassOf17, "java.lang.invoke.ResolvedMethodName", {}, {}) == 24);
  CHECK(jdk_size(kClassOf17, "java.lang.invoke.ResolvedMethodName", {{"vmholder"}}, {}) == 24);
  const std::string cell = "java.util.concurrent.atomic.Striped64$Cell";
  CHECK(jdk_size(kClassOf17, cell, counted(1, 0, 0, 0), {}) == 280);
  const std::vector<FieldSpec> control{{"ctl", Type::int64}, {"parallelism", Type::int32}};
  CHECK(jdk_size(kClassOf17, "java.util.concurrent.ForkJoinPool", control, {}) == 288);
}

TEST_CASE("super classes in a circle end somewhere") {
  HeapBuilder heap;
  const Id a = 0x900000;
  const Id b = 0x900100;
  heap.add_class({.name = "demo.A", .super = b, .fields = {{"x"}}, .address = a});
  heap.add_class({.name = "demo.B", .super = a, .fields = {{"y"}}, .address = b});
  heap.finish();
  const auto index = index_of(heap.bytes());
  const auto sizes = make_sizes(index, SizeModel::hotspot, {});
  CHECK(sizes->unit() == 8);
}

TEST_CASE("class objects hold static fields, but not the dump's pseudo fields") {
  HeapBuilder heap;
  const Id with = heap.add_class(
      {.name = "demo.Statics",
       .statics = {{"<resolved_references>"}, {"o"}, {"l", Type::int64}, {"z", Type::boolean}}});
  heap.finish();
  const auto index = index_of(heap.bytes());
  const auto sizes = make_sizes(index, SizeModel::hotspot, {});
  const auto of = std::find_if(index.classes.begin(), index.classes.end(),
                               [&](const ClassInfo& info) { return info.address == with; });
  // A reference, the boolean in the gap behind it, and the long.
  CHECK(sizes->static_bytes(*of) == 16);
}
