#include "diff_reports.h"
#include "formats/diff/diff_json.h"
#include "formats/diff/diff_markdown.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

using test::cache_path;
using test::cache_suspect;
using test::class_row;
using test::diff_of;
using test::heap_report;
using test::row_where;

constexpr char kBoot[] = "<system class loader>";

Report with_suspect(std::uint64_t seconds, std::uint64_t used_heap, std::uint64_t retained,
                    const std::string& field = "MAP") {
  Report out = heap_report(seconds, used_heap);
  out.leaks.suspects = {cache_suspect("a.Cache", field, retained, 0x100 + seconds * 16)};
  out.top.top_level_objects = 1000;
  return out;
}

TEST_CASE("a suspect is recognised at another address by its path") {
  const auto diff = diff_of({with_suspect(0, 10'000, 5000), with_suspect(1, 20'000, 15'000)});
  REQUIRE(diff.suspects.size() == 1);
  const auto& row = diff.suspects.front();
  CHECK(row.fate == Fate::grown);
  CHECK(row.path == "class a.Cache.MAP → java.util.HashMap");
  CHECK(row.holder == "a.Cache.MAP");
  CHECK(row.retained.change == SignedCount{false, 10'000});
  CHECK(row.suspect_in == std::vector<std::uint64_t>{1, 2});
}

TEST_CASE("a suspect whose shortest path became another one is paired by what it is") {
  const auto diff =
      diff_of({with_suspect(0, 10'000, 5000), with_suspect(1, 20'000, 15'000, "OTHER")});
  REQUIRE(diff.suspects.size() == 1);
  CHECK(diff.suspects.front().path == "class a.Cache.OTHER → java.util.HashMap");
  CHECK(diff.suspects.front().retained.change == SignedCount{false, 10'000});
}

TEST_CASE("suspects with equal names and two paths in one dump stay apart") {
  Report late = with_suspect(1, 40'000, 15'000);
  late.leaks.suspects.push_back(cache_suspect("a.Cache", "OTHER", 12'000, 0x900));
  const auto diff = diff_of({with_suspect(0, 10'000, 5000), late});
  CHECK(diff.suspects.size() == 2);
}

/// A report without suspects on a heap with maps, the largest of which that is listed retains so
/// much.
Report with_maps(std::uint64_t seconds, std::uint64_t used_heap, std::uint64_t last_listed) {
  Report out = heap_report(seconds, used_heap, {class_row("java.util.HashMap", kBoot, 9, 9, 9)});
  out.top.top_level_objects = 1000;
  TopObject other;
  other.retained = last_listed;
  out.top.biggest_objects = {other};
  return out;
}

TEST_CASE("a suspect of a class that the other dump lacks is new or gone") {
  const auto diff = diff_of({heap_report(0, 10'000), with_suspect(1, 20'000, 15'000)});
  CHECK(diff.suspects.front().fate == Fate::created);
  CHECK(diff.suspects.front().retained.change == SignedCount{false, 15'000});
  const auto back = diff_of({with_suspect(0, 20'000, 1500), heap_report(1, 90'000)});
  CHECK(back.suspects.front().fate == Fate::gone);
  CHECK(back.suspects.front().retained.change == SignedCount{true, 1500});
  CHECK_FALSE(back.suspects.front().instances.at_most);
}

TEST_CASE("a suspect that falls below the threshold is not gone, and no larger than that") {
  const auto diff = diff_of({with_suspect(0, 20'000, 3500), with_maps(1, 40'000, 9000)});
  const auto& row = diff.suspects.front();
  CHECK(row.fate == Fate::unlisted);
  CHECK(row.retained.at_most == std::vector<std::uint64_t>{3500, 4000});
  CHECK(row.retained.change_least == SignedCount{true, 3500});
  CHECK(row.retained.change_most == SignedCount{false, 500});
  CHECK(row.instances.at_most == std::vector<std::uint64_t>{1, 1});
  CHECK(render_markdown(diff).find("| below the threshold |  3.4 KiB | ≤ 3.9 KiB | "
                                   "−3.4 KiB to +500 B |") != std::string::npos);
  const auto up = diff_of({with_maps(0, 40'000, 9000), with_suspect(1, 40'000, 9500)});
  CHECK(up.suspects.front().fate == Fate::newly_listed);
  CHECK(up.suspects.front().retained.change == SignedCount{false, 5500});
}

TEST_CASE("below the threshold the lists of the largest may tell the figure") {
  Report late = with_maps(1, 40'000, 900);
  TopObject map = late.top.biggest_objects.front();
  map.class_name = "java.util.HashMap";
  map.label = "java.util.HashMap @ 0x9";
  map.retained = 3800;
  map.why_alive = cache_path("a.Cache", "MAP", map.class_name, 0x9);
  late.top.biggest_objects = {map, late.top.biggest_objects.front()};
  const auto diff = diff_of({with_suspect(0, 20'000, 3500), late});
  CHECK(diff.suspects.front().fate == Fate::unlisted);
  CHECK(diff.suspects.front().retained == exact_series({3500, 3800}));
  Suspect group = cache_suspect("a.Cache", "MAP", 9000, 0x100);
  group.kind = SuspectKind::group;
  group.instances = 8;
  Report early = with_maps(0, 20'000, 900);
  early.leaks.suspects = {group};
  TopClass row;
  row.class_name = group.class_name;
  row.instances = 7;
  row.retained = 2000;
  late.top.biggest_classes = {row};
  const auto listed = diff_of({early, late});
  CHECK(listed.suspects.front().instances == exact_series({8, 7}));
  CHECK(listed.suspects.front().retained == exact_series({9000, 2000}));
  late.leaks.suspects = {cache_suspect("b.C", "D", 4500, 0x200)};
  const auto partly = diff_of({early, late});
  const auto& maps = row_where(
      partly.suspects, [](const DiffSuspect& each) { return each.kind == SuspectKind::group; });
  CHECK(maps.retained.at_most == std::vector<std::uint64_t>{9000, 2000});
}

TEST_CASE("no figure of a comparison or series is the largest number that there is") {
  Suspect group = cache_suspect("a.Cache", "MAP", 9000, 0x100);
  group.kind = SuspectKind::group;
  group.instances = 8;
  Report early = with_maps(0, 20'000, 900);
  early.leaks.suspects = {group};
  const auto diff = diff_of({early, with_maps(1, 20'000, 900), with_maps(2, 40'000, 900)});
  CHECK(diff.suspects.front().instances.at_most == std::vector<std::uint64_t>{8, 9, 9});
  StringSink sink;
  write_json(diff, sink);
  CHECK(sink.text().find("18446744073709551615") == std::string::npos);
}

TEST_CASE("a group that is no suspect yet retains no more than the top objects of its class") {
  Report late = heap_report(1, 90'000);
  Suspect group = cache_suspect("a.Cache", "MAP", 20'000, 0x100);
  group.kind = SuspectKind::group;
  group.instances = 40;
  group.address.reset();
  late.leaks.suspects = {group};
  Report early = with_maps(0, 90'000, 9000);
  const auto unknown = diff_of({early, late});
  CHECK(unknown.suspects.front().retained.change == SignedCount{false, 11'000});
  TopClass row;
  row.class_name = group.class_name;
  row.retained = 700;
  early.top.biggest_classes = {row, row};
  const auto listed = diff_of({early, late});
  CHECK(listed.suspects.front().retained.change == SignedCount{false, 18'600});
}

TopObject top_object(const std::string& owner, const std::string& field, std::uint64_t retained) {
  TopObject out;
  out.class_name = "java.util.HashMap";
  out.label = "java.util.HashMap @ 0x9";
  out.retained = retained;
  out.why_alive = cache_path(owner, field, out.class_name, 0x9);
  out.holder = Holder{HolderKind::static_field, owner, field, owner + "." + field, {8}};
  return out;
}

TEST_CASE("of many objects with one path the largest is compared, however many are listed") {
  Report early = heap_report(0, 100'000);
  early.top.top_level_objects = 50;
  early.top.biggest_objects = {top_object("a.C", "F", 3000), top_object("b.D", "G", 2000)};
  Report late = heap_report(1, 100'000);
  late.top.top_level_objects = 50;
  late.top.biggest_objects = {top_object("a.C", "F", 3000), top_object("a.C", "F", 2900),
                              top_object("a.C", "F", 2800)};
  const auto diff = diff_of({early, late});
  for (const auto& path : diff.paths) {
    CHECK(path.holder != "a.C.F");
    CHECK_FALSE(path.retained.change > SignedCount());
  }
}

TEST_CASE("an object that is not listed is below the last one of the list") {
  Report early = heap_report(0, 100'000, {class_row("java.util.HashMap", kBoot, 9, 9, 9)});
  early.top.top_level_objects = 50;
  early.top.biggest_objects = {top_object("a.C", "F", 3000)};
  Report late = heap_report(1, 100'000);
  late.top.top_level_objects = 50;
  late.top.biggest_objects = {top_object("b.D", "G", 9000), top_object("a.C", "F", 3000)};
  const auto diff = diff_of({early, late});
  const auto& row =
      row_where(diff.paths, [](const DiffPath& each) { return each.holder == "b.D.G"; });
  CHECK(row.retained.change == SignedCount{false, 6000});
  CHECK(row.fate == Fate::newly_listed);
}

/// The class object a.C at the end of a path that begins with a thread of this name, and another
/// object that is the last one of the list.
Report with_class_object(std::uint64_t seconds, const std::string& thread, std::uint64_t retained) {
  Report out = heap_report(seconds, 100'000,
                           {class_row("a.C", kBoot, 0, 0, 9), class_row("a.L", kBoot, 9, 9, 9)});
  TopObject object = top_object("a.C", "F", retained);
  object.class_name = "java.lang.Class";
  object.label = "class a.C @ 0x9";
  object.holder.reset();
  auto& steps = object.why_alive->steps;
  steps[0].class_name = "java.lang.Thread";
  steps[0].label = "java.lang.Thread" + thread + " @ 0x1";
  steps[1] = {.via = Via::element,
              .reference = "[3]",
              .address = {0x9},
              .class_name = object.class_name,
              .label = object.label};
  out.top.top_level_objects = 50;
  out.top.biggest_objects = {object, top_object("z.Z", "LAST", 100)};
  return out;
}

TEST_CASE("a class object at the end of another path is no new one") {
  const auto diff = diff_of({with_class_object(0, " main", 5000), with_class_object(1, "", 4900)});
  REQUIRE(diff.paths.size() == 1);
  CHECK(diff.paths[0].class_name == "class a.C");
  CHECK(diff.paths[0].path == "java.lang.Thread → [*] → class a.C");
  CHECK(diff.paths[0].fate == Fate::shrunk);
  CHECK(diff.paths[0].retained.change == SignedCount{true, 100});
  CHECK_FALSE(diff.paths[0].unshared_least);
}

TEST_CASE("objects of one field under two paths each are not paired, and no growth is certain") {
  const auto both = [](std::uint64_t seconds, const std::string& a, const std::string& b) {
    Report out = with_class_object(seconds, a, 5000);
    out.top.biggest_objects.insert(out.top.biggest_objects.begin(),
                                   with_class_object(seconds, b, 4000).top.biggest_objects[0]);
    return out;
  };
  const auto diff = diff_of({both(0, " a", " b"), both(1, " c", " d")});
  for (const auto& row : diff.paths) {
    CHECK_FALSE(row.retained.change > SignedCount());
  }
}

TEST_CASE("where the change is between bounds the part that nothing shares is, too") {
  Report early = with_class_object(0, "", 5000);
  early.overview.histogram.push_back(class_row("java.util.HashMap", kBoot, 9, 9, 9));
  Report late = early;
  late.overview.dump_creation_ms += 1000;
  late.top.biggest_objects.insert(late.top.biggest_objects.begin(), top_object("b.D", "G", 9000));
  const auto diff = diff_of({early, late});
  const auto& row =
      row_where(diff.paths, [](const DiffPath& each) { return each.holder == "b.D.G"; });
  CHECK(row.unshared == SignedCount{false, 8900});
  CHECK(row.unshared_least == SignedCount{false, 8900});
  CHECK(row.unshared_most == SignedCount{false, 9000});
  CHECK_FALSE(row.retained.change_bp);
  CHECK(render_markdown(diff).find("≥ +8.7 KiB | ≥ +8.7 KiB") != std::string::npos);
}

TEST_CASE("an object of a class that the first dump lacks was not there") {
  Report late = with_class_object(1, "", 5000);
  late.overview.histogram.push_back(class_row("java.util.HashMap", kBoot, 9, 9, 9));
  late.top.biggest_objects.insert(late.top.biggest_objects.begin(), top_object("b.D", "G", 9000));
  Report early = with_class_object(0, "", 5000);
  const auto is_new = [](const DiffPath& each) { return each.holder == "b.D.G"; };
  const auto whole = diff_of({early, late});
  CHECK(row_where(whole.paths, is_new).fate == Fate::created);
  CHECK(row_where(whole.paths, is_new).retained.change == SignedCount{false, 9000});
  early.complete = false;
  const auto damaged = diff_of({early, late});
  CHECK(row_where(damaged.paths, is_new).fate == Fate::newly_listed);
}

/// A suspect whose memory gathers in an object that it dominates.
Report with_point(std::uint64_t seconds, std::uint64_t suspect, std::uint64_t point) {
  Report out = heap_report(seconds, 100'000);
  Suspect each = cache_suspect("a.Cache", "MAP", suspect, 0x100);
  each.why_alive->steps.push_back({.via = Via::field,
                                   .reference = "list",
                                   .declared_by = "a.Holder",
                                   .address = {0x200},
                                   .class_name = "java.util.ArrayList",
                                   .label = "java.util.ArrayList @ 0x200"});
  each.accumulation_point = ObjectRef{.address = {0x200},
                                      .class_name = "java.util.ArrayList",
                                      .label = "java.util.ArrayList @ 0x200",
                                      .shallow = 24,
                                      .retained = point};
  out.leaks.suspects = {each};
  out.top.biggest_objects = {top_object("a.Cache", "MAP", suspect)};
  out.top.top_level_objects = 1;
  return out;
}

TEST_CASE("the growth of an accumulation point is not counted again where it lies") {
  const auto diff = diff_of({with_point(0, 20'000, 15'000), with_point(1, 50'000, 44'000)});
  REQUIRE(diff.paths.size() == 2);
  CHECK(diff.paths[0].retained.change == SignedCount{false, 30'000});
  CHECK(diff.paths[0].unshared == SignedCount{false, 1000});
  CHECK(diff.paths[1].unshared == SignedCount{false, 29'000});
}

}  // namespace
}  // namespace hprof
