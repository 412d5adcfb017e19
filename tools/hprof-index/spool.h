#pragma once

#include <string>

namespace hprof {

/// The path of a dump that can be read more than once. What comes from standard input ("-") or
/// another stream is saved in `folder` first: under its own name, standard input as stdin.hprof.
/// Error(no_input) when it cannot be read, or is a stream and `folder` is empty;
/// Error(cannot_create) or Error(io_error) when the file cannot be written; nothing is left of it
/// then.
std::string file_of_dump(const std::string& dump, const std::string& folder);

}  // namespace hprof
