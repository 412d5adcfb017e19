#pragma once

#include "formats/mat/mat_export.h"
#include "tools/mat-diff/our_report.h"
#include "tools/mat-diff/verdict.h"

#include <optional>
#include <string>

namespace hprof {

/// Both sides, and the proof of MatClassObjectRootingGap if there is one. Of a component the sides
/// are what is said of it, and `whole` is the report that names the classes.
struct Sides {
  const MatExport& mat;
  const OurReport& ours;
  std::optional<std::string> rooting_gap;
  const OurReport* whole = nullptr;
};

/// Compares every section that the export has, field by field.
Comparison compare(const MatExport& mat, const OurReport& ours);

/// The sections. Each compares what MAT's side has and says what has no counterpart.
void compare_overview(const Sides& sides, Comparison& result);
void compare_histogram(const Sides& sides, Comparison& result);
void compare_objects(const Sides& sides, Comparison& result);
void compare_classes(const Sides& sides, Comparison& result);
void compare_loaders(const Sides& sides, Comparison& result);
void compare_packages(const Sides& sides, Comparison& result);
void compare_suspects(const Sides& sides, Comparison& result);
void compare_components(const Sides& sides, Comparison& result);
void compare_threads(const Sides& sides, Comparison& result);
void compare_system_properties(const Sides& sides, Comparison& result);

}  // namespace hprof
