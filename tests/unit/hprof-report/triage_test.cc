// Each rule of the triage speaks where it should and is silent where it should not: on models that
// differ from a healthy heap in one thing.
#include "common/error.h"
#include "formats/report/markdown.h"
#include "formats/report/summary.h"
#include "tools/hprof-report/triage/leading_rule.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/triage/triage_filler.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

constexpr std::uint64_t kMiB = 1ULL << 20U;

HistogramRow row(const std::string& name, std::uint64_t instances, std::uint64_t retained) {
  HistogramRow out;
  out.class_name = name;
  out.loader_label = "<system class loader>";
  out.instances = instances;
  out.shallow = retained;
  out.retained = retained;
  out.max_instance_shallow = instances == 0 ? 0 : retained / instances;
  return out;
}

/// A heap of 100 MiB in which nothing stands out.
Report healthy() {
  Report report;
  auto& overview = report.overview;
  overview.total_objects = 1'000'000;
  overview.total_shallow = 100 * kMiB;
  overview.all_objects = 1'010'000;
  overview.all_shallow = 101 * kMiB;
  overview.unreachable_count = 10'000;
  overview.unreachable_shallow = kMiB;
  overview.gc_roots_by_type = {{"System Class", 2000, 40 * kMiB}, {"Thread", 20, 30 * kMiB}};
  overview.histogram = {row("byte[]", 100'000, 30 * kMiB), row("app.Order", 50'000, 20 * kMiB)};
  return report;
}

std::optional<Finding> finding_of(const Report& report, const std::string& rule,
                                  const DepthTotals& depths = {}) {
  for (const auto& finding : fill_triage(report, depths, 0).findings) {
    if (finding.rule == rule) {
      return finding;
    }
  }
  return std::nullopt;
}

/// What a rule says; "" where it is silent.
std::string said(const Report& report, const std::string& rule) {
  const auto finding = finding_of(report, rule);
  return finding ? finding->text : "";
}

TEST_CASE("a healthy heap has nothing but its shape") {
  for (const auto& finding : fill_triage(healthy(), {.p90 = 5, .deepest = 9}, 0).findings) {
    CHECK_MESSAGE(finding.severity == Severity::info, finding.text);
    CHECK_MESSAGE(finding.rule == "shape", finding.text);
  }
}

