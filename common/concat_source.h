#pragma once

#include "common/byte_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hprof {

/// The beginning of one of several sources that are read as one.
struct SourcePart {
  std::string name;  ///< of the file, for messages
  std::unique_ptr<ByteSource> source;
  std::uint64_t bytes = 0;  ///< how many of it count
};

/// The parts one after the other. Reading throws Error(no_input) when one is shorter than it says.
/// Counts as compressed, since no single file has bytes where this source has them.
std::unique_ptr<ByteSource> concatenate(std::vector<SourcePart> parts);

}  // namespace hprof
