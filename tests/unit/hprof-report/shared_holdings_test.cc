// What several references of a suspect hold together, and by which of them.
#include "formats/report/summary.h"
#include "staged_heap.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

constexpr std::uint32_t kRecords = 40;

/// Records of a kibibyte each.
struct Records {
  explicit Records(HeapBuilder& heap)
      : class_address(heap.add_class({.name = "demo.Rec", .fields = {{"data"}}})) {
    for (std::uint32_t i = 0; i < kRecords; ++i) {
      all.push_back(heap.add_object(class_address, {{"data", heap.add_zeros(Type::int8, 1000)}}));
    }
  }
  std::vector<Id> first(std::size_t count) const {
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
  }

  Id class_address;
  std::vector<Id> all;
};

Suspect first_suspect(HeapBuilder& heap) {
  const auto report = StagedHeap(heap).report();
  REQUIRE(!report.leaks.suspects.empty());
  return report.leaks.suspects.front();
}

std::string plain(const Sentence& sentence) {
  std::string out;
  for (const auto& span : sentence) {
    out += span.text;
  }
  return out;
}

std::vector<std::string> names_of(const HeldTogether& held) {
  std::vector<std::string> names;
  for (const auto& reference : held.references) {
    names.push_back(reference.holder.name);
  }
  return names;
}

TEST_CASE("two static fields of one class hold the same objects") {
  HeapBuilder heap;
  const Records records(heap);
  const Id part = heap.add_array("java.lang.Object[]", records.first(30));
  const Id whole = heap.add_array("java.lang.Object[]", records.all);
  const Id other = heap.add_array("java.lang.Object[]", records.all);
  const Id owner = heap.add_class(
      {.name = "demo.P",
       .statics = {
           {"PART", Type::object, part}, {"A", Type::object, whole}, {"B", Type::object, other}}});
  heap.root(Root::sticky_class, owner);
  const auto suspect = first_suspect(heap);
  REQUIRE(suspect.accumulation_point->address.value == owner);
  REQUIRE(suspect.held_together.has_value());
  const auto& held = *suspect.held_together;
  REQUIRE(held.classes.size() == 1);
  CHECK(held.classes[0].class_name == "demo.Rec");
  CHECK(held.classes[0].objects == kRecords);
  CHECK(held.classes[0] == suspect.accumulated->classes[0]);
  CHECK(names_of(held) == std::vector<std::string>{"demo.P.A", "demo.P.B", "demo.P.PART"});
  CHECK(held.references[0].object.address.value == whole);
  CHECK(held.references[0].object.retained == held.references[0].object.shallow);
  const auto sentence = plain(suspect_sentence(suspect));
  CHECK_MESSAGE(
      sentence.find("The memory gathers in it directly. Of that, 40 demo.Rec retain 40.") !=
          std::string::npos,
      sentence);
  CHECK_MESSAGE(sentence.find("; several references hold them together, among them static field "
                              "demo.P.A (") != std::string::npos,
                sentence);
  CHECK_MESSAGE(sentence.find("largest part") == std::string::npos, sentence);
}

TEST_CASE("static fields of two classes that one loader keeps") {
  HeapBuilder heap;
  const Records records(heap);
  std::vector<Id> classes;
  for (const char* name : {"demo.H1", "demo.H2"}) {
    const Id array = heap.add_array("java.lang.Object[]", records.all);
    classes.push_back(heap.add_class({.name = name, .statics = {{"HELD", Type::object, array}}}));
  }
  const Id list = heap.add_array("java.lang.Object[]", classes);
  heap.root(Root::jni_global, list);
  const auto suspect = first_suspect(heap);
  REQUIRE(suspect.accumulation_point->address.value == list);
  REQUIRE(suspect.held_together.has_value());
  CHECK(names_of(*suspect.held_together) ==
        std::vector<std::string>{"demo.H1.HELD", "demo.H2.HELD"});
}

