#pragma once

#include "formats/diff/heap_diff.h"
#include "formats/report/summary.h"

#include <string_view>
#include <vector>

namespace hprof {

/// A section of a comparison, and whether there is anything to show in it.
struct DiffSection {
  std::string_view id;
  std::string_view title;
  bool (*is_filled)(const HeapDiff& diff);
};

/// All sections in the order in which every format shows them.
const std::vector<DiffSection>& diff_sections();

/// How the dumps were compared, as every format says it.
Sentence diff_method(const HeapDiff& diff);

}  // namespace hprof
