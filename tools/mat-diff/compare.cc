// The list of sections. A new section is one function, one line here, and its part of MatExport.
#include "tools/mat-diff/compare.h"

#include "tools/mat-diff/proofs.h"
#include "tools/mat-diff/section_log.h"

#include <algorithm>

namespace hprof {
namespace {

using SectionComparison = void (*)(const Sides&, Comparison&);

constexpr SectionComparison kSections[] = {
    compare_overview, compare_histogram,         compare_objects,  compare_classes,
    compare_loaders,  compare_packages,          compare_suspects, compare_components,
    compare_threads,  compare_system_properties,
};

constexpr const char* kClassClass = "java.lang.Class";

/// MAT's side of the proof: needs the row of java.lang.Class among the printed ones.
std::optional<ClassObjectFigures> mat_class_objects(const MatExport& mat) {
  if (!mat.histogram || !mat.histogram->totals) {
    return std::nullopt;
  }
  const auto& totals = *mat.histogram->totals;
  for (const auto& row : mat.histogram->rows) {
    if (row.label == kClassClass && row.objects && row.shallow && totals.objects &&
        totals.shallow) {
      return ClassObjectFigures{totals.objects->low, totals.shallow->low, mat.histogram->entries,
                                row.objects->low, row.shallow->low};
    }
  }
  return std::nullopt;
}

std::optional<ClassObjectFigures> our_class_objects(const OurReport& ours) {
  const auto* histogram = ours.find("overview.histogram");
  if (histogram == nullptr || !histogram->is_array()) {
    return std::nullopt;
  }
  ClassObjectFigures figures;
  for (const auto& row : *histogram) {
    const auto instances = count_of(row, "instances");
    const auto shallow = count_of(row, "shallow");
    if (!instances || !shallow) {
      return std::nullopt;
    }
    figures.objects += *instances;
    figures.shallow += *shallow;
    if (text_of(row, "class") == kClassClass) {
      figures.class_objects += *instances;
      figures.class_object_bytes += *shallow;
    }
  }
  figures.classes = ours.count("overview.classes_loaded").value_or(0);
  const bool agrees = ours.count("overview.total_objects") == figures.objects &&
                      ours.count("overview.total_shallow") == figures.shallow;
  return agrees ? std::optional(figures) : std::nullopt;
}

/// The proof needs every printed row of another class to be equal, too.
bool other_rows_agree(const MatExport& mat, const OurReport& ours) {
  return std::ranges::all_of(mat.histogram->rows, [&](const MatRow& row) {
    const auto* our_row = ours.class_row(row.address);
    return row.label == kClassClass || (our_row != nullptr && row.objects && row.shallow &&
                                        count_of(*our_row, "instances") == row.objects->low &&
                                        count_of(*our_row, "shallow") == row.shallow->low);
  });
}

std::optional<std::string> rooting_gap(const MatExport& mat, const OurReport& ours) {
  const auto mat_figures = mat_class_objects(mat);
  const auto our_figures = our_class_objects(ours);
  return mat_figures && our_figures && other_rows_agree(mat, ours)
             ? prove_rooting_gap(*our_figures, *mat_figures)
             : std::nullopt;
}

}  // namespace

Comparison compare(const MatExport& mat, const OurReport& ours) {
  Comparison result;
  for (const auto& source : mat.sources) {
    result.mat += result.mat.empty() ? source : ", " + source;
  }
  const Sides sides{mat, ours, rooting_gap(mat, ours)};
  for (const auto section : kSections) {
    section(sides, result);
  }
  return result;
}

}  // namespace hprof
