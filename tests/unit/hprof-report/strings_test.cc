#include "common/error.h"
#include "formats/report/string_findings.h"
#include "staged_heap.h"
#include "tools/hprof-report/strings/boxes.h"
#include "tools/hprof-report/strings/content_groups.h"
#include "tools/hprof-report/strings/distinct_numbers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace hprof {
namespace {

using test::Bytes;
using test::CoreClasses;
using test::FileFormat;
using test::HeapBuilder;
using test::HeapOptions;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::StringLayout;
using test::Type;

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

/// A heap with known texts: "hello" three times with arrays of their own, twice more over one
/// further array; "once"; "ab" as Latin-1 and the same two bytes as UTF-16; a garbage "hello".
struct Texts {
  explicit Texts(HeapOptions options = {})
      : builder(options), chars(options.strings == StringLayout::chars) {
    holder = builder.add_class({.name = "demo.Holder", .fields = {{"text"}, {"other"}}});
    for (int i = 0; i < 3; ++i) {
      hello.push_back(builder.add_string("hello"));
    }
    const Id shared = latin1("hello");
    hello.push_back(builder.add_string_over(shared));
    hello.push_back(builder.add_string_over(shared));
    once = builder.add_string("once");
    ab = builder.add_string("ab");
    builder.add_string("hello");
    std::vector<Id> roots{once, ab};
    roots.insert(roots.end(), hello.begin() + 2, hello.end());
    if (!chars) {
      wide = builder.add_object(builder.class_named("java.lang.String"),
                                {{"value", latin1("ab")}, {"coder", 1}});
      roots.push_back(wide);
    }
    roots.push_back(builder.add_object(holder, {{"text", hello[0]}, {"other", hello[1]}}));
    builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", roots));
  }

  Id latin1(const std::string& text) {
    Bytes bytes;
    for (const char c : text) {
      if (chars) {
        bytes.push_back(0);
      }
      bytes.push_back(static_cast<std::uint8_t>(c));
    }
    return builder.add_primitive_data(chars ? Type::character : Type::int8,
                                      static_cast<std::uint32_t>(text.size()), bytes);
  }

  HeapBuilder builder;
  bool chars;
  Id holder = 0;
  std::vector<Id> hello;
  Id once = 0;
  Id ab = 0;
  Id wide = 0;
};

std::uint64_t shallow_each(const Report& report, const std::string& class_name) {
  for (const auto& row : report.overview.histogram) {
    if (row.class_name == class_name && row.instances != 0) {
      return row.shallow / row.instances;
    }
  }
  return 0;
}

const TextHolder* holder(const std::vector<TextHolder>& rows, const std::string& name) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const TextHolder& row) { return row.holder == name; });
  return found == rows.end() ? nullptr : &*found;
}

/// What must not depend on how good the hashes are.
Strings without_hashes(Strings strings) {
  for (auto& row : strings.duplicates->top) {
    row.hash.clear();
    row.holders.clear();
  }
  for (auto& row : strings.array_duplicates->top) {
    row.hash.clear();
    row.holders.clear();
  }
  strings.array_duplicates->compared_by_bytes = 0;
  strings.array_duplicates->compared_by_digest = 0;
  strings.array_duplicates->hash_collisions = 0;
  return strings;
}

TEST_CASE("equal texts are counted by content and coder, shared arrays once, garbage not at all") {
  Texts texts;
  const StagedHeap staged(texts.builder, kAllBits);
  const auto report = staged.report({"--find-duplicates"});
  const auto& strings = *report.strings;
  const auto string_bytes = shallow_each(report, "java.lang.String");
  CHECK(strings.instances == 8);
  CHECK(strings.shallow == 8 * string_bytes);
  CHECK(strings.arrays == 7);
  CHECK(strings.sharing_array == 1);
  const auto& duplicates = *strings.duplicates;
  CHECK(duplicates.values == 4);
  CHECK(duplicates.duplicated_values == 1);
  CHECK(duplicates.surplus_strings == 4);
  CHECK(duplicates.surplus_arrays == 3);
  REQUIRE(duplicates.top.size() == 1);
  const auto& top = duplicates.top[0];
  CHECK(top.address.value == texts.hello[0]);
  CHECK(top.length == 5);
  CHECK(top.strings == 5);
  CHECK(top.arrays == 4);
  CHECK(top.deduplication_saves == duplicates.surplus_array_shallow);
  CHECK(top.interning_saves == duplicates.surplus_array_shallow + 4 * string_bytes);
  CHECK_FALSE(top.text.has_value());
  // The array of the UTF-16 text is surplus as an array, but not for String deduplication.
  CHECK(strings.savings->other_arrays == 0);
  CHECK(strings.array_duplicates->by_class[0].surplus_arrays == 4);
  CHECK(strings.savings->total == duplicates.surplus_array_shallow + 4 * string_bytes);
}

