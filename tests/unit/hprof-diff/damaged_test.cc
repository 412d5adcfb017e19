#include "diff_reports.h"
#include "formats/diff/diff_markdown.h"
#include "formats/html/html_diff.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace hprof {
namespace {

using test::class_named;
using test::class_row;
using test::diff_of;
using test::heap_report;
using test::row_where;
using Dumps = std::vector<std::uint64_t>;

constexpr char kBoot[] = "<system class loader>";

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// The Markdown of a comparison with one blank for any number of them.
std::string words_of(const HeapDiff& diff) {
  std::string out = render_markdown(diff);
  const auto end =
      std::unique(out.begin(), out.end(), [](char a, char b) { return a == ' ' && b == ' '; });
  out.erase(end, out.end());
  return out;
}

Report damaged(Report report) {
  report.complete = false;
  return report;
}

Report damaged_heap(std::uint64_t seconds, std::uint64_t used_heap) {
  return damaged(heap_report(seconds, used_heap));
}

/// A heap with so many instances of a.B of a KiB each, and a thread that keeps them.
Report heap_of(std::uint64_t seconds, std::uint64_t instances) {
  const std::uint64_t bytes = instances * 1024;
  Report out =
      heap_report(seconds, 1'000'000 + bytes, {class_row("a.B", kBoot, instances, bytes, bytes)});
  out.overview.class_loaders.emplace();
  out.threads.emplace();
  ThreadRow thread;
  thread.name = "keeper";
  thread.retained = bytes;
  out.threads->threads.push_back(thread);
  return out;
}

TEST_CASE("the verdict on a damaged dump begins with that") {
  CHECK(diff_of({damaged_heap(0, 1000), heap_report(1, 5000)})
            .verdict.text.starts_with(
                "A dump is damaged, and what it lacks may look like a change. The "));
}

TEST_CASE("the used heap of a damaged dump is a lower bound") {
  const auto verdict = [](const Report& first, const Report& last) {
    return diff_of({first, last}).verdict.text;
  };
  CHECK(has(verdict(heap_report(0, 9000), damaged_heap(1, 4000)),
            "may have shrunk by up to 4.9 KiB in 1 s, from 8.8 KiB to at least 3.9 KiB"));
  CHECK(has(verdict(heap_report(0, 4000), damaged_heap(1, 9000)),
            "grew by at least 4.9 KiB in 1 s, from 3.9 KiB to at least 8.8 KiB"));
  CHECK(has(verdict(damaged_heap(0, 9000), heap_report(1, 4000)), "shrank by at least 4.9 KiB"));
  CHECK(has(verdict(damaged_heap(0, 4000), heap_report(1, 9000)), "may have grown by up to"));
  CHECK(has(verdict(damaged_heap(0, 4000), damaged_heap(1, 9000)), "how it changed is not known"));
  CHECK(has(verdict(heap_report(0, 4000), heap_report(1, 9000)), "grew by 4.9 KiB (+125.00 %)"));
}

TEST_CASE("figures of a damaged dump are bounds in the table and in the data") {
  const auto diff = diff_of({heap_report(0, 9000), damaged_heap(1, 4000)});
  const auto& used_heap = diff.totals.front().series;
  CHECK(used_heap.at_least_in == Dumps{2});
  CHECK_FALSE(used_heap.unsure_in);
  CHECK_FALSE(used_heap.change_bp);
  CHECK(used_heap.change_least == SignedCount{true, 5000});
  CHECK_FALSE(used_heap.change_most);
  CHECK(has(words_of(diff), "| 8.8 KiB | ≥ 3.9 KiB | ≥ −4.9 KiB |"));
}

TEST_CASE("of a dump without roots of its own any figure may be higher or lower") {
  Report guessed = damaged_heap(1, 4000);
  guessed.overview.root_policy = "fallback";
  const auto diff = diff_of({heap_report(0, 9000), guessed});
  CHECK_FALSE(diff.totals.front().series.at_least_in);
  CHECK(diff.totals.front().series.unsure_in == Dumps{2});
  CHECK(has(words_of(diff), "| 8.8 KiB | ≷ 3.9 KiB | unknown |"));
  CHECK(has(diff.verdict.text,
            "is 8.8 KiB in dump 1 and 3.9 KiB (as far as it was read) in dump 2; how it changed"));
}

TEST_CASE("a damaged dump between two whole ones takes no share from their change") {
  const auto diff = diff_of({heap_report(0, 4000), damaged_heap(1, 3000), heap_report(2, 9000)});
  CHECK(diff.totals.front().series.at_least_in == Dumps{2});
  CHECK(has(words_of(diff), "| 3.9 KiB | ≥ 2.9 KiB | 8.8 KiB | +4.9 KiB | +125.00 % | |"));
}

TEST_CASE("garbage of a damaged dump is no bound") {
  Report last = damaged_heap(1, 4000);
  last.overview.unreachable_shallow = 2048;
  const auto diff = diff_of({heap_report(0, 4000), last});
  CHECK(has(words_of(diff), "| Unreachable | 0 B | ≷ 2.0 KiB | unknown | |"));
}

TEST_CASE("instances and shallow sizes of a damaged dump are bounds, retained sizes are not") {
  const auto diff = diff_of({heap_of(0, 100), damaged(heap_of(1, 300))});
  const auto& row = class_named(diff, "a.B");
  CHECK(row.instances.at_least_in == Dumps{2});
  CHECK(row.instances.change_least == SignedCount{false, 200});
  CHECK_FALSE(row.instances.change_bp);
  CHECK(row.retained.unsure_in == Dumps{2});
  CHECK(row.retained.change == SignedCount{false, 204'800});
  CHECK_FALSE(row.retained.change_bp);
  CHECK(row.fate == Fate::unknown);
  const auto text = words_of(diff);
  CHECK(has(text, "| `a.B` | ≥ 300 | ≥ +200 | ≥ +200.0 KiB | 100.0 KiB | ≷ 300.0 KiB | unknown |"));
  CHECK(has(text, "| `a` | ≥ 0 | ≥ +200 | 100.0 KiB | ≥ 300.0 KiB | ≥ +200.0 KiB |"));
  CHECK(has(text, "| `keeper` | ≥ 1 | ≥ 0 | 100.0 KiB | ≷ 300.0 KiB | unknown |"));
  CHECK(has(text, "≥ 1 | ≥ 0 | ≥ 0 | 0 B | ≷ 0 B | unknown |"));
  CHECK(has(text, "Of a damaged dump \"≥\" stands before"));
}

TEST_CASE("a change from a damaged dump is at most what was read, between two it is unknown") {
  const auto from = diff_of({damaged(heap_of(0, 100)), heap_of(1, 300)});
  CHECK(has(words_of(from), "| `a.B` | 300 | ≤ +200 | ≤ +200.0 KiB | ≷ 100.0 KiB |"));
  const auto both = diff_of({damaged(heap_of(0, 100)), damaged(heap_of(1, 300))});
  CHECK(has(words_of(both), "| `a.B` | ≥ 300 | unknown | unknown | ≷ 100.0 KiB |"));
  CHECK(class_named(both, "a.B").shallow.change == SignedCount{false, 204'800});
}

TEST_CASE("the page marks what a damaged dump leaves open") {
  const auto page = render_html(diff_of({heap_of(0, 100), damaged(heap_of(1, 300))}));
  CHECK(has(page,
            R"(<td class="n" data-v="307200" title="307,200 bytes at least">≥ 300.0 KiB</td>)"));
  CHECK(has(page,
            R"(<td class="n" data-v="307200" title="307,200 bytes were read">≷ 300.0 KiB</td>)"));
  CHECK(has(page, R"(title="+204,800 bytes in what was read">unknown</td>)"));
  CHECK(has(page, R"(<td class="n" data-v="300">≥ 300</td>)"));
  CHECK_FALSE(has(page, "+200.00 %"));
}

TEST_CASE("what a damaged dump lacks may be there, and what it has was not lost") {
  Report more = heap_of(1, 100);
  more.overview.histogram.push_back(class_row("a.C", kBoot, 5, 80, 80));
  const auto fate = [](const HeapDiff& diff) { return class_named(diff, "a.C").fate; };
  CHECK(fate(diff_of({damaged(heap_of(0, 100)), more})) == Fate::newly_listed);
  CHECK(fate(diff_of({heap_of(0, 100), damaged(more)})) == Fate::created);
  more.overview.dump_creation_ms -= 5000;
  CHECK(fate(diff_of({more, damaged(heap_of(0, 100))})) == Fate::unlisted);
  CHECK(fate(diff_of({damaged(more), heap_of(0, 100)})) == Fate::gone);
  CHECK(has(words_of(diff_of({more, damaged(heap_of(0, 100))})),
            "1 class did not change in what was read."));
}

TEST_CASE("what grows says that it was read of a damaged dump") {
  const auto diff = diff_of({heap_of(0, 100), damaged(heap_of(1, 300))});
  const auto& cause =
      row_where(diff.causes, [](const DiffCause& each) { return each.name == "a.B"; });
  CHECK(cause.text ==
        "class a.B: at least +200 instances, from 100 to ≥ 300; with all that they hold "
        "+200.0 KiB in what was read");
  CHECK(cause.as_read == true);
  CHECK(has(diff.verdict.text, "grows most is a.B with at least +200 instances"));
  CHECK(has(diff.verdict.text, ". Threads keeper hold 200.0 KiB more in what was read"));
  CHECK_FALSE(diff_of({heap_of(0, 100), heap_of(1, 300)}).causes.front().as_read);
}

TEST_CASE("a series with a damaged dump has no trend") {
  const auto rising = [](bool whole) {
    Report middle = heap_of(1, 200);
    middle.complete = whole;
    return words_of(diff_of({heap_of(0, 100), middle, heap_of(2, 300)}));
  };
  CHECK(has(rising(true), "| +200.0 KiB | every step |"));
  CHECK_FALSE(has(rising(false), "| every step |"));
  CHECK_FALSE(has(rising(false), "more at every step"));
}

TEST_CASE("two damaged dumps of which the same was read do not hold the same for certain") {
  const auto diff = diff_of({heap_of(0, 100), damaged(heap_of(1, 100))});
  CHECK(has(diff.verdict.text, "No change in what was read: 1.1 MiB in"));
}

}  // namespace
}  // namespace hprof
