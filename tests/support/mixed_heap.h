#pragma once

#include <cstdint>
#include <string>

namespace hprof::test {

/// Streams a heap of at least `megabytes` (of 2^20 bytes): sessions, each a hash map with string
/// keys whose values are byte arrays, object arrays, linked lists or boxed numbers; part of the
/// text is shared between sessions and part of the objects is unreachable. Same size, same bytes.
void write_mixed_heap(const std::string& path, std::uint64_t megabytes);

}  // namespace hprof::test