TEST_CASE("texts are shown only when they are asked for") {
  Texts texts;
  const StagedHeap staged(texts.builder, kAllBits);
  const auto report = staged.report({"--find-duplicates", "--show-values"});
  CHECK(report.strings->duplicates->top[0].text == "hello");
}

TEST_CASE("who holds Strings is told by field, static field and array") {
  Texts texts;
  texts.builder.add_class({.name = "demo.Config",
                           .statics = {{"NAME", Type::object, texts.builder.add_string("static")},
                                       {"SAME", Type::object, texts.hello[0]}}});
  texts.builder.root(Root::sticky_class, texts.builder.class_named("demo.Config"));
  const StagedHeap staged(texts.builder, kAllBits);
  const auto report = staged.report({"--find-duplicates"});
  const auto& all = *report.strings->holders;
  REQUIRE(holder(all, "demo.Holder#text") != nullptr);
  CHECK(holder(all, "demo.Holder#text")->references == 1);
  CHECK(holder(all, "demo.Holder#text")->held_alone == 0);
  CHECK(holder(all, "demo.Holder#other")->held_alone == 1);
  CHECK(holder(all, "java.lang.Object[]")->references == 6);
  CHECK(holder(all, "class demo.Config.NAME")->held_alone == 1);
  CHECK(holder(all, "class demo.Config.SAME")->held_alone == 0);
  const auto& of_hello = report.strings->duplicates->top[0].holders;
  CHECK(holder(of_hello, "java.lang.Object[]")->references == 3);
  CHECK(holder(of_hello, "demo.Holder#other")->references == 1);
  CHECK(holder(of_hello, "class demo.Config.NAME") == nullptr);
}

TEST_CASE("colliding hashes change nothing") {
  HeapOptions narrow;
  narrow.format.id_size = 4;
  HeapOptions chars;
  chars.strings = StringLayout::chars;
  for (const auto& options : {HeapOptions(), narrow, chars}) {
    std::optional<Strings> right;
    for (const std::uint64_t mask : {kAllBits, std::uint64_t{3}, std::uint64_t{1}}) {
      CAPTURE(mask);
      Texts texts(options);
      const StagedHeap staged(texts.builder, mask);
      const auto strings = *staged.report({"--find-duplicates"}).strings;
      CHECK((strings.array_duplicates->hash_collisions != 0) == (mask == 1));
      // Holders are counted before it is known that texts differ, and are then not told.
      CHECK(strings.duplicates->top[0].holders.empty() == (mask == 1));
      if (!right) {
        right = without_hashes(strings);
        CHECK(right->duplicates->surplus_strings == 4);
      }
      CHECK(without_hashes(strings) == *right);
    }
  }
}