TEST_CASE("shape: shallow, middling or deep; nothing without depths") {
  const auto text = [](std::uint64_t p90) {
    return finding_of(healthy(), "shape", {.p90 = p90, .deepest = 100'000})->text;
  };
  CHECK(text(20).starts_with("The dominator tree is shallow"));
  CHECK(text(21).starts_with("The dominator tree is of middling depth"));
  CHECK(text(1000).starts_with("The dominator tree is deep"));
  CHECK_FALSE(finding_of(healthy(), "shape"));
}

TEST_CASE("one or many: by the shares of the biggest and the ten biggest") {
  Report report = healthy();
  report.top.biggest_objects = {{{1}, "app.Cache", "app.Cache @ 0x1", 24, 60 * kMiB, 6000, true},
                                {{2}, "app.Other", "app.Other @ 0x2", 24, kMiB / 2, 50, false}};
  CHECK(said(report, "one-or-many") ==
        "One object holds most of the heap: the biggest object retains 60.00 % (app.Cache @ 0x1), "
        "the ten biggest together 0.00 %; 1 top-level object retains over 1 %.");
  report.top.biggest_objects[0].retained_bp = 400;
  CHECK(said(report, "one-or-many").starts_with("The memory is spread over very many objects"));
  report.top.biggest_objects.clear();
  CHECK(said(report, "one-or-many").empty());
}

TEST_CASE("one huge array: 16 MiB and a tenth of the heap") {
  Report report = healthy();
  report.overview.histogram[0].max_instance_shallow = 16 * kMiB;
  CHECK(said(report, "big-array") == "A single byte[] takes 16.0 MiB (16.00 % of the used heap).");
  CHECK(finding_of(report, "big-array")->severity == Severity::warning);
  report.overview.histogram[0].max_instance_shallow = 16 * kMiB - 8;
  CHECK(said(report, "big-array").empty());
  report.overview.histogram[0].max_instance_shallow = 16 * kMiB;
  report.overview.total_shallow = 161 * kMiB;
  CHECK(said(report, "big-array").empty());
  report = healthy();
  report.overview.histogram[1].max_instance_shallow = 20 * kMiB;
  CHECK_MESSAGE(said(report, "big-array").empty(), "no array");
}

TEST_CASE("garbage: a tenth of the dump; a warning where it is most of it") {
  Report report = healthy();
  report.overview.all_shallow = 112 * kMiB;
  report.overview.unreachable_shallow = 12 * kMiB;
  CHECK(said(report, "garbage") ==
        "12.0 MiB (10.71 % of all that was dumped) can be collected already: it was not the live "
        "objects alone that filled the heap.");
  CHECK(finding_of(report, "garbage")->severity == Severity::info);
  report.complete = false;
  CHECK_MESSAGE(said(report, "garbage").empty(), "what held the objects may be lost");
  report.complete = true;
  report.overview.reference_policy = "strong";
  CHECK(said(report, "garbage") ==
        "12.0 MiB (10.71 % of all that was dumped) is held by no strong reference: garbage, caches "
        "and what waits for a finalizer are told apart only where all references are followed.");
  report.overview.reference_policy.reset();
  report.overview.all_shallow = 200 * kMiB;
  report.overview.unreachable_shallow = 100 * kMiB;
  CHECK(finding_of(report, "garbage")->severity == Severity::warning);
  report.overview.all_shallow = 112 * kMiB;
  report.overview.unreachable_shallow = 11 * kMiB;
  CHECK(said(report, "garbage").empty());
  report.overview.all_shallow = 2 * kMiB;
  report.overview.unreachable_shallow = kMiB - 1;
  CHECK_MESSAGE(said(report, "garbage").empty(), "too little to matter");
}

TEST_CASE("garbage: what the collector made itself, or likely did, is not counted") {
  Report report = healthy();
  report.overview.all_shallow = 112 * kMiB;
  report.overview.unreachable_shallow = 16 * kMiB;
  report.unreachable.emplace().garbage.emplace();
  auto& garbage = *report.unreachable->garbage;
  garbage.filler_shallow = kMiB;
  garbage.lone_int_arrays_shallow = 2 * kMiB;
  garbage.lone_objects_shallow = kMiB;
  CHECK(said(report, "garbage") ==
        "12.0 MiB (10.71 % of all that was dumped) can be collected already: it was not the live "
        "objects alone that filled the heap; 4.0 MiB that the garbage collector likely made itself "
        "to fill gaps is not counted.");
  for (auto* part :
       {&garbage.filler_shallow, &garbage.lone_int_arrays_shallow, &garbage.lone_objects_shallow}) {
    *part += kMiB;
    CHECK(said(report, "garbage").empty());
    *part -= kMiB;
  }
  garbage.lone_int_arrays_shallow = 17 * kMiB;
  CHECK_MESSAGE(said(report, "garbage").empty(), "never less than nothing");
}

TEST_CASE("garbage: without the section that tells filler apart, all that can be filler is none") {
  Report report = healthy();
  report.overview.all_shallow = 112 * kMiB;
  report.overview.unreachable_shallow = 16 * kMiB;
  report.overview.unreachable_histogram = {
      {.class_name = "int[]", .class_address = {8}, .instances = 9, .shallow = 4 * kMiB},
      {.class_name = "byte[]", .class_address = {16}, .instances = 9, .shallow = 12 * kMiB}};
  CHECK(said(report, "garbage").starts_with("12.0 MiB (10.71 %"));
  report.overview.unreachable_histogram[1].class_name = "jdk.internal.vm.FillerElement[]";
  CHECK(said(report, "garbage").empty());
}

TEST_CASE("kind of GC root: one that holds half of the heap") {
  Report report = healthy();
  report.overview.gc_roots_by_type[1].retained = 50 * kMiB;
  CHECK(said(report, "root-kind") ==
        "Most of the used heap hangs on GC roots of one kind: 20 roots of kind Thread "
        "retain 50.0 MiB (50.00 %).");
  report.complete = false;
  CHECK_FALSE(said(report, "root-kind").empty());
  report.overview.root_policy = "fallback";
  CHECK_MESSAGE(said(report, "root-kind").empty(), "the roots are a guess");
  report.complete = true;
  CHECK_FALSE(said(report, "root-kind").empty());
  report.overview.gc_roots_by_type[1].retained = 50 * kMiB - 8192;
  CHECK(said(report, "root-kind").empty());
}

/// `count` loaders, each with a class of its own beside those of `names`.
void add_loaders(Report& report, std::uint64_t count, const std::vector<std::string>& names,
                 std::uint64_t own_classes, std::uint64_t retained) {
  for (std::uint64_t i = 0; i < count; ++i) {
    auto all = names;
    for (std::uint64_t own = 0; own < own_classes; ++own) {
      all.push_back("app.Own" + std::to_string(i) + "x" + std::to_string(own));
    }
    for (const auto& name : all) {
      auto loaded = row(name, 1, retained);
      loaded.loader_address = {0x700 + 16 * i};
      loaded.loader_label = "app.Loader @ 0x" + std::to_string(700 + 10 * i);
      report.overview.histogram.push_back(loaded);
    }
  }
}

TEST_CASE("class loaders that pile up: three with the same classes") {
  Report report = healthy();
  add_loaders(report, 3, {"plugin.Main", "plugin.Help"}, 1, 4 * kMiB);
  CHECK(said(report, "loader-leak") ==
        "3 class loaders of app.Loader have each loaded the same 2 classes, of which the "
        "copies of plugin.Help alone retain 12.0 MiB (12.00 %); earlier versions of a plug-in or "
        "application are never unloaded.");
  CHECK(finding_of(report, "loader-leak")->severity == Severity::critical);
  Report small = healthy();
  add_loaders(small, 3, {"plugin.Main"}, 0, 1000);
  CHECK(
      said(small, "loader-leak")
          .starts_with(
              "3 class loaders of app.Loader have each loaded the same class, plugin.Main, whose"));
  CHECK(finding_of(small, "loader-leak")->severity == Severity::warning);
}

TEST_CASE("class loaders that pile up: only what all of them have loaded is the same") {
  Report report = healthy();
  add_loaders(report, 4, {"plugin.Main", "plugin.Help"}, 0, 4 * kMiB);
  auto& histogram = report.overview.histogram;
  histogram.back().class_name = "plugin.Newest";
  CHECK(said(report, "loader-leak")
            .starts_with("4 class loaders of app.Loader have each loaded the same class, "
                         "plugin.Main, whose copies retain 16.0 MiB (16.00 %);"));
  histogram[histogram.size() - 2].class_name = "plugin.Other";
  CHECK(said(report, "loader-leak")
            .starts_with("3 class loaders of app.Loader have each loaded the same 2 classes, of "
                         "which the copies of plugin.Help alone retain 12.0 MiB (12.00 %);"));
}

TEST_CASE("class loaders that pile up: classes of one name in one loader are no copies") {
  Report report = healthy();
  add_loaders(report, 1, {"plugin.Main", "plugin.Main", "plugin.Main"}, 0, 4 * kMiB);
  add_loaders(report, 2, {"plugin.Main"}, 0, 4 * kMiB);
  CHECK(said(report, "loader-leak").empty());
}

TEST_CASE("class loaders that pile up: what keeps the largest") {
  Report report = healthy();
  add_loaders(report, 3, {"plugin.Main"}, 0, 4 * kMiB);
  TopObject plugin{{1}, "java.lang.Class", "class plugin.Main @ 0x1", 24, 4 * kMiB, 400, true};
  plugin.holder = Holder{HolderKind::static_field, "app.Hub", "LIST", "app.Hub.LIST", {0x700}};
  report.top.biggest_objects = {plugin, plugin};
  report.top.biggest_objects[1].holder.reset();
  report.top.biggest_objects[1].why_alive.emplace();
  PathStep thread;
  thread.class_name = "java.lang.Thread";
  thread.label = "java.lang.Thread plug-7";
  report.top.biggest_objects[1].why_alive->steps = {thread};
  CHECK(said(report, "loader-leak")
            .find("; the largest are kept alive by app.Hub.LIST and thread plug-*; earlier") !=
        std::string::npos);
}

TEST_CASE("the summary begins with a leak that the first suspect does not explain") {
  const auto leads = [](const std::optional<Suspect>& suspect, std::uint64_t retained) {
    Report report = healthy();
    add_loaders(report, 3, {"plugin.Main"}, 0, retained);
    if (suspect) {
      report.leaks.suspects = {*suspect};
    }
    return fill_triage(report, {}, 0).leading_rule == "loader-leak";
  };
  Suspect classes;
  classes.kind = SuspectKind::group;
  classes.class_name = "java.lang.Class";
  CHECK(leads(classes, 4 * kMiB));
  CHECK_FALSE(leads(classes, 1000));
  CHECK(leads(std::nullopt, 4 * kMiB));
  CHECK(leads(std::nullopt, 1000));
  Suspect held = classes;
  held.holder = Holder{HolderKind::static_field, "app.Hub", "LIST", "app.Hub.LIST", {0x700}};
  CHECK_FALSE(leads(held, 4 * kMiB));
  held.holder->class_name = "java.lang.ApplicationShutdownHooks";
  CHECK(leads(held, 4 * kMiB));
  Suspect loader;
  loader.class_name = "app.Loader";
  loader.label = "app.Loader @ 0x700";
  CHECK(leads(loader, 4 * kMiB));
  CHECK_FALSE(fill_triage(healthy(), {}, 0).leading_rule);
}

TEST_CASE("a leak other than of loaders leads unless a class of the program is the suspect") {
  const auto leads = [](const std::string& class_name, const std::string& label) {
    Suspect suspect;
    suspect.class_name = class_name;
    suspect.label = label;
    Finding leak;
    leak.rule = "finalizer-backlog";
    leak.severity = Severity::critical;
    Finding fact = leak;
    fact.rule = "out-of-memory";
    CHECK_FALSE(triage::leading_rule({fact}, {suspect}));
    return triage::leading_rule({fact, leak}, {suspect}).has_value();
  };
  CHECK(leads("java.lang.Class", "class java.lang.ref.Finalizer @ 0x7"));
  CHECK(leads("java.lang.Thread", "java.lang.Thread @ 0x7"));
  CHECK_FALSE(leads("java.lang.Class", "class app.Cache @ 0x7"));
  CHECK_FALSE(leads("app.Cache", "app.Cache @ 0x7"));
}

TEST_CASE("class loaders that pile up: two, or plug-ins that share a library, are none") {
  Report two = healthy();
  add_loaders(two, 2, {"plugin.Main"}, 0, 4 * kMiB);
  CHECK(said(two, "loader-leak").empty());
  Report plugins = healthy();
  add_loaders(plugins, 5, {"lib.Json", "lib.Reader"}, 3, 4 * kMiB);
  CHECK(said(plugins, "loader-leak").empty());
  Report scripts = healthy();
  add_loaders(scripts, 50, {}, 1, 4 * kMiB);
  CHECK(said(scripts, "loader-leak").empty());
}

/// A heap whose first suspect hangs on a static field with a list of all orders.
Report hoarding() {
  Report report = healthy();
  auto& orders = report.overview.histogram[1];
  orders.class_address = {0x500};
  Suspect suspect;
  suspect.label = "class app.Shop @ 0x700";
  suspect.retained = 42 * kMiB;
  suspect.retained_bp = 4200;
  suspect.accumulation_point = ObjectRef{
      {0x900}, "java.lang.Object[]", "java.lang.Object[50000] @ 0x900", 200'016, 40 * kMiB};
  suspect.holder =
      Holder{HolderKind::static_field, "app.Shop", "ORDERS", "app.Shop.ORDERS", {0x700}};
  suspect.retained_classes = {{"byte[]", {0x400}, 90'000, 20 * kMiB, std::nullopt},
                              {"app.Order", {0x500}, 49'000, 19 * kMiB, std::nullopt}};
  report.leaks.suspects = {suspect};
  return report;
}

TEST_CASE("one field that keeps all of a class") {
  CHECK(said(hoarding(), "hoard") ==
        "49,000 of all 50,000 app.Order hang on app.Shop.ORDERS, which keeps 40.0 MiB (40.00 %) "
        "alive; if their number only grows, this is the leak.");
  CHECK(finding_of(hoarding(), "hoard")->severity == Severity::warning);
  Report damaged = hoarding();
  damaged.complete = false;
  damaged.overview.unreachable_histogram = {{"app.Order", {0x500}, 14'000, 5 * kMiB}};
  CHECK(said(damaged, "hoard") ==
        "49,000 of the 50,000 reachable app.Order hang on app.Shop.ORDERS, which keeps 40.0 MiB "
        "(40.00 %) alive; if their number only grows, this is the leak. No GC root reaches 14,000 "
        "more: garbage, or cut off by the damage.");
  CHECK(said(hoarding(), "listener-leak").empty());
}

TEST_CASE("a field that keeps only part of a class, little, or for a thread, is no hoard") {
  const auto silent_after = [](auto&& change) {
    Report report = hoarding();
    change(report, report.leaks.suspects[0]);
    return said(report, "hoard").empty();
  };
  CHECK_FALSE(silent_after([](Report&, Suspect&) {}));
  CHECK(silent_after([](Report& r, Suspect&) { r.overview.histogram[1].instances = 60'000; }));
  CHECK(silent_after([](Report&, Suspect& s) { s.retained_bp = 3300; }));
  CHECK(silent_after([](Report&, Suspect& s) { s.holder->kind = HolderKind::local; }));
  CHECK(silent_after([](Report&, Suspect& s) { s.holder->class_name = "java.util.Timer"; }));
  CHECK(silent_after([](Report&, Suspect& s) { s.holder.reset(); }));
  CHECK(silent_after([](Report&, Suspect& s) { s.accumulation_point->class_name = "byte[]"; }));
  CHECK(silent_after([](Report&, Suspect& s) { s.accumulation_point->retained = 30 * kMiB; }));
  CHECK(silent_after([](Report&, Suspect& s) { s.retained_classes->pop_back(); }));
  CHECK(silent_after([](Report& r, Suspect& s) {
    r.overview.histogram[1].instances = 99;
    (*s.retained_classes)[1].objects = 99;
  }));
}

TEST_CASE("listeners that pile up: by their name, or as lambdas") {
  Report named = hoarding();
  named.leaks.suspects[0].holder->name = "app.Shop.orderListeners";
  CHECK(said(named, "listener-leak") ==
        "49,000 of all 50,000 app.Order hang on app.Shop.orderListeners, which keeps 40.0 MiB "
        "(40.00 %) alive: listeners that are registered and never removed.");
  CHECK(finding_of(named, "listener-leak")->severity == Severity::critical);
  CHECK(said(named, "hoard").empty());
  Report lambdas = hoarding();
  lambdas.overview.histogram.push_back(row("app.Shop$$Lambda+0x12", 200, 3200));
  lambdas.overview.histogram.back().class_address = {0x600};
  CHECK(said(lambdas, "listener-leak").empty());
  lambdas.leaks.suspects[0].retained_classes->push_back(
      {"app.Shop$$Lambda+0x12", {0x600}, 201, 3296, std::nullopt});
  CHECK(said(lambdas, "listener-leak")
            .starts_with("200 callbacks of class app.Shop$$Lambda+0x12 and 49,000 of all 50,000"));
}

TEST_CASE("listeners that something else keeps with them: what they keep themselves is told") {
  Report report = hoarding();
  auto& suspect = report.leaks.suspects[0];
  auto& callbacks = report.overview.histogram.emplace_back(row("app.Shop$$Lambda+0x12", 200, 4800));
  callbacks.class_address = {0x600};
  callbacks.retained = 5 * kMiB;
  suspect.retained_classes->push_back({"app.Shop$$Lambda+0x12", {0x600}, 201, 4800, std::nullopt});
  CHECK(said(report, "listener-leak") ==
        "200 callbacks of class app.Shop$$Lambda+0x12 and 49,000 of all 50,000 app.Order hang on "
        "app.Shop.ORDERS, which keeps 40.0 MiB (40.00 %) alive; the callbacks themselves keep only "
        "5.0 MiB (5.00 %). Look whether listeners are removed when they are done, and at what else "
        "leads to the rest.");
  CHECK(finding_of(report, "listener-leak")->severity == Severity::warning);
  suspect.accumulated.emplace().classes = {
      {"app.Session", {0x700}, 300, 7200, std::optional(30 * kMiB)}};
  CHECK(said(report, "listener-leak")
            .find("keep only 5.0 MiB (5.00 %), 300 objects of class "
                  "app.Session 30.0 MiB (30.00 %). Look") != std::string::npos);
  report.overview.histogram.back().retained = 20 * kMiB;
  CHECK(said(report, "listener-leak")
            .ends_with("alive: listeners that are registered and never "
                       "removed."));
  CHECK(finding_of(report, "listener-leak")->severity == Severity::critical);
}

TEST_CASE("listeners by the name of their class: what that class retains decides") {
  Report report = hoarding();
  report.overview.histogram[1].class_name = "app.OrderListener";
  (*report.leaks.suspects[0].retained_classes)[1].class_name = "app.OrderListener";
  report.overview.histogram[1].retained = 19 * kMiB;
  CHECK(finding_of(report, "listener-leak")->severity == Severity::warning);
  CHECK(
      said(report, "listener-leak").find("the listeners themselves keep only 19.0 MiB (19.00 %)") !=
      std::string::npos);
  report.overview.histogram[1].retained = 60 * kMiB;
  CHECK(finding_of(report, "listener-leak")->severity == Severity::critical);
}

TEST_CASE("a static field as anchor, where no rule says more of it") {
  Report report = hoarding();
  CHECK(said(report, "static-anchor").empty());
  report.leaks.suspects[0].retained_classes->pop_back();
  CHECK(said(report, "static-anchor") ==
        "The static field app.Shop.ORDERS leads to java.lang.Object[50000] @ 0x900, which retains "
        "40.0 MiB (40.00 %); what a static field leads to stays until its class is unloaded.");
  auto& suspect = report.leaks.suspects[0];
  suspect.anchor = suspect.holder;
  suspect.holder->kind = HolderKind::field;
  CHECK_FALSE(said(report, "static-anchor").empty());
  suspect.anchor->class_name = "java.lang.System";
  CHECK(said(report, "static-anchor").empty());
  suspect.anchor.reset();
  CHECK(said(report, "static-anchor").empty());
}

TEST_CASE("boxed numbers: 4 MiB and a tenth of the heap, of the JDK's own classes") {
  Report report = healthy();
  report.overview.histogram.push_back(row("java.lang.Long", 400'000, 9 * kMiB));
  CHECK(said(report, "boxed-numbers").empty());
  report.overview.histogram.push_back(row("java.lang.Integer", 65'536, kMiB));
  CHECK(said(report, "boxed-numbers") ==
        "465,536 boxed numbers, most of them java.lang.Long, take 10.0 MiB (10.00 %); primitive "
        "arrays or collections of primitives would need less.");
  report.overview.histogram.back().loader_address = {0x700};
  CHECK_MESSAGE(said(report, "boxed-numbers").empty(), "an application's class of that name");
  report.overview.total_shallow = 20 * kMiB;
  report.overview.histogram[2] = row("java.lang.Long", 100'000, 4 * kMiB - 8);
  CHECK_MESSAGE(said(report, "boxed-numbers").empty(), "too little to matter");
}

TEST_CASE("a damaged dump is said to be one") {
  Report report = healthy();
  CHECK(said(report, "damaged").empty());
  report.complete = false;
  CHECK(said(report, "damaged").starts_with("The dump is damaged"));
}

TEST_CASE("the most severe findings come first, facts in the order of the rules") {
  Report report = healthy();
  report.overview.unreachable_shallow = 60 * kMiB;
  add_loaders(report, 3, {"plugin.Main"}, 0, 4 * kMiB);
  report.overview.histogram[0].max_instance_shallow = 16 * kMiB;
  std::vector<std::string> rules;
  for (const auto& finding : fill_triage(report, {.p90 = 5, .deepest = 9}, 0).findings) {
    rules.push_back(finding.rule);
  }
  CHECK(rules == std::vector<std::string>{"loader-leak", "big-array", "shape", "garbage"});
}

TEST_CASE("the names in a finding are marked as names") {
  Finding finding;
  finding.text = "A single a_b[] and a_b[] again.";
  CHECK(md_sentence(finding_sentence(finding)) == "A single a\\_b\\[\\] and a\\_b\\[\\] again.");
  finding.names = {"a_b[]", "missing", "a_b[]"};
  CHECK(md_sentence(finding_sentence(finding)) == "A single `a_b[]` and `a_b[]` again.");
}

}  // namespace
}  // namespace hprof
