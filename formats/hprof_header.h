#pragma once

#include "common/input_stream.h"

#include <cstdint>
#include <string>

namespace hprof {

/// What stands before the first record of a dump.
struct HprofHeader {
  std::string format;              ///< "JAVA PROFILE 1.0.1", "… 1.0.2" or "… 1.0.3"
  unsigned identifier_size = 0;    ///< 4 or 8 bytes
  std::uint64_t timestamp_ms = 0;  ///< since 1970 UTC

  bool is_android() const { return format.ends_with("1.0.3"); }
};

/// Reads the header at the current position. Error(bad_data) names what else the file looks like.
HprofHeader read_hprof_header(BufferedInput& input, const std::string& path);

}  // namespace hprof
