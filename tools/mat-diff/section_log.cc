#include "tools/mat-diff/section_log.h"

#include "common/concat.h"
#include "tools/mat-diff/mat_text.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr const char* kAbsent = "(absent)";

Verdict absent(const char* what) {
  return {Tier::fail, Reason::none, what};
}

}  // namespace

void SectionLog::add(const std::string& field, const std::string& ours, const std::string& mat,
                     Verdict verdict) {
  comparison_.fields.push_back({section_, field, ours, mat, std::move(verdict), 1});
}

void SectionLog::figure(const std::string& field, std::optional<std::uint64_t> ours,
                        const MatFigure& mat) {
  figure_or_gap(field, ours, mat, std::nullopt);
}

void SectionLog::figure(const std::string& field, std::optional<std::uint64_t> ours,
                        const std::optional<MatFigure>& mat) {
  if (mat) {
    figure(field, ours, *mat);
  }
}

void SectionLog::figure_or_gap(const std::string& field, std::optional<std::uint64_t> ours,
                               const MatFigure& mat, const std::optional<std::string>& gap) {
  if (!ours) {
    add(field, kAbsent, mat.text, absent("our report has no such figure"));
    return;
  }
  auto verdict = judge_figure(*ours, mat);
  if (verdict.tier == Tier::fail && gap) {
    verdict = {Tier::explainable, Reason::mat_class_object_rooting_gap, *gap};
  }
  add(field, std::to_string(*ours), mat.text, std::move(verdict));
}

void SectionLog::text(const std::string& field, const std::optional<std::string>& ours,
                      const std::string& mat) {
  if (!ours) {
    add(field, kAbsent, mat, absent("our report has no such text"));
    return;
  }
  add(field, *ours, mat, judge_text(*ours, mat));
}

void SectionLog::printed_text(const std::string& field, const std::optional<std::string>& ours,
                              const std::string& mat) {
  const auto renderings = ours ? mat_renderings(*ours) : std::vector<std::string>{};
  const bool matches = std::find(renderings.begin(), renderings.end(), mat) != renderings.end();
  text(field, matches ? std::optional(mat) : ours, mat);
}

void SectionLog::share(const std::string& field, std::optional<std::uint64_t> part,
                       std::optional<std::uint64_t> whole,
                       std::optional<std::uint64_t> basis_points,
                       const std::optional<MatPercent>& mat) {
  if (!mat) {
    return;
  }
  if (!part || !whole) {
    add(field, kAbsent, mat->text, absent("our report has no such figure"));
    return;
  }
  const auto ours = basis_points ? concat(*basis_points, " bp") : concat(*part, "/", *whole);
  add(field, ours, mat->text, judge_share(*part, *whole, basis_points, *mat));
}

void SectionLog::missing(const std::string& field, const std::string& mat) {
  add(field, "(missing)", mat, absent("MAT has it, our report does not"));
}

void SectionLog::extra(const std::string& field, const std::string& ours) {
  add(field, ours, "(missing)", absent("our report has it, MAT does not"));
}

void SectionLog::skip(const std::string& field, std::uint64_t count, const std::string& why) {
  if (count > 0) {
    comparison_.fields.push_back({section_, field, "", "", no_counterpart(why), count});
  }
}

MatFigure exact_figure(std::uint64_t value) {
  return {std::to_string(value), value, value, false};
}

}  // namespace hprof
