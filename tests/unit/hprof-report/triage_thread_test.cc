// Rules of the triage about threads and collections.
#include "tools/hprof-report/triage/triage_filler.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

constexpr std::uint64_t kMiB = 1ULL << 20U;

Report heap_of(std::uint64_t bytes) {
  Report report;
  report.overview.total_shallow = bytes;
  report.overview.all_shallow = bytes;
  return report;
}

std::optional<Finding> finding_of(const Report& report, const std::string& rule) {
  for (const auto& finding : fill_triage(report, {}, 0).findings) {
    if (finding.rule == rule) {
      return finding;
    }
  }
  return std::nullopt;
}

std::string said(const Report& report, const std::string& rule) {
  const auto finding = finding_of(report, rule);
  return finding ? finding->text : "";
}

Report with_threads() {
  Report report = heap_of(100 * kMiB);
  ThreadRow worker;
  worker.class_name = "app.Worker";
  worker.name = "worker-1";
  worker.retained = 20 * kMiB;
  worker.retained_bp = 2000;
  worker.largest_local = ObjectRef{{0x500}, "app.Batch", "app.Batch @ 0x500", 24, 19 * kMiB};
  ThreadRow other;
  other.class_name = "java.lang.Thread";
  report.threads.emplace();
  report.threads->threads = {worker, other};
  return report;
}

TEST_CASE("a thread that holds a fifth of the heap") {
  Report report = with_threads();
  CHECK(said(report, "big-thread") ==
        "The thread worker-1 retains 20.0 MiB (20.00 %); its largest local, app.Batch @ 0x500, "
        "retains 19.0 MiB.");
  CHECK(finding_of(report, "big-thread")->severity == Severity::info);
  auto& worker = report.threads->threads[0];
  worker.largest_local_elsewhere = true;
  CHECK(said(report, "big-thread") == "The thread worker-1 retains 20.0 MiB (20.00 %).");
  worker.largest_locals = {
      {0, "Java Local", true, *worker.largest_local},
      {1, "Java Local", false, {{0x600}, "app.Row", "app.Row @ 0x600", 24, kMiB}}};
  CHECK(said(report, "big-thread") ==
        "The thread worker-1 retains 20.0 MiB (20.00 %); the largest local that it alone holds, "
        "app.Row @ 0x600, retains 1.0 MiB.");
  report.threads->threads[0].retained -= 1;
  CHECK(said(report, "big-thread").empty());
  report.threads.reset();
  CHECK(said(report, "big-thread").empty());
}

TEST_CASE("threads of one pool are told together, and what their ThreadLocals hold") {
  Report report = heap_of(100 * kMiB);
  report.threads.emplace();
  for (std::uint64_t i = 0; i < 5; ++i) {
    ThreadRow row;
    row.address = {0x100 + i};
    row.class_name = "java.lang.Thread";
    row.name = "pool-1-thread-" + std::to_string(9 + i);
    row.depth = 4;
    row.retained = i == 4 ? 1 * kMiB : (8 - i) * kMiB;
    row.retained_bp = row.retained / kMiB * 100;
    row.largest_local = ObjectRef{{0x500}, "app.Job", "app.Job @ 0x500", 24, 16};
    report.threads->threads.push_back(row);
  }
  CHECK_MESSAGE(said(report, "big-thread") ==
                    "4 threads like pool-1-thread-9 retain about as much each, together 26.0 MiB "
                    "(26.00 %); the largest local of the first, app.Job @ 0x500, retains 16 B.",
                said(report, "big-thread"));
  report.references.emplace().thread_locals.emplace();
  auto& rows = report.references->thread_locals->threads;
  for (std::uint64_t i = 0; i < 5; ++i) {
    rows.push_back({.thread = {0x100 + i}, .name = "", .entries = 2, .retained = 6 * kMiB});
  }
  CHECK_MESSAGE(
      said(report, "big-thread") ==
          "4 threads like pool-1-thread-9 retain about as much each, together 26.0 MiB "
          "(26.00 %); 8 ThreadLocal entries of theirs retain, added up, 24.0 MiB (24.00 %).",
      said(report, "big-thread"));
  for (auto& row : report.threads->threads) {
    row.depth = 0;
  }
  CHECK_MESSAGE(said(report, "big-thread").empty(), "one may hang on another");
}

TEST_CASE("the thread that ran out of memory") {
  Report report = with_threads();
  CHECK(said(report, "out-of-memory").empty());
  report.threads->threads[1].out_of_memory = OutOfMemorySign::local;
  CHECK_MESSAGE(said(report, "out-of-memory").empty(), "it only holds an error");
  report.threads->threads[1].out_of_memory = OutOfMemorySign::thrown;
  CHECK(said(report, "out-of-memory") ==
        "The thread java.lang.Thread was throwing OutOfMemoryError when the heap was dumped; it "
        "retains 0 B (0.00 %) itself and need not be the one that filled the heap.");
}

TEST_CASE("collections larger than needed: 4 MiB and a tenth of the heap") {
  Report report = heap_of(100 * kMiB);
  report.collections.emplace();
  auto& savings = report.collections->savings;
  savings = {.total = 10 * kMiB,
             .total_bp = 1000,
             .empty_arrays = 1000,
             .empty_bytes = 2 * kMiB,
             .over_capacity_arrays = 500,
             .over_capacity_bytes = 8 * kMiB};
  CHECK(said(report, "over-capacity") ==
        "Collections take 10.0 MiB (10.00 %) for slots that hold nothing: 2.0 MiB in empty ones, "
        "8.0 MiB in arrays that are too long.");
  savings.total_bp = 999;
  CHECK(said(report, "over-capacity").empty());
  savings.total_bp = 1000;
  savings.total = 4 * kMiB - 1;
  CHECK(said(report, "over-capacity").empty());
}

TEST_CASE("one big collection: a fifth of the heap and at least 100 elements") {
  Report report = heap_of(100 * kMiB);
  BigCollection map;
  map.class_name = "java.util.HashMap";
  map.size = 5000;
  map.retained = 25 * kMiB;
  map.retained_bp = 2500;
  map.owner.field = "app.Cache#map";
  report.collections.emplace();
  report.collections->biggest = {map};
  CHECK(said(report, "big-collection") ==
        "One collection, a java.util.HashMap of 5,000 elements in app.Cache#map, retains 25.0 MiB "
        "(25.00 %).");
  report.collections->biggest[0].owner.field = "java.lang.ClassLoader#classes";
  CHECK(said(report, "big-collection").empty());
  report.collections->biggest.push_back(map);
  report.collections->biggest[1].owner.field = "class app.Cache.MAP";
  CHECK(said(report, "big-collection").find("in class app.Cache.MAP, retains") !=
        std::string::npos);
  report.collections->biggest = {map};
  report.collections->biggest[0].size = 99;
  CHECK(said(report, "big-collection").empty());
  report.collections->biggest[0].size.reset();
  CHECK(said(report, "big-collection").empty());
  report.collections->biggest[0].size = 5000;
  report.collections->biggest[0].retained_bp = 1999;
  CHECK(said(report, "big-collection").empty());
}

}  // namespace
}  // namespace hprof
