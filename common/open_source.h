#pragma once

#include "common/byte_source.h"
#include "common/input_file.h"

#include <memory>
#include <string>

namespace hprof {

/// The bytes of `path`, inflated if the content (not the name) is gzip: any number of members,
/// empty ones included, whatever follows them.
std::unique_ptr<ByteSource> open_source(const std::string& path);
/// The same of a file that is open.
std::unique_ptr<ByteSource> open_source(FileDescriptor file, const std::string& path);

}  // namespace hprof
