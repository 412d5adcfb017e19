// One function per reason; nothing else in the tool may call a difference explainable.
#include "tools/mat-diff/proofs.h"

#include "common/concat.h"
#include "common/text.h"

#include <algorithm>

namespace hprof {
namespace {

__extension__ using Wide = unsigned __int128;

Verdict match() {
  return {Tier::match, Reason::none, {}};
}

Verdict failure(std::string evidence = {}) {
  return {Tier::fail, Reason::none, std::move(evidence)};
}

/// Whether `part`/`whole` is the percentage to the last digit.
bool is_exact_share(const MatPercent& mat, std::uint64_t part, std::uint64_t whole) {
  Wide left = Wide{part} * 100;
  for (unsigned i = 0; i < mat.decimals; ++i) {
    left *= 10;
  }
  return left == Wide{mat.digits} * whole;
}

}  // namespace

Verdict judge_text(const std::string& ours, const std::string& mat) {
  return ours == mat ? match() : failure();
}

Verdict judge_figure(std::uint64_t ours, const MatFigure& mat) {
  if (mat.exact()) {
    return ours == mat.low ? match() : failure();
  }
  const auto where =
      concat(ours, mat.low <= ours && ours <= mat.high ? " lies in [" : " lies outside [", mat.low,
             ", ", mat.high, "], what \"", mat.text, "\" stands for");
  if (ours < mat.low || ours > mat.high) {
    return failure(where);
  }
  return {Tier::explainable, Reason::rounding, where};
}

Verdict judge_share(std::uint64_t part, std::uint64_t whole,
                    std::optional<std::uint64_t> basis_points, const MatPercent& mat) {
  const auto quotient = concat(part, " of ", whole);
  if (whole == 0) {
    return failure("a share of nothing");
  }
  if (basis_points && Wide{*basis_points} != Wide{part} * 10'000 / whole) {
    return failure(concat(*basis_points, " basis points are not ", quotient));
  }
  if (is_exact_share(mat, part, whole)) {
    return match();
  }
  if (!shows_share(mat, part, whole)) {
    return failure(concat(quotient, " is not printed as ", mat.text));
  }
  return {Tier::explainable, Reason::rounding,
          concat(quotient, " is ", mat.text, " within half a unit of the last digit")};
}

Verdict judge_time(std::uint64_t ours_ms, std::uint64_t mat_seconds) {
  if (ours_ms / 1000 != mat_seconds) {
    return failure(concat(ours_ms, " ms is not second ", mat_seconds));
  }
  if (ours_ms % 1000 == 0) {
    return match();
  }
  return {Tier::explainable, Reason::rounding, concat(ours_ms, " ms lies in second ", mat_seconds)};
}

Verdict judge_place(bool same_row, std::optional<std::uint64_t> key_of_our_row,
                    std::optional<std::uint64_t> key_of_mat_row,
                    const std::optional<MatFigure>& mat_key) {
  if (same_row) {
    return match();
  }
  if (!key_of_our_row || !key_of_mat_row || !mat_key) {
    return failure("no rank key to compare");
  }
  if (*key_of_our_row == *key_of_mat_row && mat_key->exact() && mat_key->low == *key_of_our_row) {
    return {Tier::explainable, Reason::tie_break, concat("both rows have ", *key_of_our_row)};
  }
  return failure(concat("our row here has ", *key_of_our_row, ", MAT's ", *key_of_mat_row));
}

Verdict judge_order(std::vector<std::string> ours, std::vector<std::string> mat) {
  if (ours == mat) {
    return match();
  }
  std::sort(ours.begin(), ours.end());
  std::sort(mat.begin(), mat.end());
  if (ours != mat) {
    return failure("not the same members");
  }
  return {Tier::explainable, Reason::order,
          "the same " + format_count(ours.size(), "member", "members")};
}

Verdict no_counterpart(std::string why) {
  return {Tier::skipped, Reason::no_counterpart, std::move(why)};
}

std::optional<std::string> prove_rooting_gap(const ClassObjectFigures& ours,
                                             const ClassObjectFigures& mat) {
  const bool same_rest =
      ours.objects - ours.class_objects == mat.objects - mat.class_objects &&
      ours.shallow - ours.class_object_bytes == mat.shallow - mat.class_object_bytes;
  const bool same_gap = ours.classes - ours.class_objects == mat.classes - mat.class_objects;
  if (ours.class_objects == mat.class_objects || !same_rest || !same_gap) {
    return std::nullopt;
  }
  return concat("without java.lang.Class both have ", ours.objects - ours.class_objects,
                " objects and ", ours.shallow - ours.class_object_bytes,
                " bytes; class objects: ours ", ours.class_objects, ", MAT's ", mat.class_objects);
}

}  // namespace hprof
