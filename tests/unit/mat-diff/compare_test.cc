// The comparison of a small heap, and what it says when one figure is wrong.
#include "tools/mat-diff/compare.h"

#include "common/concat.h"
#include "formats/mat/mat_export.h"
#include "tests/support/files.h"
#include "tests/unit/mat-diff/mat_pages.h"
#include "tools/mat-diff/mat_text.h"
#include "tools/mat-diff/render.h"

#include <doctest/doctest.h>

#include <set>

using namespace hprof;
using namespace hprof::test;
using nlohmann::json;

namespace {

MatExport read(const Pages& overview, const Pages& suspects) {
  const TempFolder folder;
  write_exports(folder.path(), "app", overview, suspects, sample_components());
  return read_mat_export(folder / "app");
}

const MatExport& sample() {
  static const MatExport kSample = read(sample_overview(), sample_suspects());
  return kSample;
}

Comparison compare_with(json report) {
  return compare(sample(), OurReport(std::move(report)));
}

/// "section: field" of every field of that tier.
std::set<std::string> fields_of(const Comparison& comparison, Tier tier) {
  std::set<std::string> names;
  for (const auto& field : comparison.fields) {
    if (field.verdict.tier == tier) {
      names.insert(field.section + ": " + field.name);
    }
  }
  return names;
}

std::string joined(const std::set<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    out += name + "\n";
  }
  return out;
}

json changed(const std::string& pointer, const json& value) {
  auto report = sample_report();
  report.at(json::json_pointer(pointer)) = value;
  return report;
}

json without(const std::string& pointer) {
  auto report = sample_report();
  const json::json_pointer path(pointer);
  auto& parent = report.at(path.parent_pointer());
  if (parent.is_array()) {
    parent.erase(std::stoul(path.back()));
  } else {
    parent.erase(path.back());
  }
  return report;
}

json swapped(const std::string& list, std::size_t i, std::size_t j) {
  auto report = sample_report();
  auto& rows = report.at(json::json_pointer(list));
  std::swap(rows.at(i), rows.at(j));
  return report;
}

/// Leaves of the report that MAT's export has no word on.
bool is_ours_alone(const std::string& pointer) {
  for (const std::string part :
       {"/schema_version", "/generated", "/complete", "/overview/file_path", "/threshold_bp",
        "/overview/file_name", "/biggest_objects/3/", "/components/1/retained",
        "/arrays/0/class_address", "/arrays/1/class_address", "/unused_bytes", "/fill/2/at_end"}) {
    if (pointer.find(part) != std::string::npos) {
      return true;
    }
  }
  // What a root is reached by is told in another way, and frames may stand among the keywords or
  // not.
  if (pointer.find("/steps/0/reference") != std::string::npos ||
      pointer.find("/suspects/0/keywords/1") != std::string::npos ||
      pointer.find("/suspects/0/keywords/2") != std::string::npos) {
    return true;
  }
  if (pointer.find("/biggest_objects/") != std::string::npos && pointer.ends_with("/retained_bp")) {
    return true;
  }
  // Packages: MAT prints no shallow sizes. The loader of a class is compared only where a suspect's
  // point needs it.
  const bool package_shallow =
      pointer.find("/biggest_packages") != std::string::npos && pointer.ends_with("/shallow");
  const bool other_loader =
      pointer.ends_with("/loader_address") && pointer.find("/histogram/2/") == std::string::npos;
  const bool class_of_single = pointer.ends_with("/class_address") &&
                               pointer.find("/suspects/") != std::string::npos &&
                               pointer.find("/suspects/1/") == std::string::npos;
  return package_shallow || other_loader || class_of_single;
}

/// Another value of the same kind; times a second later, since MAT prints no milliseconds.
json mutated(const json& value) {
  if (value.is_number()) {
    const auto number = value.get<std::uint64_t>();
    return number + (number > 1'000'000'000'000 ? 1000 : 1);
  }
  if (value.is_boolean()) {
    return !value.get<bool>();
  }
  const auto text = value.get<std::string>();
  return text.starts_with("0x") ? text + "8" : text + "x";
}

}  // namespace

