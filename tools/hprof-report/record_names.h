#pragma once

#include <cstdint>
#include <string>

namespace hprof {

/// "Thread", "System Class", …; "Unknown (0xNN)" for tags that no format names.
std::string root_kind_name(std::uint8_t tag);

/// Name of a top-level record of the file.
std::string record_name(std::uint8_t tag);

/// Name of a record inside a heap dump segment.
std::string heap_record_name(std::uint8_t tag);

}  // namespace hprof
