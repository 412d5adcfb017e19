#include "common/error.h"
#include "diff_reports.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

using test::class_row;
using test::diff_of;
using test::heap_report;
using test::row_where;

constexpr char kBoot[] = "<system class loader>";

Report with_fields(std::uint64_t seconds, const std::vector<CollectionField>& fields) {
  Report out = heap_report(seconds, 100'000);
  out.collections.emplace();
  out.collections->by_field = fields;
  return out;
}

CollectionField field(const std::string& name, std::uint64_t elements, std::uint64_t retained) {
  CollectionField out;
  out.field = name;
  out.collections = 1;
  out.elements = elements;
  out.retained = retained;
  out.contents = {{"a.Item", elements, retained / 2, 0}, {"a.Item", 1, 1, 0}};
  return out;
}

TEST_CASE("fields are told with what they hold") {
  const auto diff = diff_of({with_fields(0, {field("class a.C.MAP", 10, 2000)}),
                             with_fields(1, {field("class a.C.MAP", 900, 82'000)})});
  REQUIRE(diff.fields_held.size() == 1);
  const auto& row = diff.fields_held.front();
  CHECK(row.field == "a.C.MAP");
  CHECK(row.is_static);
  CHECK(row.elements->change == SignedCount{false, 890});
  CHECK(row.contents == std::vector<std::string>{"a.Item"});
  CHECK(diff.causes.front().name == "a.C.MAP");
}

BigCollection big(const std::string& owner, std::uint64_t retained, bool nested = false) {
  BigCollection out;
  out.class_name = "java.util.HashMap";
  out.retained = retained;
  out.owner = {owner, Address{1}, nested};
  return out;
}

TEST_CASE("without --collections all of a static field are compared, of another one the largest") {
  Report early = heap_report(0, 100'000, {class_row("a.C", "L @ 0x1", 0, 0, 900)});
  early.collections.emplace();
  early.collections->biggest = {big("class a.C.MAP", 900), big("a.D#list", 800), big("x.Y#z", 700)};
  Report late = heap_report(
      1, 100'000, {class_row("a.C", "L @ 0x1", 0, 0, 900), class_row("a.C", "L @ 0x2", 0, 0, 900)});
  late.collections.emplace();
  late.collections->biggest = {big("class a.C.MAP", 900), big("class a.C.MAP", 900),
                               big("a.D#list", 800), big("a.D#list", 800)};
  const auto diff = diff_of({early, late});
  const auto& row =
      row_where(diff.fields_held, [](const DiffField& each) { return each.field == "a.C.MAP"; });
  CHECK(row.retained.change == SignedCount{false, 900});
  CHECK_FALSE(row.elements);
  for (const auto& each : diff.fields_held) {
    CHECK(each.field != "a.D#list");
  }
}

TEST_CASE("the verdict names the field that holds the growing class rather than one around it") {
  Report early =
      with_fields(0, {field("o.Container#all", 1, 3000), field("class a.C.MAP", 10, 2000)});
  early.overview.histogram = {class_row("a.Item", kBoot, 10, 160, 1000)};
  Report late =
      with_fields(1, {field("o.Container#all", 2, 93'000), field("class a.C.MAP", 900, 90'000)});
  late.overview.total_shallow = 200'000;
  late.overview.histogram = {class_row("a.Item", kBoot, 900, 14'400, 88'000)};
  early.collections->by_field->at(0).contents = {};
  late.collections->by_field->at(0).contents = {};
  const auto diff = diff_of({early, late});
  CHECK(diff.causes.front().name == "a.C.MAP");
  CHECK(diff.verdict.text.find("Static field a.C.MAP holds") != std::string::npos);
  CHECK(diff.verdict.text.find("The class that grows most is a.Item with +890 instances") !=
        std::string::npos);
}

Report caches(std::uint64_t seconds, std::uint64_t leak, std::uint64_t filled) {
  Report out = with_fields(seconds, {field("class a.Leak.ALL", leak / 100, leak),
                                     field("class a.Warm.CACHE", filled / 100, filled)});
  out.overview.total_shallow = 1'000'000 + leak + filled;
  return out;
}

TEST_CASE("of a leak and a cache that fills once only the leak is a cause") {
  const auto diff =
      diff_of({caches(0, 100'000, 0), caches(1, 300'000, 500'000), caches(2, 500'000, 500'000)});
  REQUIRE(diff.causes.size() == 1);
  CHECK(diff.causes.front().name == "a.Leak.ALL");
  CHECK(diff.causes.front().trend == Trend::monotonic);
  const auto& warm = row_where(diff.fields_held,
                               [](const DiffField& each) { return each.field == "a.Warm.CACHE"; });
  CHECK(warm.retained.trend == Trend::warm_up);
}

TEST_CASE("a cache that fills and stays is no cause at all") {
  const auto diff = diff_of({caches(0, 0, 0), caches(1, 0, 500'000), caches(2, 0, 500'000)});
  CHECK(diff.causes.empty());
  CHECK(diff.verdict.text.find("warm-up") != std::string::npos);
  DiffOptions options;
  options.ignore_warm_up = true;
  const auto later =
      diff_of({caches(0, 0, 0), caches(1, 0, 500'000), caches(2, 0, 500'000)}, options);
  CHECK(later.dumps.size() == 2);
  CHECK(later.warm_up->file_name == "dump0.hprof");
  CHECK(later.verdict.rule == "same");
}

TEST_CASE("a warm-up needs dumps behind it") {
  DiffOptions options;
  options.ignore_warm_up = true;
  CHECK_THROWS_AS(diff_of({caches(0, 0, 0), caches(1, 0, 500'000)}, options), Error);
}

}  // namespace
}  // namespace hprof