TEST_CASE("the sample agrees in every field") {
  const auto comparison = compare_with(sample_report());
  const auto sum = comparison.summary();
  INFO(render_markdown(comparison));
  CHECK(sum.fail == 0);
  CHECK(sum.match > 150);
  CHECK(sum.skipped > 0);
  for (const auto& field : comparison.fields) {
    if (field.verdict.tier == Tier::explainable) {
      CHECK(field.verdict.reason == Reason::rounding);
    }
  }
}

TEST_CASE("every figure and name that MAT has, changed alone, is a FAIL") {
  const auto flat = sample_report().flatten();
  unsigned tried = 0;
  for (const auto& [pointer, value] : flat.items()) {
    if (is_ours_alone(pointer) || value.is_null()) {
      continue;
    }
    const auto comparison = compare_with(changed(pointer, mutated(value)));
    CAPTURE(pointer);
    CHECK(comparison.summary().fail > 0);
    ++tried;
  }
  CHECK(tried > 150);
}

TEST_CASE("every figure and name that MAT has, taken away, is a FAIL") {
  const auto flat = sample_report().flatten();
  for (const auto& [pointer, value] : flat.items()) {
    const bool optional = pointer.ends_with("/jvm_version") || pointer.ends_with("/retained_bp");
    if (is_ours_alone(pointer) || optional || value.is_null()) {
      continue;
    }
    CAPTURE(pointer);
    CHECK(compare_with(without(pointer)).summary().fail > 0);
  }
}

