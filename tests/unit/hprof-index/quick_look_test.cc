#include "tools/hprof-index/quick_look.h"

#include "formats/report/units.h"
#include "tests/support/files.h"
#include "tests/support/hprof_builder.h"
#include "tools/hprof-index/estimate.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace hprof;
using namespace hprof::test;

namespace {

DumpSketch look_at(std::span<const std::uint8_t> bytes) {
  const TempFolder folder;
  const std::string path = folder / "test.hprof";
  write_file(path, bytes);
  return look_at_dump(path);
}

Bytes finished(HeapBuilder& heap) {
  heap.finish();
  return heap.bytes();
}

/// What the classes of every heap add to the counts.
DumpSketch nothing(const HeapOptions& options) {
  HeapBuilder heap(options);
  heap.add_class({.name = "demo.Base", .fields = {{"first"}, {"number", Type::int64}}});
  heap.add_class({.name = "demo.Node"});
  return look_at(finished(heap));
}

struct Demo {
  Id base;
  Id node;
};

Demo add_demo_classes(HeapBuilder& heap) {
  const Id base =
      heap.add_class({.name = "demo.Base", .fields = {{"first"}, {"number", Type::int64}}});
  const Id node = heap.add_class({.name = "demo.Node",
                                  .super = base,
                                  .fields = {{"flag", Type::boolean}, {"left"}, {"right"}}});
  return {base, node};
}

/// A table's row without the blanks between its cells.
std::string row_of(const std::string& text, const std::string& stage) {
  std::istringstream row(text.substr(text.find("\n" + stage + " ") + 1));
  std::string line;
  std::getline(row, line);
  std::istringstream cells(line);
  std::string out;
  for (std::string cell; cells >> cell;) {
    out += (out.empty() ? "" : " ") + cell;
  }
  return out;
}

}  // namespace

TEST_CASE("of a damaged dump a quick look takes what can be read, and says so") {
  HeapBuilder heap;
  const auto demo = add_demo_classes(heap);
  for (int i = 0; i < 100; ++i) {
    heap.add_object(demo.base, {{"number", i}});
  }
  const Bytes bytes = finished(heap);
  const DumpSketch all = look_at(bytes);
  CHECK(all.damage.empty());
  CHECK(estimate_text("a", all).find("damaged") == std::string::npos);
  for (const bool packed : {false, true}) {
    for (std::size_t size = 40; size + 20 < bytes.size(); size += 97) {
      Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      const DumpSketch look = look_at(packed ? gzip(cut) : cut);
      CHECK(look.objects <= all.objects);
      CHECK_FALSE(look.damage.empty());
      CHECK(estimate_text("a", look).find("The dump is damaged (byte 0x") != std::string::npos);
    }
  }
  Bytes garbled = bytes;
  garbled[bytes.size() / 2] ^= 0xffU;
  garbled[bytes.size() / 2 + 1] ^= 0xffU;
  CHECK(look_at(garbled).objects > all.objects / 4);
}

TEST_CASE("a quick look at a small dump counts every object and every reference that is not null") {
  for (const std::uint32_t id_size : {4U, 8U}) {
    const HeapOptions options{.format = {.id_size = id_size}};
    HeapBuilder heap(options);
    const auto demo = add_demo_classes(heap);
    const Id leaf = heap.add_object(demo.base, {{"number", 7}});
    heap.add_object(demo.node, {{"first", leaf}, {"flag", 1}, {"right", leaf}});
    heap.add_object(demo.node, {{"number", -1}, {"left", leaf}});
    heap.add_array("demo.Node[]", {leaf, 0, leaf, 0});
    heap.add_zeros(Type::int32, 1000);
    const DumpSketch look = look_at(finished(heap));
    const DumpSketch before = nothing(options);
    CHECK(look.whole);
    CHECK_FALSE(look.compressed);
    CHECK(look.objects == before.objects + 5 + 2);  // and the classes of two kinds of arrays
    CHECK(look.references == before.references + 2 + 1 + 2);
    CHECK(look.address_order);
  }
}

TEST_CASE("a quick look tells when objects are not in the order of their addresses") {
  HeapBuilder heap;
  const Id array = heap.class_named("long[]");
  REQUIRE(array != 0);
  for (Id address = 0x9000000; address > 0x8000000; address -= 0x10000) {
    heap.add_zeros(Type::int64, 1, address);
  }
  CHECK_FALSE(look_at(finished(heap)).address_order);
}

TEST_CASE("a quick look at a compressed dump is a look at what is in it") {
  HeapBuilder heap;
  for (int i = 0; i < 1000; ++i) {
    heap.add_string("the quick brown fox");
  }
  const Bytes plain = finished(heap);
  const DumpSketch packed = look_at(gzip(plain));
  const DumpSketch look = look_at(plain);
  CHECK(packed.compressed);
  CHECK(packed.whole);
  CHECK(packed.objects == look.objects);
  CHECK(packed.references == look.references);
  CHECK(packed.dump_bytes == plain.size());
  CHECK(packed.file_bytes < plain.size());
}

