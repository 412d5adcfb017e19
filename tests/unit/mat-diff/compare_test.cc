// The comparison of a small heap, and what it says when one figure is wrong.
#include "common/concat.h"
#include "tests/unit/mat-diff/compare_sample.h"
#include "tools/mat-diff/render.h"

#include <doctest/doctest.h>

using namespace hprof;
using namespace hprof::test;
using nlohmann::json;

namespace {

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