TEST_CASE("a changed figure fails in its own field") {
  struct Case {
    const char* pointer;
    json value;
    std::set<std::string> fields;
  };
  const std::string histogram = "histogram: row 3 app.Node: ";
  const std::vector<Case> cases{
      {"/overview/gc_roots", 8, {"overview: gc_roots"}},
      {"/overview/dump_creation_ms", 1795987572000, {"overview: dump_creation_ms"}},
      {"/overview/compressed_oops", false, {"overview: compressed_oops"}},
      {"/overview/format", "hprof2", {"overview: format"}},
      {"/overview/histogram/2/instances",
       287,
       {histogram + "instances", "histogram: totals: instances"}},
      {"/overview/histogram/2/shallow",
       49501,
       {histogram + "shallow", "histogram: totals: shallow"}},
      {"/overview/histogram/2/retained", 49499, {histogram + "retained"}},
      {"/top/biggest_objects/0/shallow", 41, {"biggest_objects: row 1 0x2000: shallow"}},
      {"/components/components/0/retained",
       60001,
       {"components: component app.Loader @ 0x3000: retained"}},
      {"/components/components/0/retained_set/objects",
       941,
       {"components: component app.Loader @ 0x3000: histogram: objects"}},
      {"/components/components/0/retained_set/class_loaders",
       2,
       {"components: component app.Loader @ 0x3000: Class Loader"}},
      {"/components/components/0/retained_set/histogram/1/shallow",
       401,
       {"components: component app.Loader @ 0x3000: class app.Cache: shallow"}},
      {"/components/components/0/retained_set/arrays/0/arrays",
       601,
       {"components: component app.Loader @ 0x3000: arrays byte[]: arrays"}},
      {"/components/components/0/retained_set/arrays/0/zero_length",
       9,
       {"components: component app.Loader @ 0x3000: arrays byte[]: without elements"}},
      {"/components/components/0/retained_set/arrays/1/zero_length",
       2,
       {"components: component app.Loader @ 0x3000: arrays app.Cache[]: without elements",
        "components: component app.Loader @ 0x3000: fill of app.Cache[]: <= 1.00: arrays"}},
      {"/components/components/0/retained_set/arrays/1/fill/1/shallow",
       41,
       {"components: component app.Loader @ 0x3000: fill of app.Cache[]: rows"}},
      {"/components/components/0/retained_set/arrays/1/fill/2/shallow",
       57,
       {"components: component app.Loader @ 0x3000: fill of app.Cache[]: <= 0.60: shallow"}},
      {"/components/components/0/retained_set/arrays/1/fill/3/own_class/shallow",
       25,
       {"components: component app.Loader @ 0x3000: fill of app.Cache[]: <= 0.00: shallow",
        "components: component app.Loader @ 0x3000: fill of app.Cache[]: <= 1.00: shallow"}},
      {"/components/components/0/retained_set/softly_referenced/1/shallow",
       17,
       {"components: component app.Loader @ 0x3000: softly referenced: byte[]: shallow",
        "components: component app.Loader @ 0x3000: softly referenced: totals: shallow"}},
      {"/components/components/0/retained_set/with_finalizer/0/instances",
       3,
       {"components: component app.Loader @ 0x3000: with finalizer: app.Cache: instances"}},
      {"/components/components/0/retained_set/soft_references/0/instances",
       4,
       {"components: component app.Loader @ 0x3000: soft references: app.Soft: instances"}},
      {"/components/components/0/retained_set/top/biggest_objects/1/retained",
       701,
       {"components: component app.Loader @ 0x3000: biggest_objects: row 2 0x9000: retained"}},
      {"/top/biggest_objects/1/label",
       "byte[1001] @ 0x2010",
       {"biggest_objects: row 2 0x2010: label"}},
      {"/top/biggest_classes/1/retained_bp", 1235, {"biggest_classes: row 2 byte[]: share"}},
      {"/top/biggest_classes/0/class", "app.Cash", {"biggest_classes: row 1 app.Cache: class"}},
      {"/top/biggest_packages/children/0/children/1/instances",
       2,
       {"biggest_packages: <all>/app/Node: instances"}},
      {"/leaks/suspects/0/shallow", 41, {"suspects: suspect 1 app.Cache: shallow"}},
      {"/leaks/suspects/0/loader_label",
       "<system class loader>",
       {"suspects: suspect 1 app.Cache: loader"}},
      {"/leaks/suspects/1/instances", 4, {"suspects: suspect 2 byte[]: instances"}},
      {"/leaks/suspects/0/accumulation_point/address",
       "0x2118",
       {"suspects: suspect 1 app.Cache: accumulation point: address"}},
      {"/leaks/suspects/0/accumulation_point/class",
       "app.Nodes",
       {"suspects: suspect 1 app.Cache: accumulation point: class"}},
      {"/leaks/suspects/0/retained_classes/1/objects",
       21,
       {"suspects: suspect 1 app.Cache: top consumer 2 byte[]: instances"}},
      {"/leaks/suspects/0/why_alive/steps/2/reference",
       "tail",
       {"suspects: suspect 1 app.Cache: path 2: reference"}},
      {"/leaks/suspects/0/why_alive/steps/1/shallow",
       48,
       {"suspects: suspect 1 app.Cache: path 2: shallow"}},
      {"/leaks/suspects/0/thread/frames/0/locals/0/retained",
       59999,
       {"suspects: suspect 1 app.Cache: local 0x2000: retained"}},
      {"/leaks/suspects/0/keywords/0", "app.Cash", {"suspects: suspect 1 app.Cache: keyword"}},
      {"/leaks/suspects/1/common_path/0/address",
       "0x2208",
       {"suspects: suspect 2 byte[]: common path 1: address"}},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.pointer));
    const auto fails = fields_of(compare_with(changed(one.pointer, one.value)), Tier::fail);
    CHECK(joined(fails) == joined(one.fields));
  }
}