TEST_CASE("locals of a thread hold the same objects") {
  HeapBuilder heap;
  const Records records(heap);
  const auto thread = heap.add_thread(
      {.name = "main", .frames = {{.method = "work", .class_address = records.class_address}}});
  heap.local(thread, heap.add_array("java.lang.Object[]", records.all));
  heap.local(thread, heap.add_array("java.lang.Object[]", records.all));
  const auto suspect = first_suspect(heap);
  REQUIRE(suspect.address->value == thread.object);
  REQUIRE(suspect.held_together.has_value());
  REQUIRE(suspect.held_together->references.size() == 2);
  for (const auto& reference : suspect.held_together->references) {
    CHECK(reference.holder.kind == HolderKind::local);
    CHECK(reference.object.class_name == "java.lang.Object[]");
  }
  const auto sentence = plain(suspect_sentence(suspect));
  CHECK_MESSAGE(sentence.find("among them a local variable in demo.Rec.work(Main.java:1) "
                              "(java.lang.Object[], ") != std::string::npos,
                sentence);
}

TEST_CASE("of a field that leads to a shared object itself the owner is told") {
  HeapBuilder heap;
  const Id entry = heap.add_class({.name = "demo.Entry", .fields = {{"payload"}}});
  const Id payload = heap.add_zeros(Type::int8, 10'000);
  const Id first = heap.add_object(entry, {{"payload", payload}});
  const Id second = heap.add_object(entry, {{"payload", payload}});
  const Id other = heap.add_object(entry, {{"payload", heap.add_zeros(Type::int8, 8000)}});
  heap.root(Root::jni_global, heap.add_array("demo.Entry[]", {first, second, other}));
  const auto suspect = first_suspect(heap);
  REQUIRE(suspect.held_together.has_value());
  const auto& references = suspect.held_together->references;
  REQUIRE(references.size() == 2);
  CHECK(references[0].holder.name == "demo.Entry.payload");
  CHECK(references[0].object.address.value == first);
  CHECK(references[1].object.address.value == second);
  const auto sentence = plain(suspect_sentence(suspect));
  CHECK_MESSAGE(sentence.find("; several references hold it together, among them field "
                              "demo.Entry.payload (") != std::string::npos,
                sentence);
  CHECK_MESSAGE(sentence.find(" and another such field (") != std::string::npos, sentence);
}

TEST_CASE("an array holds its own elements alone") {
  HeapBuilder heap;
  const Records records(heap);
  heap.root(Root::jni_global, heap.add_array("java.lang.Object[]", records.all));
  CHECK_FALSE(first_suspect(heap).held_together);
}

TEST_CASE("what two references share is not told where something else is larger") {
  HeapBuilder heap;
  const Records records(heap);
  const auto few = records.first(10);
  const Id a = heap.add_array("java.lang.Object[]", few);
  const Id b = heap.add_array("java.lang.Object[]", few);
  const Id owner =
      heap.add_class({.name = "demo.P",
                      .statics = {{"A", Type::object, a},
                                  {"B", Type::object, b},
                                  {"BIG", Type::object, heap.add_zeros(Type::int8, 20'000)}}});
  heap.root(Root::sticky_class, owner);
  const auto suspect = first_suspect(heap);
  REQUIRE(suspect.address->value == owner);
  CHECK_FALSE(suspect.held_together);
  CHECK(plain(suspect_sentence(suspect)).find("the largest part in static field demo.P.BIG") !=
        std::string::npos);
}

TEST_CASE("objects that reference each other are held by their ends together") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}, {"prev"}}});
  std::vector<Id> nodes;
  for (unsigned i = 0; i < 50; ++i) {
    nodes.push_back(heap.reserve());
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    heap.add_object(
        node,
        {{"next", i + 1 < nodes.size() ? nodes[i + 1] : 0}, {"prev", i != 0 ? nodes[i - 1] : 0}},
        nodes[i]);
  }
  const Id list = heap.add_class({.name = "demo.List", .fields = {{"first"}, {"last"}}});
  heap.root(Root::jni_global,
            heap.add_object(list, {{"first", nodes.front()}, {"last", nodes.back()}}));
  const auto suspect = first_suspect(heap);
  REQUIRE(suspect.accumulation_point.has_value());
  CHECK_MESSAGE(!suspect.held_together, "a list is no reason to name its two ends");
}

}  // namespace
}  // namespace hprof
