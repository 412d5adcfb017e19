#pragma once

#include "formats/mat/mat_figures.h"
#include "tools/mat-diff/verdict.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// Equal texts, or FAIL.
Verdict judge_text(const std::string& ours, const std::string& mat);

/// Equal figures; Rounding when MAT's text is a band and ours lies in it; FAIL otherwise.
Verdict judge_figure(std::uint64_t ours, const MatFigure& mat);

/// A share of `whole` against MAT's percentage: equal, Rounding when exactly this quotient may be
/// printed so, or FAIL. `basis_points`, where our report has it, must itself be the quotient
/// rounded down.
Verdict judge_share(std::uint64_t part, std::uint64_t whole,
                    std::optional<std::uint64_t> basis_points, const MatPercent& mat);

/// Milliseconds since 1970 against a time that MAT prints to the second.
Verdict judge_time(std::uint64_t ours_ms, std::uint64_t mat_seconds);

/// A place in a ranking: the same row; TieBreak when our row at this place, the row that MAT has
/// there and MAT's own figure all have the same rank key; FAIL otherwise.
Verdict judge_place(bool same_row, std::optional<std::uint64_t> key_of_our_row,
                    std::optional<std::uint64_t> key_of_mat_row,
                    const std::optional<MatFigure>& mat_key);

/// The members of a list whose order says nothing: equal; Order when equal as multisets; FAIL
/// otherwise.
Verdict judge_order(std::vector<std::string> ours, std::vector<std::string> mat);

/// For fields that only one side has; `why` says which and why.
Verdict no_counterpart(std::string why);

/// One side's figures for the proof of MatClassObjectRootingGap.
struct ClassObjectFigures {
  std::uint64_t objects = 0;  ///< all
  std::uint64_t shallow = 0;  ///< of all, in bytes
  std::uint64_t classes = 0;
  std::uint64_t class_objects = 0;  ///< instances of java.lang.Class
  std::uint64_t class_object_bytes = 0;
};

/// Evidence that two heaps differ in instances of java.lang.Class and in nothing else: what is left
/// without them is equal in objects and bytes, and as many classes are missing as class objects.
/// Nothing when that is not so, or when they do not differ at all.
std::optional<std::string> prove_rooting_gap(const ClassObjectFigures& ours,
                                             const ClassObjectFigures& mat);

}  // namespace hprof