TEST_CASE("a missing and an extra row are FAIL, also where their place would not show") {
  auto fails = fields_of(compare_with(without("/overview/histogram/3")), Tier::fail);
  CHECK(fails.count("histogram: row java.lang.Class") == 1);
  CHECK(fails.count("histogram: rows") == 1);
  fails = fields_of(compare_with(without("/top/biggest_objects/0")), Tier::fail);
  CHECK(fails.count("biggest_objects: row app.Cache @ 0x2000  the <cache>") == 1);
  fails = fields_of(compare_with(without("/leaks/suspects/2")), Tier::fail);
  CHECK(fails.count("suspects: row 3 app.Node") == 1);
  fails = fields_of(compare_with(without("/top/biggest_packages/children/1")), Tier::fail);
  CHECK(fails.count("biggest_packages: <all>/java") == 1);
  fails = fields_of(compare_with(without("/components/components/0")), Tier::fail);
  CHECK(fails == std::set<std::string>{"components: component app.Loader @ 0x3000"});
  fails = fields_of(compare_with(without("/components/components/0/retained_set/histogram/0")),
                    Tier::fail);
  CHECK(fails == std::set<std::string>{"components: component app.Loader @ 0x3000: class byte[]"});
  fails = fields_of(compare_with(without("/components/components/0/retained_set")), Tier::fail);
  CHECK(fails.size() > 10);
  fails = fields_of(compare_with(without("/leaks/suspects/0/accumulation_point")), Tier::fail);
  CHECK(fails == std::set<std::string>{"suspects: suspect 1 app.Cache: accumulation point"});

  auto report = sample_report();
  auto row = report["top"]["biggest_classes"][0];
  row["class_address"] = "0x1020";
  report["top"]["biggest_classes"].push_back(row);
  fails = fields_of(compare_with(report), Tier::fail);
  CHECK(fails.count("biggest_classes: row app.Cache @ 0x1020") == 1);
  report = changed("/top/biggest_objects/3/above_threshold", true);
  CHECK(
      fields_of(compare_with(report), Tier::fail).count("biggest_objects: row app.Node @ 0x2050") ==
      1);
  report = sample_report();
  report["top"]["biggest_class_loaders"].push_back(report["top"]["biggest_class_loaders"][0]);
  CHECK(fields_of(compare_with(report), Tier::fail)
            .count("biggest_class_loaders: row app.Loader @ 0x3000: given twice") == 1);
}

TEST_CASE("rows of equal size may change places, others may not") {
  const auto tie = compare_with(swapped("/top/biggest_classes", 1, 2));
  CHECK(fields_of(tie, Tier::fail).empty());
  CHECK(fields_of(tie, Tier::explainable).count("biggest_classes: place 2") == 1);
  CHECK(fields_of(tie, Tier::explainable).count("biggest_classes: place 3") == 1);
  for (const auto& [list, section] : {std::pair{"/top/biggest_classes", "biggest_classes"},
                                      std::pair{"/overview/histogram", "histogram"},
                                      std::pair{"/top/biggest_objects", "biggest_objects"},
                                      std::pair{"/leaks/suspects", "suspects"}}) {
    const auto fails = fields_of(compare_with(swapped(list, 0, 1)), Tier::fail);
    CAPTURE(list);
    CHECK(fails ==
          std::set<std::string>{concat(section, ": place 1"), concat(section, ": place 2")});
  }
}

TEST_CASE("a path through another object is a FAIL, and what MAT says of its own is then skipped") {
  const auto other = compare_with(changed("/leaks/suspects/0/why_alive/steps/1/address", "0x2008"));
  CHECK(fields_of(other, Tier::fail) ==
        std::set<std::string>{"suspects: suspect 1 app.Cache: shortest path"});
  CHECK(fields_of(other, Tier::skipped).count("suspects: suspect 1 app.Cache: text on the path") ==
        1);
  CHECK(fields_of(compare_with(without("/leaks/suspects/0/why_alive/steps/0")), Tier::fail)
            .count("suspects: suspect 1 app.Cache: shortest path: length") == 1);
}

TEST_CASE("MAT shows no path where only a weak one is: ours must be weak, too") {
  auto suspects = sample_suspects();
  auto& page = suspects.at("pages/23.html");
  page = replaced(page, "<tr class=\"selected\">", "<tr>");
  const auto mat = read(sample_overview(), suspects);
  const auto fails = [&](bool weak) {
    return fields_of(
        compare(mat, OurReport(changed("/leaks/suspects/2/why_alive/only_weak", weak))),
        Tier::fail);
  };
  CHECK(fails(true).empty());
  CHECK(fails(false) ==
        std::set<std::string>{"suspects: suspect 3 app.Node: shortest path: strength"});
}

