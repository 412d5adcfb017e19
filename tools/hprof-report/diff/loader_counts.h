#pragma once

#include "tools/hprof-report/diff/join.h"

#include <cstdint>
#include <map>
#include <string>

namespace hprof {

/// How many class loaders a report has.
struct LoaderCounts {
  std::map<std::string, Bounds> by_class;
  std::uint64_t unlisted = 0;  ///< of whose class nothing is known
};

/// Counts those that have defined classes and those that have not.
LoaderCounts count_loaders(const Report& report, const DiffOptions& options);

}  // namespace hprof
