#include "staged_heap.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/dump/survey.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::HeapOptions;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Type;

/// Two classes with a field of one name, a chain of objects, an array, a string, and garbage; far
/// apart in the file, with `filler` bytes between them.
struct Example {
  explicit Example(std::uint32_t filler = 0, HeapOptions options = {}) : builder(options) {
    base = builder.add_class({.name = "demo.Base", .fields = {{"next"}, {"size", Type::int32}}});
    derived = builder.add_class(
        {.name = "demo.Derived", .super = base, .fields = {{"next"}, {"flag", Type::boolean}}});
    text = builder.add_string("caf\xe9");
    builder.add_zeros(Type::int8, filler);
    last = builder.add_object(base, {{"size", -7}});
    builder.add_zeros(Type::int8, filler);
    first = builder.add_object(derived, {{"next", last}, {"demo.Base#next", text}, {"flag", 1}});
    garbage = builder.add_object(base, {{"next", first}});
    std::vector<Id> elements(10'000, 0);
    elements[3] = text;
    elements[9'000] = first;
    array = builder.add_array("demo.Base[]", elements);
    builder.root(Root::jni_global, array);
  }

  HeapBuilder builder;
  Id base = 0;
  Id derived = 0;
  Id text = 0;
  Id last = 0;
  Id first = 0;
  Id garbage = 0;
  Id array = 0;
};

struct Opened {
  explicit Opened(Example& example) : Opened(example.builder) {}
  explicit Opened(HeapBuilder& builder)
      : staged(builder), heap(staged.open()), dump(staged.open_dump(*heap)) {}

  ObjectIndex object(Id id) const { return heap->index().addresses.index_of(id); }

  StagedHeap staged;
  std::unique_ptr<Heap> heap;
  std::unique_ptr<DumpSource> dump;
};

TEST_CASE("a record is fetched with its fields, inherited ones apart from hidden ones") {
  Example example;
  Opened opened(example);
  RecordFetcher fetcher(*opened.dump);
  unsigned met = 0;
  fetcher.want(opened.object(example.first), [&](const ObjectRecord& record) {
    ++met;
    CHECK(record.reference("next") == opened.object(example.last));
    CHECK(record.reference("next", "demo.Base") == opened.object(example.text));
    CHECK(record.number("flag") == 1);
    CHECK(record.number("size") == 0);
    CHECK_FALSE(record.number("none").has_value());
    CHECK(record.reference("none").is_none());
    fetcher.want(record.reference("next"), [&](const ObjectRecord& next) {
      ++met;
      CHECK(next.number("size") == -7);
      CHECK(next.reference("next").is_none());
    });
  });
  fetcher.want(opened.object(example.first), [&](const ObjectRecord&) { ++met; });
  fetcher.want(ObjectIndex::none(), [&](const ObjectRecord&) { met += 100; });
  fetcher.want(opened.object(example.base), [&](const ObjectRecord&) { met += 100; });
  fetcher.run();
  CHECK(met == 3);
  CHECK(opened.dump->passes() == 2);
}

TEST_CASE("strings, elements and positions come from any stretch of the dump") {
  for (const std::uint32_t filler : {0U, 300'000U}) {
    Example example(filler, {.format = {}, .strings = test::StringLayout::compact});
    Opened opened(example);
    RecordFetcher fetcher(*opened.dump);
    std::string text;
    std::vector<std::uint64_t> positions;
    std::uint64_t elements_here = 0;
    fetcher.want_text(opened.object(example.text), [&](const JavaText& t) { text = t.utf8; });
    for (const Id target : {example.first, example.text, example.last}) {
      fetcher.want_position(opened.object(example.array), opened.object(target),
                            [&](std::uint64_t at) { positions.push_back(at); });
    }
    fetcher.want(
        opened.object(example.array),
        [&](const ObjectRecord& array) {
          elements_here = array.elements_here();
          CHECK(array.elements() == 10'000);
          CHECK(array.element(2).is_none());
          CHECK(array.element(3) == opened.object(example.text));
        },
        100);
    fetcher.run();
    CHECK(text == "caf\xc3\xa9");
    CHECK(positions == std::vector<std::uint64_t>{3, 9'000});
    CHECK(elements_here == 100 / opened.heap->index().summary.identifier_size);
    if (filler != 0) {
      CHECK(opened.dump->places().rows.size() >= 3);
    }
  }
}

TEST_CASE("text is decoded whatever keeps it") {
  const std::vector<std::uint8_t> utf16_le{0x3d, 0xd8, 0x00, 0xde, 0x41, 0x00, 0x00, 0xd8};
  const auto wide = decode_text(utf16_le, RecordKind::byte_array, 8, {.latin1 = false});
  CHECK(wide.utf8 ==
        "\xf0\x9f\x98\x80"
        "A\xef\xbf\xbd");
  CHECK(wide.characters == 4);
  const std::vector<std::uint8_t> chars{0, 'a', 0, 'b', 0, 'c', 0, 'd'};
  const auto slice =
      decode_text(chars, RecordKind::char_array, 4, {.offset = 1, .count = 2, .whole = false});
  CHECK(slice.utf8 == "bc");
  const auto wild =
      decode_text(chars, RecordKind::char_array, 4, {.offset = 3, .count = 9, .whole = false});
  CHECK(wild.utf8 == "d");
  CHECK(wild.characters == 1);
  const auto beginning = decode_text(chars, RecordKind::char_array, 100, {});
  CHECK(beginning.utf8 == "abcd");
  CHECK(beginning.cut);
}

class Recorder : public Surveyor {
 public:
  explicit Recorder(const HeapIndex& index, bool wants_bytes = true)
      : index_(index), wants_bytes_(wants_bytes) {}

  bool wants(std::uint32_t type) override {
    const auto name = index_.class_name(index_.types[type].class_index);
    return name.starts_with("demo.") || (wants_bytes_ && name == "byte[]");
  }
  bool wants_contents(std::uint32_t /*type*/) override { return true; }
  void on_instance(const ObjectRecord& record) override { note(record); }
  void on_array(const ObjectRecord& record) override {
    note(record);
    last_ = record.object();
  }
  void on_elements(std::span<const std::uint8_t> elements) override {
    bytes[last_] += elements.size();
  }
  void on_array_end() override { ++ends; }

  std::vector<std::uint32_t> objects;
  std::map<std::uint32_t, std::uint64_t> bytes;
  unsigned ends = 0;

 private:
  void note(const ObjectRecord& record) { objects.push_back(record.object()); }

  const HeapIndex& index_;
  bool wants_bytes_;
  std::uint32_t last_ = 0;
};

/// Has `recorder` look at everything.
void run_survey(const Opened& opened, Recorder& recorder) {
  opened.heap->load_dominators();
  TypeBlocks types(opened.heap->objects());
  opened.heap->graph().for_each_object(
      [&](const ObjectRow& row) { types.add(row.index, row.type); });
  Survey survey(*opened.dump, [&](std::uint32_t object) {
    return opened.heap->dominators()[object] != kUnreachable;
  });
  survey.pass_over_others(types);
  survey.add(recorder);
  Progress progress("", false);
  survey.run(progress);
}

TEST_CASE("a survey shows every reachable object of the types that are wanted") {
  Example example;
  Opened opened(example);
  Recorder recorder(opened.heap->index());
  run_survey(opened, recorder);
  const auto object = [&](Id id) { return opened.object(id).value(); };
  REQUIRE(recorder.objects.size() == 4);
  CHECK(recorder.objects[1] == object(example.last));
  CHECK(recorder.objects[2] == object(example.first));
  CHECK(recorder.objects[3] == object(example.array));
  CHECK(recorder.bytes[object(example.array)] ==
        std::uint64_t{10'000} * opened.heap->index().summary.identifier_size);
  CHECK(recorder.bytes[recorder.objects[0]] == 4);
  CHECK(recorder.ends == 2);
}

TEST_CASE("a survey passes over what holds nothing for it, and sees all the same") {
  HeapBuilder builder;
  const Id base = builder.add_class({.name = "demo.Base", .fields = {{"next"}}});
  std::vector<Id> nodes;
  for (int i = 0; i < 40'000; ++i) {
    builder.add_zeros(Type::int8, 200);
    if (i == 0 || i == 20'000 || i == 39'999) {
      nodes.push_back(builder.add_object(base, {{"next", nodes.empty() ? 0 : nodes.back()}}));
      builder.root(Root::jni_global, nodes.back());
    }
  }
  const Opened opened(builder);
  Recorder recorder(opened.heap->index(), false);
  run_survey(opened, recorder);
  std::vector<std::uint32_t> expected;
  for (const auto node : nodes) {
    expected.push_back(opened.object(node).value());
  }
  CHECK(recorder.objects == expected);
  const auto read = opened.dump->bytes_read();
  CHECK(read < opened.heap->files().provenance.dump.size_bytes / 2);
  Recorder everything(opened.heap->index());
  run_survey(opened, everything);
  CHECK(opened.dump->bytes_read() - read >
        opened.heap->files().provenance.dump.size_bytes / 10 * 9);

  const auto before = opened.dump->bytes_read();
  Recorder last(opened.heap->index());
  Survey survey(*opened.dump, [&](std::uint32_t object) {
    return opened.heap->dominators()[object] != kUnreachable;
  });
  survey.add(last);
  survey.pass_over_others([&](std::uint32_t lowest, std::uint32_t highest) {
    return lowest <= expected.back() && expected.back() <= highest;
  });
  Progress progress("", false);
  survey.run(progress);
  CHECK(std::count(last.objects.begin(), last.objects.end(), expected.back()) == 1);
  CHECK(std::count(last.objects.begin(), last.objects.end(), expected.front()) == 0);
  CHECK(opened.dump->bytes_read() - before < opened.heap->files().provenance.dump.size_bytes / 2);
}

TEST_CASE("a second record of an object counts for nothing, whatever it says is its class") {
  HeapBuilder builder;
  const Id type = builder.add_class({.name = "demo.Thing"});
  const Id thing = builder.add_object(type);
  builder.root(Root::jni_global, thing);
  const auto objects = StagedHeap(builder).report().overview.total_objects;
  HeapBuilder twice;
  const Id same = twice.add_object(twice.add_class({.name = "demo.Thing"}));
  twice.root(Root::jni_global, same);
  twice.writer().instance(same, 0x7777000, {});
  twice.writer().object_array(same, 0x7778000, std::vector<Id>{same});
  const auto report = StagedHeap(twice).report();
  CHECK(report.overview.total_objects == objects);
  CHECK(report.overview.duplicate_ids == 2);
}

TEST_CASE("an object that names no class is damage, and what was read before counts") {
  for (const bool is_array : {false, true}) {
    HeapBuilder builder;
    builder.root(Root::jni_global, builder.add_object(builder.add_class({.name = "demo.Thing"})));
    const Id address = builder.reserve();
    if (is_array) {
      builder.writer().object_array(address, 0, {});
    } else {
      builder.writer().instance(address, 0, {});
    }
    const auto report = StagedHeap(builder).report();
    CHECK_FALSE(report.complete);
    REQUIRE(report.overview.coverage.has_value());
    REQUIRE(report.overview.coverage->damage.size() == 1);
    CHECK(report.overview.coverage->damage[0].what.find("has no class") != std::string::npos);
    CHECK(report.overview.total_objects != 0);
  }
}

}  // namespace
}  // namespace hprof
