#pragma once

#include "tools/hprof-report/diff/join.h"
#include "tools/hprof-report/gate/rule.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>

namespace hprof {

/// A figure of which a report says nothing.
inline constexpr Bounds kUnknownBounds{0, std::numeric_limits<std::uint64_t>::max()};

/// What a report says of everything that a rule may be about.
struct Measures {
  std::string missing;  ///< why the report says nothing; empty: it does
  std::map<std::string, Bounds> rows;
  Bounds others;     ///< what one that has no row may have
  std::string note;  ///< what weakens the figures; may be empty
};

/// Measures the metric of a rule about rows in one report.
Measures measure_rows(const GateRule& rule, const Report& report, const DiffOptions& options);

/// Measures a figure of the whole heap; the row has the metric's name.
Measures measure_heap(const GateRule& rule, const Report& report);

}  // namespace hprof