TEST_CASE("large arrays that differ in the last byte are told apart by digests") {
  for (const std::uint64_t mask : {kAllBits, std::uint64_t{1}}) {
    CAPTURE(mask);
    HeapBuilder builder;
    Bytes bytes(100'000, 7);
    std::vector<Id> arrays;
    for (int i = 0; i < 6; ++i) {
      bytes.back() = static_cast<std::uint8_t>(i / 2);
      arrays.push_back(builder.add_primitive_data(Type::int8, 100'000, bytes));
    }
    arrays.push_back(builder.add_zeros(Type::int64, 3));
    arrays.push_back(builder.add_zeros(Type::int64, 3));
    arrays.push_back(builder.add_zeros(Type::int32, 6));
    builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", arrays));
    const StagedHeap staged(builder, mask);
    const auto strings = *staged.report({"--find-duplicates"}).strings;
    const auto& duplicates = *strings.array_duplicates;
    REQUIRE(duplicates.by_class.size() == 3);
    CHECK(duplicates.by_class[0].arrays == 6);
    CHECK(duplicates.by_class[0].contents == 3);
    CHECK(duplicates.by_class[0].duplicated_contents == 3);
    CHECK(duplicates.by_class[0].surplus_arrays == 3);
    CHECK(duplicates.loose_surplus_arrays == 4);
    REQUIRE(duplicates.top.size() == 4);
    CHECK(duplicates.top[0].address.value == arrays[0]);
    CHECK(duplicates.top[0].arrays == 2);
    CHECK(duplicates.top[3].class_name == "long[]");
    CHECK(duplicates.compared_by_digest == 3);
    CHECK(strings.duplicates->values == 0);
  }
}

TEST_CASE("Strings over parts of an array are compared by their part") {
  HeapOptions options;
  options.core = CoreClasses::none;
  HeapBuilder builder(options);
  builder.add_class({.name = "java.lang.Object", .super = 0});
  const Id string = builder.add_class(
      {.name = "java.lang.String",
       .fields = {
           {"value"}, {"offset", Type::int32}, {"count", Type::int32}, {"hash", Type::int32}}});
  const auto chars = [&](const std::string& text) {
    Bytes bytes;
    for (const char c : text) {
      bytes.push_back(0);
      bytes.push_back(static_cast<std::uint8_t>(c));
    }
    return builder.add_primitive_data(Type::character, static_cast<std::uint32_t>(text.size()),
                                      bytes);
  };
  const auto slice = [&](Id array, int offset, int count) {
    return builder.add_object(string, {{"value", array}, {"offset", offset}, {"count", count}});
  };
  const Id long_text = chars("key=value;key=other");
  const Id own_key = chars("key");
  const Id value_in_room = chars("value.....");
  const std::vector<Id> all{slice(long_text, 0, 3),     slice(long_text, 10, 3),
                            slice(own_key, 0, 3),       slice(long_text, 4, 5),
                            slice(value_in_room, 0, 5), slice(long_text, 14, 0),
                            slice(value_in_room, 0, 5)};
  builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", all));
  const StagedHeap staged(builder, kAllBits);
  const auto report = staged.report({"--find-duplicates", "--show-values"});
  const auto& strings = *report.strings;
  CHECK(strings.instances == 7);
  CHECK(strings.arrays == 3);
  const auto& duplicates = *strings.duplicates;
  CHECK(duplicates.values == 3);
  CHECK(duplicates.duplicated_values == 2);
  CHECK(duplicates.surplus_strings == 4);
  // Both lesser arrays could go, since the long one has "key" and "value" and stays.
  CHECK(duplicates.surplus_arrays == 2);
  REQUIRE(duplicates.top.size() == 2);
  CHECK(duplicates.top[0].text == "value");
  CHECK(duplicates.top[0].strings == 3);
  CHECK(duplicates.top[0].arrays == 2);
  CHECK(duplicates.top[1].text == "key");
  CHECK(duplicates.top[1].length == 3);
  REQUIRE(strings.slices.has_value());
  CHECK(strings.slices->arrays == 2);
  CHECK(strings.slices->wasted == 2 * ((19 - 11) + (10 - 5)));
  CHECK(strings.slices->top[0].address.value == long_text);
  CHECK(strings.slices->top[0].longest == 5);
  CHECK(strings.slices->top[0].strings == 4);
}

TEST_CASE("boxed numbers are counted by value, those beside the JVM's cache apart") {
  HeapBuilder builder;
  const Id number = builder.add_class({.name = "java.lang.Number"});
  const Id integer = builder.add_class(
      {.name = "java.lang.Integer", .super = number, .fields = {{"value", Type::int32}}});
  const Id real = builder.add_class(
      {.name = "java.lang.Double", .super = number, .fields = {{"value", Type::float64}}});
  const auto box = [&](int value) { return builder.add_object(integer, {{"value", value}}); };
  std::vector<Id> cached;
  for (int value = -128; value < 128; ++value) {
    cached.push_back(box(value));
  }
  const Id cache = builder.add_array("java.lang.Integer[]", cached);
  const Id cache_class = builder.add_class(
      {.name = "java.lang.Integer$IntegerCache", .statics = {{"cache", Type::object, cache}}});
  builder.root(Root::sticky_class, cache_class);
  const std::vector<Id> others{box(-128),
                               box(127),
                               box(127),
                               box(128),
                               box(1000),
                               box(1000),
                               box(-129),
                               builder.add_object(real, {}),
                               builder.add_object(real, {})};
  builder.root(Root::jni_global, builder.add_array("java.lang.Object[]", others));
  box(5);
  const StagedHeap staged(builder, kAllBits);
  const auto report = staged.report({"--find-duplicates"});
  const auto& boxes = *report.strings->boxes;
  REQUIRE(boxes.size() == 2);
  CHECK(boxes[0].class_name == "java.lang.Integer");
  CHECK(boxes[0].instances == 256 + 7);
  CHECK(boxes[0].values == 256 + 3);
  CHECK(boxes[0].surplus_instances == 4);
  CHECK(boxes[0].cached == 256);
  CHECK(boxes[0].bypassing_cache == 3);
  CHECK(boxes[1].class_name == "java.lang.Double");
  CHECK(boxes[1].surplus_instances == 1);
  CHECK(boxes[1].bypassing_cache == 0);
  CHECK(report.strings->savings->boxed_numbers ==
        boxes[0].surplus_shallow + boxes[1].surplus_shallow);
}

TEST_CASE("without content hashes duplicates are refused, and the rest is there") {
  Texts texts;
  const StagedHeap staged(texts.builder);
  try {
    staged.report({"--find-duplicates"});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::stale);
    CHECK(std::string(error.what()).find("--content-hashes") != std::string::npos);
  }
  const auto report = staged.report();
  const auto& strings = *report.strings;
  CHECK(strings.instances == 8);
  CHECK(strings.arrays == 7);
  CHECK_FALSE(strings.duplicates.has_value());
  std::uint64_t counted = 0;
  for (const auto& row : strings.lengths) {
    counted += row.strings;
  }
  CHECK(counted == 8);
  CHECK(strings.longest[0].length == 5);
  CHECK(strings.longest[0].address.value == texts.hello[0]);
  CHECK(strings.longest[3].address.value == texts.hello[3]);
  CHECK(strings.headers[0].kind == "instances");
  CHECK(strings.headers[0].bytes == strings.headers[0].objects * strings.headers[0].header);
}

TEST_CASE("arrays with equal hashes get a group, single ones none") {
  ContentGroups groups;
  groups.reserve(7);
  const std::uint64_t far = std::uint64_t{200} << 56U;
  for (const std::uint64_t hash :
       {std::uint64_t{5}, far, std::uint64_t{0}, std::uint64_t{6}, far, std::uint64_t{0}, far}) {
    groups.add(hash);
  }
  groups.group();
  CHECK(groups.of(0) == ContentGroups::kNone);
  CHECK(groups.of(2) == ContentGroups::kNone);
  CHECK(groups.of(5) == ContentGroups::kNone);
  REQUIRE(groups.of(1) != ContentGroups::kNone);
  CHECK(groups.of(4) == groups.of(1));
  CHECK(groups.of(6) == groups.of(1));
  CHECK(groups.rows().size() == 1);
  CHECK(groups.rows()[0].members == 3);
  CHECK(groups.rows()[0].hash == far);
  const std::uint32_t own = groups.split(6);
  CHECK(groups.of(6) == own);
  CHECK(groups.rows()[0].members == 2);
  CHECK(groups.rows()[own].members == 1);
}

TEST_CASE("different numbers are counted, few or more than fit one partition, narrow or wide") {
  std::mt19937_64 random(3);
  for (const std::uint64_t size : {0U, 1U, 5000U, 200'000U}) {
    for (const std::uint64_t range : {1ULL, 300ULL, 1ULL << 32U, 1ULL << 40U}) {
      const bool wide = range > 1ULL << 32U;
      DistinctNumbers numbers(size, wide);
      std::set<std::uint64_t> expected;
      for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t number = random() % range;
        numbers.add(number);
        expected.insert(number);
      }
      CHECK_THROWS_AS(numbers.add(1), Error);
      CHECK(numbers.count() == expected.size());
    }
  }
}

}  // namespace
}  // namespace hprof
