#pragma once

#include "common/error.h"
#include "common/varint.h"

#include <cstdint>

namespace hprof {

/// The object that a coded reference leads to: a zigzag distance from `base`, which is the object
/// itself or, in chained rows, the reference before. Unplaced unless it is one of `objects`.
inline std::uint32_t referenced_object(std::uint32_t base, std::uint64_t coded,
                                       std::uint64_t objects) {
  const auto target = static_cast<std::uint64_t>(static_cast<std::int64_t>(base) + unzigzag(coded));
  if (target >= objects) [[unlikely]] {
    throw_unplaced("a reference is out of range");
  }
  return static_cast<std::uint32_t>(target);
}

}  // namespace hprof
