#pragma once

#include "common/input_stream.h"

#include <string>

namespace hprof {

/// Opens a small input that is read once, like a report or a file of rules: a regular file as it
/// is, and of a pipe or device what comes from it until its end, kept in memory. Errors as for
/// open_input(), and Error(limit) where a stream does not end within a gigabyte.
FileDescriptor open_text_input(const std::string& path);

}  // namespace hprof
