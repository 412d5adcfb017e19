#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace hprof {

/// Bytes of the heap record that `bytes` begin with, more than there are if its end cannot be seen;
/// nothing if none begins so.
std::optional<std::uint64_t> sub_record_bytes(std::span<const std::uint8_t> bytes,
                                              unsigned identifier_size);

}  // namespace hprof
