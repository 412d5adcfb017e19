#pragma once

#include "formats/report/report.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace hprof {

/// A figure of a whole heap that a table shows and a rule can ask for.
struct HeapTotal {
  const char* name;   ///< in rules
  const char* title;  ///< in text
  bool is_bytes;
  bool in_table;
  bool is_count;      ///< a part of a dump has no more of it than the whole
  const char* needs;  ///< what a report without it lacks
  std::optional<std::uint64_t> (*value)(const Report& report);
};

/// All of them, in the order of the table.
std::span<const HeapTotal> heap_totals();

}  // namespace hprof
