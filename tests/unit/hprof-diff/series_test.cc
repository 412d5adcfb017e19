#include "formats/diff/series.h"

#include "common/error.h"
#include "formats/diff/diff_text.h"

#include <doctest/doctest.h>

namespace hprof {
namespace {

constexpr std::uint64_t kMax = 0xffffffffffffffffULL;

Trend trend(const std::vector<std::uint64_t>& values) {
  return exact_series(values).trend;
}

TEST_CASE("a series rises monotonically only if every step rises") {
  CHECK(trend({1, 2, 3}) == Trend::monotonic);
  CHECK(trend({1, 2, 2}) != Trend::monotonic);
  CHECK(trend({10, 20, 15, 40}) == Trend::irregular);
  CHECK(trend({10, 5, 40}) == Trend::irregular);
  CHECK(trend({10, 30, 20}) == Trend::irregular);
  CHECK(trend({10, 10, 20}) == Trend::grown);
  CHECK(trend({10, 20, 20, 30}) == Trend::grown);
  CHECK(trend({0, 1, kMax}) == Trend::monotonic);
}

TEST_CASE("what rises at the first step and stays is a warm-up") {
  CHECK(trend({0, 1000, 1000}) == Trend::warm_up);
  CHECK(trend({0, 1000, 1000, 1000}) == Trend::warm_up);
  CHECK(trend({0, 1000, 1009}) == Trend::warm_up);
  CHECK(trend({0, 1000, 995, 1000}) == Trend::warm_up);
  CHECK(trend({0, 1000, 1100}) == Trend::monotonic);
  CHECK(trend({0, 1000, 500}) == Trend::irregular);
  CHECK(exact_series({0, 1000, 1000}).lasting == 0);
  CHECK(exact_series({0, 1000, 1100}).lasting == 100);
}

TEST_CASE("steps are those between some of the dumps where others tell none") {
  auto series = make_series({{100, 200}, exactly(0), exactly(300), exactly(310)});
  take_steps_of(series, {0, 2, 3});
  CHECK(series.trend == Trend::monotonic);
  CHECK(series.lasting == 10);
  take_steps_of(series, {0, 3});
  CHECK(series.trend == Trend::grown);
  CHECK(series.lasting == 110);
  CHECK(series.change == SignedCount{false, 110});
}

TEST_CASE("two dumps tell no trend beyond up and down") {
  CHECK(trend({1, 2}) == Trend::grown);
  CHECK(trend({2, 1}) == Trend::shrunk);
  CHECK(trend({2, 2}) == Trend::same);
  CHECK(trend({3, 2, 1}) == Trend::shrunk);
  CHECK(exact_series({1, 2}).lasting == 1);
}

TEST_CASE("changes of 64-bit figures do not overflow") {
  CHECK(exact_series({0, kMax}).change == SignedCount{false, kMax});
  CHECK(exact_series({kMax, 0}).change == SignedCount{true, kMax});
  CHECK(*exact_series({1, kMax}).change_bp == SignedCount{false, kMax});
  CHECK(*exact_series({kMax, 0}).change_bp == SignedCount{true, 10000});
  CHECK(*exact_series({kMax, kMax - 1}).change_bp == SignedCount{false, 0});
  CHECK(change_in_bytes(exact_series({kMax, 0}).change) == "−16.0 EiB");
}

TEST_CASE("growth from nothing has no share") {
  CHECK_FALSE(exact_series({0, 5}).change_bp);
  CHECK(change_of_bytes(exact_series({0, 2048})) == "+2.0 KiB");
  CHECK(change_of_bytes(exact_series({1024, 2048})) == "+1.0 KiB (+100.00 %)");
  CHECK(change_of_bytes(exact_series({4, 4})) == "0 B");
}

TEST_CASE("between bounds only what is certain counts as a change") {
  CHECK(make_series({{0, 100}, exactly(300)}).change == SignedCount{false, 200});
  CHECK(make_series({{0, 100}, exactly(60)}).change == SignedCount());
  CHECK(make_series({exactly(300), {0, 100}}).change == SignedCount{true, 200});
  CHECK(make_series({exactly(300), {0, 400}}).trend == Trend::same);
  CHECK(make_series({{0, 100}, {0, 200}, exactly(300)}).trend == Trend::grown);
}

TEST_CASE("between bounds a change has bounds as well") {
  const auto grown = make_series({{0, 100}, exactly(300)});
  CHECK(grown.change_least == SignedCount{false, 200});
  CHECK(grown.change_most == SignedCount{false, 300});
  CHECK(count_change(grown) == "≥ +200");
  CHECK(count_change(make_series({exactly(300), {0, 100}})) == "≤ −200");
  const auto open = make_series({exactly(3072), {0, 4096}});
  CHECK(open.change_least == SignedCount{true, 3072});
  CHECK(open.change_most == SignedCount{false, 1024});
  CHECK(bytes_change(open) == "−3.0 KiB to +1.0 KiB");
  const auto between = make_series({exactly(1024), {0, 9000}, exactly(2048)});
  CHECK_FALSE(between.change_least);
  CHECK(bytes_change(between) == "+1.0 KiB");
}

TEST_CASE("bounds are shown as such") {
  const auto series = make_series({{0, 1024}, {2048, 4096}, {0, 7000}});
  CHECK(bytes_at(series, 0) == "≤ 1.0 KiB");
  CHECK(bytes_at(series, 1) == "≥ 2.0 KiB");
  CHECK(count_at(series, 2) == "≤ 7,000");
}

TEST_CASE("signed counts are ordered by value") {
  CHECK(SignedCount{true, 5} < SignedCount{true, 1});
  CHECK(SignedCount{true, 1} < SignedCount());
  CHECK(SignedCount() < SignedCount{false, 1});
  CHECK(difference(3, 3) == SignedCount());
}

TEST_CASE("durations have their two largest units") {
  CHECK(duration_text(0) == "0 ms");
  CHECK(duration_text(999) == "999 ms");
  CHECK(duration_text(5'047) == "5 s");
  CHECK(duration_text(210'000) == "3 min 30 s");
  CHECK(duration_text(3'600'000) == "1 h");
  CHECK(duration_text(2 * 86'400'000ULL + 5 * 3'600'000ULL) == "2 d 5 h");
  CHECK(duration_text(kMax).find(" d") != std::string::npos);
}

}  // namespace
}  // namespace hprof
