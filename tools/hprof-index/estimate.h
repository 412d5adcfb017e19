#pragma once

#include "common/error.h"
#include "tools/hprof-index/quick_look.h"

#include <array>
#include <cstdint>
#include <string>

namespace hprof {

/// What a stage is expected to take.
struct StageEstimate {
  std::string stage;
  std::uint64_t peak_bytes = 0;  ///< resident memory at most
  std::uint64_t file_bytes = 0;  ///< of the file that it writes; 0 for the report
};

/// The stages in order, for a dump that looks like this.
std::array<StageEstimate, 4> estimate_stages(const DumpSketch& look);

/// The answer to --estimate: a table, and what it is based on.
std::string estimate_text(const std::string& path, const DumpSketch& look);
/// Has a quick look at the dump, with `salvage` at its parts, too, and prints the answer. If
/// `strict`, Error(bad_data) for a damaged one.
ExitCode print_estimate(const std::string& path, bool salvage, bool strict);

}  // namespace hprof
