// Rules of the triage about ThreadLocals, finalizers, weak keys and memory outside the heap.
#include "tools/hprof-report/triage/triage_filler.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

constexpr std::uint64_t kMiB = 1ULL << 20U;

Report heap_of(std::uint64_t bytes) {
  Report report;
  report.overview.total_shallow = bytes;
  report.overview.all_shallow = bytes;
  report.references.emplace();
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

TEST_CASE("no rule on references speaks where the report has nothing on them") {
  Report report;
  CHECK(fill_triage(report, {}, 0).findings.empty());
  CHECK(fill_triage(heap_of(100 * kMiB), {}, 0).findings.empty());
}

Report with_thread_locals() {
  Report report = heap_of(100 * kMiB);
  ThreadLocalValue live;
  live.value_class = "app.Session";
  ThreadLocalValue stale;
  stale.stale = true;
  stale.value_class = "app.Context";
  ThreadLocalRow quiet;
  quiet.name = "main";
  ThreadLocalRow pool;
  pool.name = "pool-1";
  pool.stale = 300;
  pool.stale_retained = 12 * kMiB;
  report.references->thread_locals = ThreadLocals{.entries = 310,
                                                  .stale = 300,
                                                  .retained = 13 * kMiB,
                                                  .stale_retained = 12 * kMiB,
                                                  .thread_count = 2,
                                                  .threads = {quiet, pool},
                                                  .largest = {live, stale}};
  return report;
}

TEST_CASE("forgotten ThreadLocals: values whose key is gone") {
  Report report = with_thread_locals();
  CHECK(said(report, "thread-local-leak") ==
        "300 of 310 ThreadLocal values retain, added up, 12.0 MiB (12.00 %) although their "
        "ThreadLocal is gone; the largest is of class app.Context; most are in the thread pool-1; "
        "remove() was not called.");
  CHECK(finding_of(report, "thread-local-leak")->severity == Severity::critical);
  report.complete = false;
  CHECK(finding_of(report, "thread-local-leak")->severity == Severity::warning);
  CHECK(said(report, "thread-local-leak")
            .ends_with("although their ThreadLocal is gone, if it was not lost; the largest is of "
                       "class app.Context; most are in the thread pool-1."));
  report.complete = true;
  report.references->thread_locals->stale_retained = 5 * kMiB;
  CHECK(finding_of(report, "thread-local-leak")->severity == Severity::warning);
  report.references->thread_locals->stale_retained = 5 * kMiB - 16 * 1024;
  CHECK(said(report, "thread-local-leak").empty());
  report = with_thread_locals();
  report.references->thread_locals->stale = 9;
  CHECK(said(report, "thread-local-leak").empty());
  report = with_thread_locals();
  report.overview.total_shallow = 5 * kMiB;
  report.references->thread_locals->stale_retained = kMiB - 8;
  CHECK_MESSAGE(said(report, "thread-local-leak").empty(), "too little to matter");
}

TEST_CASE("finalizers that do not keep up: a long queue that holds much") {
  Report report = heap_of(100 * kMiB);
  Finalizers finalizers;
  finalizers.waiting = 3000;
  finalizers.waiting_retained = 30 * kMiB;
  finalizers.waiting_classes = {{"app.Handle", {0x100}, 2900, 80'000, 29 * kMiB}};
  report.references->finalizers = finalizers;
  CHECK(said(report, "finalizer-backlog") ==
        "3,000 objects wait in the queue of the finalizer thread and retain 30.0 MiB (30.00 %); "
        "most of it by 2,900 of class app.Handle; a finalizer is slow or blocked.");
  report.references->finalizers->waiting = 99;
  CHECK(said(report, "finalizer-backlog").empty());
  report.references->finalizers->waiting = 3000;
  report.references->finalizers->waiting_retained = 4 * kMiB;
  CHECK(said(report, "finalizer-backlog").empty());
}

TEST_CASE("weak keys that are held by their own values") {
  Report report = heap_of(100 * kMiB);
  SelfHeldReferent largest;
  largest.label = "app.Document @ 0x500";
  largest.reference_class = "java.util.WeakHashMap$Entry";
  report.references->self_held =
      SelfHeldReferents{.objects = 2000, .references_retained = 28 * kMiB, .largest = {largest}};
  CHECK(said(report, "self-held-keys") ==
        "2,000 referents of weak references retain 28.0 MiB (28.00 %) and can never be cleared, "
        "because their own reference holds them, for example app.Document @ 0x500 through a "
        "java.util.WeakHashMap$Entry; the values of a weak map hold their keys.");
  report.references->self_held->objects = 9;
  CHECK(said(report, "self-held-keys").empty());
  report.references->self_held->objects = 2000;
  report.references->self_held->references_retained = 4 * kMiB;
  CHECK(said(report, "self-held-keys").empty());
}

TEST_CASE("memory outside the heap: 64 MiB of direct buffers; a warning near the JVM's limit") {
  Report report = heap_of(100 * kMiB);
  DirectBuffers buffers;
  buffers.buffers = 2;
  buffers.capacity = 64 * kMiB;
  report.references->direct_buffers = buffers;
  CHECK(said(report, "off-heap") ==
        "2 direct buffers stand for 64.0 MiB outside the heap, which no figure of the heap "
        "includes.");
  CHECK(finding_of(report, "off-heap")->severity == Severity::info);
  report.references->direct_buffers->jvm_limit = 80 * kMiB;
  CHECK(finding_of(report, "off-heap")->severity == Severity::warning);
  report.references->direct_buffers->capacity = 64 * kMiB - 1;
  CHECK(said(report, "off-heap").empty());
}

}  // namespace
}  // namespace hprof