TEST_CASE("packages are a set: another order is explained, another member is not") {
  const auto order = compare_with(swapped("/top/biggest_packages/children", 0, 1));
  CHECK(fields_of(order, Tier::fail).empty());
  CHECK(fields_of(order, Tier::explainable).count("biggest_packages: <all>: order") == 1);
}

TEST_CASE("class objects that MAT counts twice in a component agree only if it counts all so") {
  const auto compare_with_row = [](bool first, const char* instances, const char* retained) {
    auto components = sample_components();
    auto& page = components.at("pages/Top_Consumers7.html");
    page = replaced(
        page, "1</td><td>40</td><td>60,000</td><td>91.60%</td></tr><tr class=\"totals\">",
        concat("1</td><td>40</td><td>60,000</td><td>91.60%</td></tr><tr><td>",
               object_cell(0x1030, "java.lang.Class"), "</td><td>", instances,
               "</td><td>32</td><td>", retained, "</td><td>6.11%</td></tr><tr class=\"totals\">"));
    page = replaced(page, "Total: 1 entry</li></ul></td><td>1</td><td>40</td><td>60,000",
                    concat("Total: 2 entries</li></ul></td><td>", std::stoul(instances) + 1,
                           "</td><td>72</td><td>", std::stoul(retained) + 60'000));
    const TempFolder folder;
    write_exports(folder.path(), "app", sample_overview(), sample_suspects(), components);
    auto report = sample_report();
    auto& set = report["components"]["components"][0]["retained_set"];
    set["top"]["biggest_classes"].push_back({{"class", "java.lang.Class"},
                                             {"class_address", "0x1030"},
                                             {"instances", 3},
                                             {"shallow", 20},
                                             {"retained", 2400},
                                             {"above_threshold", true}});
    set["top_class_objects"] = {{"instances", 2}, {"shallow", 12}, {"retained", 1600}};
    set["primitive_class_first"] = first;
    return compare(read_mat_export(folder / "app"), OurReport(std::move(report))).summary().fail;
  };
  CHECK(compare_with_row(true, "5", "4000") == 0);
  CHECK(compare_with_row(true, "5", "4001") > 0);
  CHECK(compare_with_row(true, "4", "4000") > 0);
  CHECK(compare_with_row(true, "3", "2400") > 0);
  CHECK(compare_with_row(false, "5", "4000") > 0);
}

TEST_CASE("a histogram that MAT cut takes the tie at its end, but no other row") {
  auto pages = sample_overview();
  auto& page = pages.at("pages/Class_Histogram6.html");
  page = replaced(page, "Total: 4 entries", "Total: 4 of 5 entries; 1 more");
  page = replaced(page, "1,000</td><td>100,000", "1,001</td><td>100,016");
  auto suspects = sample_suspects();
  suspects.at("pages/Class_Histogram6.html") = page;
  const auto mat = read(pages, suspects);
  const auto with_fifth = [&](std::uint64_t retained, bool before) {
    auto report = sample_report();
    auto& rows = report["overview"]["histogram"];
    const json row{{"class", "app.Tie"},      {"class_address", "0x1040"},
                   {"loader_address", "0x0"}, {"instances", 1},
                   {"shallow", 16},           {"retained", retained}};
    rows.insert(rows.end() - (before ? 1 : 0), row);
    return compare(mat, OurReport(report));
  };
  const auto names = [](const Comparison& comparison, Tier tier) {
    std::set<std::string> result;
    for (const auto& name : fields_of(comparison, tier)) {
      if (name.starts_with("histogram: row app.Tie")) {
        result.insert(name);
      }
    }
    return result;
  };
  CHECK(names(with_fifth(2000, true), Tier::explainable).size() == 1);
  CHECK(names(with_fifth(2000, true), Tier::fail).empty());
  CHECK(names(with_fifth(2001, true), Tier::fail).size() == 1);
  CHECK(names(with_fifth(1000, false), Tier::fail).empty());
}

TEST_CASE("class objects that alone are missing are explained, with anything else they are not") {
  auto report = sample_report();
  report["overview"]["histogram"][3]["instances"] = 3;
  report["overview"]["histogram"][3]["shallow"] = 90;
  report["overview"]["total_objects"] = 999;
  report["overview"]["total_shallow"] = 99990;
  report["overview"]["classes_loaded"] = 3;
  const auto gap = compare_with(report);
  std::set<std::string> explained;
  for (const auto& field : gap.fields) {
    if (field.verdict.reason == Reason::mat_class_object_rooting_gap) {
      explained.insert(field.section + ": " + field.name);
    }
  }
  CHECK(joined(explained) ==
        joined(std::set<std::string>{
            "overview: total_objects", "overview: total_shallow", "overview: classes_loaded",
            "histogram: row 4 java.lang.Class: instances",
            "histogram: row 4 java.lang.Class: shallow", "histogram: totals: instances",
            "histogram: totals: shallow", "histogram: totals: total_shallow"}));
  report["overview"]["histogram"][1]["instances"] = 701;
  report["overview"]["total_objects"] = 1000;
  for (const auto& field : compare_with(report).fields) {
    CHECK(field.verdict.reason != Reason::mat_class_object_rooting_gap);
  }
}

TEST_CASE("groups of which MAT took a sample keep their accumulation point to themselves") {
  auto suspects = sample_suspects();
  suspects.at("index.html") =
      replaced(suspects.at("index.html"), "3 instances of", "10,001 instances of");
  auto report = changed("/leaks/suspects/1/instances", 10001);
  report["leaks"]["suspects"][1].erase("accumulation_point");
  report["leaks"]["suspects"][1].erase("common_path");
  const auto comparison = compare(read(sample_overview(), suspects), OurReport(report));
  CHECK(fields_of(comparison, Tier::fail).empty());
  CHECK(fields_of(comparison, Tier::skipped)
            .count("suspects: suspect 2 byte[]: accumulation point") == 1);
}

TEST_CASE("what MAT counts of arrays is not ours where it counts references to missing objects") {
  const std::string field = "components: component app.Loader @ 0x3000: fill of app.Cache[]";
  auto report = sample_report();
  report["overview"]["dangling_references"] = 1;
  const auto comparison = compare_with(report);
  CHECK(fields_of(comparison, Tier::fail).empty());
  CHECK(fields_of(comparison, Tier::skipped).count(field) == 1);
  CHECK(fields_of(compare_with(sample_report()), Tier::match).count(field + ": <= 0.40: arrays") ==
        1);
}

TEST_CASE("a packed dump has another length, a plain one may not") {
  auto report = changed("/overview/file_size", 999);
  CHECK(fields_of(compare_with(report), Tier::fail) ==
        std::set<std::string>{"overview: file_size"});
  report["overview"]["file_name"] = "sample.hprof.gz";
  CHECK(fields_of(compare_with(report), Tier::fail).empty());
}

TEST_CASE("a report without its sections fails instead of comparing less") {
  for (const auto* section :
       {"/leaks", "/top", "/overview/histogram", "/top/biggest_packages", "/top/biggest_classes"}) {
    CAPTURE(section);
    CHECK(compare_with(without(section)).summary().fail > 0);
  }
}

TEST_CASE("threads and properties are sets that must be whole") {
  auto fails = fields_of(compare_with(without("/threads/threads/1")), Tier::fail);
  CHECK(fails == std::set<std::string>{"threads: row 0x5100"});
  fails = fields_of(compare_with(without("/overview/system_properties/0")), Tier::fail);
  CHECK(fails == std::set<std::string>{"system_properties: a"});
  auto report = sample_report();
  report["threads"]["threads"].push_back({{"address", "0x6000"}, {"class", "app.Worker"}});
  report["overview"]["system_properties"].push_back({{"key", "own"}, {"value", "1"}});
  report["overview"]["system_properties"].push_back(
      {{"key", "default"}, {"value", "1"}, {"is_default", true}});
  CHECK(fields_of(compare_with(report), Tier::fail) ==
        std::set<std::string>{"system_properties: own", "threads: row 0x6000"});
  for (const auto* section : {"/threads", "/overview/system_properties"}) {
    CHECK(compare_with(without(section)).summary().fail > 0);
  }
}

TEST_CASE("what a report says it leaves out is skipped") {
  auto report = sample_report();
  report["overview"].erase("system_properties");
  report["threads"]["threads"][0].erase("name");
  report["not_covered"] = {{{"section", "threads"}, {"reason", "x"}},
                           {{"section", "overview"}, {"reason", "x"}}};
  auto comparison = compare_with(report);
  CHECK(fields_of(comparison, Tier::fail).empty());
  CHECK(fields_of(comparison, Tier::skipped).count("threads: rows") == 1);
  report = changed("/overview/system_properties/0",
                   json{{"key", "a"}, {"value", "***"}, {"masked", true}});
  comparison = compare_with(report);
  CHECK(fields_of(comparison, Tier::fail).empty());
  CHECK(fields_of(comparison, Tier::skipped).count("system_properties: masked values") == 1);
}

TEST_CASE("the JVM's state words are those of MAT") {
  const std::pair<const char*, const char*> kStates[] = {
      {"[alive, runnable]", "RUNNABLE"},
      {"[alive, blocked on monitor enter]", "BLOCKED"},
      {"[alive, sleeping, waiting, waiting with timeout]", "TIMED_WAITING"},
      {"[terminated]", "TERMINATED"},
      {"[]", "NEW"}};
  for (const auto& [words, state] : kStates) {
    auto pages = sample_overview();
    auto& page = pages.at("pages/Thread_Overview4.html");
    page = replaced(page, "[alive, parked, waiting, waiting indefinitely]", words);
    auto suspects = sample_suspects();
    suspects.at("pages/Thread_Overview4.html") = page;
    const auto mat = read(pages, suspects);
    auto report = changed("/threads/threads/0/state", state);
    CHECK(fields_of(compare(mat, OurReport(report)), Tier::fail).empty());
    report = changed("/threads/threads/0/state", "WAITING");
    CHECK(fields_of(compare(mat, OurReport(report)), Tier::fail) ==
          std::set<std::string>{"threads: row 0x5000: state"});
  }
}

TEST_CASE("texts are compared as MAT prints them") {
  const auto one = [](const std::string& text) { return mat_renderings(text); };
  CHECK(one("C:\\u\n") == std::vector<std::string>(2, "C:\\u\\u000a"));
  CHECK(one(" a ") == std::vector<std::string>(2, "a"));
  CHECK(one("\xc3\xa9\xf0\x9f\x98\x80") ==
        std::vector<std::string>{"\\u00e9\\ud83d\\ude00", "\xc3\xa9\xf0\x9f\x98\x80"});
  const std::string full(1024, 'a');
  CHECK(one(full)[0] == full);
  CHECK(one(full + "b")[0] == full + "...");
}

TEST_CASE("both renderings show every FAIL") {
  const auto comparison = compare_with(changed("/overview/gc_roots", 8));
  const auto text = render_markdown(comparison);
  CHECK(text.find("**FAIL**") != std::string::npos);
  CHECK(text.find("| overview | gc_roots | 8 | 7 |") != std::string::npos);
  const auto parsed = json::parse(render_json(comparison));
  CHECK(parsed["summary"]["fail"] == 1);
  CHECK(parsed["summary"]["match"] == comparison.summary().match);
  unsigned fails = 0;
  for (const auto& field : parsed["fields"]) {
    for (const auto* key : {"section", "field", "ours", "mat", "tier", "reason", "evidence"}) {
      CHECK(field.contains(key));
    }
    fails += field["tier"] == "FAIL" ? 1 : 0;
  }
  CHECK(fails == 1);
}

TEST_CASE("hostile names do not break a table") {
  CHECK(markdown_row({"a|b\n<script>`x`"}) == "| a\\|b\\x0a\\<script>\\`x\\` |\n");
}