TEST_CASE(
    "a compressed dump is looked at until there is enough, and the rest is taken to be like it") {
  HeapBuilder heap;
  constexpr std::uint64_t kStrings = 1'500'000;
  for (std::uint64_t i = 0; i < kStrings; ++i) {
    heap.add_string("the quick brown fox jumps over the dog");
  }
  const DumpSketch look = look_at(gzip(finished(heap)));
  CHECK_FALSE(look.whole);
  CHECK(look.sample_bytes < 80'000'000);
  CHECK(look.objects > 2 * kStrings * 95 / 100);
  CHECK(look.objects < 2 * kStrings * 105 / 100);
}

TEST_CASE("classes whose supers go round are looked at once") {
  HeapBuilder heap;
  const Id first =
      heap.add_class({.name = "demo.A", .super = 0x77000, .fields = {{"a"}}, .address = 0x66000});
  heap.add_class({.name = "demo.B", .super = first, .fields = {{"b"}}, .address = 0x77000});
  heap.writer().instance(0x2000000, first, Bytes(64, 1));
  CHECK(look_at(finished(heap)).whole);
}

TEST_CASE("more of anything is never estimated to take less") {
  const DumpSketch few{.objects = 1000, .references = 1000, .bitmap_bytes = 1000, .classes = 10};
  for (auto member : {&DumpSketch::objects, &DumpSketch::references, &DumpSketch::bitmap_bytes,
                      &DumpSketch::classes, &DumpSketch::frames, &DumpSketch::name_bytes}) {
    DumpSketch many = few;
    many.*member += 1'000'000'000;
    const auto less = estimate_stages(few);
    const auto more = estimate_stages(many);
    std::uint64_t grown = 0;
    for (std::size_t i = 0; i < less.size(); ++i) {
      CHECK(more[i].peak_bytes >= less[i].peak_bytes);
      CHECK(more[i].file_bytes >= less[i].file_bytes);
      grown += more[i].peak_bytes - less[i].peak_bytes;
    }
    CHECK(grown >= 1'000'000'000);
  }
}

TEST_CASE("the answer is the largest peak, the sum of the files, and what was looked at") {
  DumpSketch look{.file_bytes = 123'456'789,
                  .dump_bytes = 200'000'000,
                  .sample_bytes = 70'000'000,
                  .places = 3,
                  .objects = 1'234'567,
                  .references = 2'345'678,
                  .bitmap_bytes = 500'000,
                  .classes = 1234};
  const std::string whole = estimate_text("/dumps/app.hprof", look);
  CHECK(whole.starts_with(
      "app.hprof: 117.7 MiB; 1,234,567 objects, 2,350,000 references, 1,234 classes\n"));
  CHECK(whole.find("All of the dump was looked at") != std::string::npos);
  std::uint64_t peak = 0;
  std::uint64_t files = 0;
  for (const auto& stage : estimate_stages(look)) {
    const std::string file = stage.file_bytes == 0 ? "-" : format_bytes(stage.file_bytes);
    CHECK(row_of(whole, stage.stage) ==
          std::string(stage.stage) + " " + format_bytes(stage.peak_bytes) + " " + file);
    peak = std::max(peak, stage.peak_bytes);
    files += stage.file_bytes;
  }
  CHECK(row_of(whole, "all") == "all " + format_bytes(peak) + " " + format_bytes(files));

  look.whole = false;
  const std::string sampled = estimate_text("app.hprof", look);
  CHECK(sampled.find(" 1,230,000 objects") != std::string::npos);
  CHECK(sampled.find("Looked at: 66.8 MiB of objects in 3 places;") != std::string::npos);
  look.places = 1;
  CHECK(estimate_text("app.hprof", look).find("in 1 place;") != std::string::npos);
  look.compressed = true;
  const std::string packed = estimate_text("app.hprof.gz", look);
  CHECK(packed.find("117.7 MiB, inflated 190.7 MiB;") != std::string::npos);
  CHECK(packed.find("at the beginning, all that can be had quickly") != std::string::npos);
}

TEST_CASE("a dump out of address order needs the references in memory") {
  DumpSketch look{.objects = 1'000'000, .references = 2'000'000};
  const auto ordered = estimate_stages(look);
  look.address_order = false;
  const auto scattered = estimate_stages(look);
  CHECK(scattered[1].peak_bytes > ordered[1].peak_bytes + ordered[1].file_bytes);
  CHECK(scattered[2].peak_bytes == ordered[2].peak_bytes);
}
