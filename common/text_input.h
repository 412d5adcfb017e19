#pragma once

#include "common/error.h"
#include "common/input_file.h"

#include <cstdint>
#include <span>
#include <string>

namespace hprof {

/// The next bytes of a stream, as many as come at once; none at its end. Error(`when_refused`) that
/// says `name`.
std::size_t read_piece(const FileDescriptor& stream, const std::string& name,
                       std::span<std::uint8_t> out, ExitCode when_refused);

/// Opens a small input that is read once, like a report or a file of rules: a regular file as it
/// is, and of a pipe or device what comes from it until its end, kept in memory. Errors as for
/// open_input(), and Error(limit) where a stream does not end within a gigabyte.
FileDescriptor open_text_input(const std::string& path);

}  // namespace hprof
