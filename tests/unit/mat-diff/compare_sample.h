#pragma once

#include "formats/mat/mat_export.h"
#include "tests/unit/mat-diff/mat_pages.h"
#include "tools/mat-diff/compare.h"

#include <cstddef>
#include <set>
#include <string>

namespace hprof::test {

/// What MAT exports of the small heap, with these pages in it.
MatExport read_pages(const Pages& overview, const Pages& suspects);

/// The export as it is, and its comparison with a report.
const MatExport& sample_export();
Comparison compare_with(nlohmann::json report);

/// "section: field" of every field of that tier; names one a line.
std::set<std::string> fields_of(const Comparison& comparison, Tier tier);
std::string joined(const std::set<std::string>& names);

// Our report of the heap with another value, without one, with two rows of a list swapped.
nlohmann::json changed(const std::string& pointer, const nlohmann::json& value);
nlohmann::json without(const std::string& pointer);
nlohmann::json swapped(const std::string& list, std::size_t i, std::size_t j);

}  // namespace hprof::test
