// What rows may differ in, and what explains a difference.
#include "common/concat.h"
#include "tests/support/files.h"
#include "tests/unit/mat-diff/compare_sample.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::test;
using nlohmann::json;

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
  const auto mat = read_pages(sample_overview(), suspects);
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
  const auto mat = read_pages(pages, suspects);
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
  const auto comparison = compare(read_pages(sample_overview(), suspects), OurReport(report));
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
