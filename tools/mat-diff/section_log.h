#pragma once

#include "tools/mat-diff/proofs.h"
#include "tools/mat-diff/verdict.h"

#include <cstdint>
#include <optional>
#include <string>

namespace hprof {

/// Adds the fields of one section to a comparison.
class SectionLog {
 public:
  SectionLog(Comparison& comparison, std::string section)
      : comparison_(comparison), section_(std::move(section)) {}

  void add(const std::string& field, const std::string& ours, const std::string& mat,
           Verdict verdict);

  void figure(const std::string& field, std::optional<std::uint64_t> ours, const MatFigure& mat);
  /// Nothing to compare where MAT prints no figure.
  void figure(const std::string& field, std::optional<std::uint64_t> ours,
              const std::optional<MatFigure>& mat);
  /// A difference is explainable when `gap` has the proof that it lies in class objects alone.
  void figure_or_gap(const std::string& field, std::optional<std::uint64_t> ours,
                     const MatFigure& mat, const std::optional<std::string>& gap);
  void text(const std::string& field, const std::optional<std::string>& ours,
            const std::string& mat);
  /// A text of the heap, which MAT prints in one of its ways (mat_text.h).
  void printed_text(const std::string& field, const std::optional<std::string>& ours,
                    const std::string& mat);
  void share(const std::string& field, std::optional<std::uint64_t> part,
             std::optional<std::uint64_t> whole, std::optional<std::uint64_t> basis_points,
             const std::optional<MatPercent>& mat);
  /// A member of a set that only one side has.
  void missing(const std::string& field, const std::string& mat);
  void extra(const std::string& field, const std::string& ours);
  /// `count` fields without counterpart.
  void skip(const std::string& field, std::uint64_t count, const std::string& why);

 private:
  Comparison& comparison_;
  std::string section_;
};

/// A count as a figure that MAT would print so.
MatFigure exact_figure(std::uint64_t value);

}  // namespace hprof
