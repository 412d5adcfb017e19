#include "tools/mat-diff/proofs.h"

#include <doctest/doctest.h>

using namespace hprof;

namespace {

bool granted(const Verdict& verdict, Reason reason) {
  return verdict.tier == Tier::explainable && verdict.reason == reason && !verdict.evidence.empty();
}

bool failed(const Verdict& verdict) {
  return verdict.tier == Tier::fail && verdict.reason == Reason::none;
}

bool matched(const Verdict& verdict) {
  return verdict.tier == Tier::match && verdict.reason == Reason::none;
}

}  // namespace

TEST_CASE("exact figures match or fail, by one byte") {
  const auto figure = *parse_figure(">= 1,000");
  CHECK(matched(judge_figure(1000, figure)));
  CHECK(failed(judge_figure(999, figure)));
  CHECK(failed(judge_figure(1001, figure)));
}

TEST_CASE("Rounding is granted inside the band and refused one byte outside") {
  const auto figure = *parse_figure("22.7 MB");
  CHECK(granted(judge_figure(figure.low, figure), Reason::rounding));
  CHECK(granted(judge_figure(figure.high, figure), Reason::rounding));
  CHECK(failed(judge_figure(figure.low - 1, figure)));
  CHECK(failed(judge_figure(figure.high + 1, figure)));
}

TEST_CASE("Rounding of shares needs the very quotient, and basis points rounded down") {
  const auto percent = *parse_percent("12.35%");
  CHECK(granted(judge_share(12345, 100000, 1234, percent), Reason::rounding));
  CHECK(granted(judge_share(12345, 100000, std::nullopt, percent), Reason::rounding));
  CHECK(failed(judge_share(12345, 100000, 1235, percent)));
  CHECK(failed(judge_share(12345, 100000, 1233, percent)));
  CHECK(failed(judge_share(12344, 100000, 1234, percent)));
  CHECK(failed(judge_share(1, 0, std::nullopt, percent)));
  CHECK(matched(judge_share(1, 4, 2500, *parse_percent("25.00%"))));
  CHECK(failed(judge_share(1, 4, 2500, *parse_percent("25.01%"))));
}

TEST_CASE("Rounding of times is within the second") {
  CHECK(matched(judge_time(5000, 5)));
  CHECK(granted(judge_time(5999, 5), Reason::rounding));
  CHECK(failed(judge_time(6000, 5)));
  CHECK(failed(judge_time(4999, 5)));
}

TEST_CASE("TieBreak is granted for equal keys on both sides and refused otherwise") {
  const auto key = parse_figure("700");
  CHECK(matched(judge_place(true, 700, 700, key)));
  CHECK(granted(judge_place(false, 700, 700, key), Reason::tie_break));
  CHECK(failed(judge_place(false, 701, 700, key)));
  CHECK(failed(judge_place(false, 700, 701, key)));
  CHECK(failed(judge_place(false, 701, 701, key)));
  CHECK(failed(judge_place(false, std::nullopt, 700, key)));
  CHECK(failed(judge_place(false, 700, 700, std::nullopt)));
  CHECK(failed(judge_place(false, 700, 700, parse_figure("0.7 KB"))));
}

TEST_CASE(
    "Order is granted for equal multisets and refused for a missing, added or doubled member") {
  CHECK(matched(judge_order({"a", "b"}, {"a", "b"})));
  CHECK(granted(judge_order({"b", "a"}, {"a", "b"}), Reason::order));
  CHECK(failed(judge_order({"b"}, {"a", "b"})));
  CHECK(failed(judge_order({"b", "a", "c"}, {"a", "b"})));
  CHECK(failed(judge_order({"b", "a", "a"}, {"a", "b", "b"})));
}

TEST_CASE("NoCounterpart is a skipped field, not an explained one") {
  const auto verdict = no_counterpart("only MAT has it");
  CHECK(verdict.tier == Tier::skipped);
  CHECK(verdict.reason == Reason::no_counterpart);
}

TEST_CASE("MatClassObjectRootingGap is granted only when class objects account for all of it") {
  const ClassObjectFigures mat{1000, 100'000, 50, 50, 4000};
  const ClassObjectFigures gap{997, 99'900, 47, 47, 3900};
  CHECK(prove_rooting_gap(gap, mat));
  CHECK_FALSE(prove_rooting_gap(mat, mat));
  auto other = gap;
  other.objects += 1;
  CHECK_FALSE(prove_rooting_gap(other, mat));
  other = gap;
  other.shallow += 1;
  CHECK_FALSE(prove_rooting_gap(other, mat));
  other = gap;
  other.classes += 1;
  CHECK_FALSE(prove_rooting_gap(other, mat));
  other = gap;
  other.class_object_bytes += 1;
  CHECK_FALSE(prove_rooting_gap(other, mat));
}

TEST_CASE("texts match byte for byte") {
  CHECK(matched(judge_text("a", "a")));
  CHECK(failed(judge_text("a", "a ")));
}
