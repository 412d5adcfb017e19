#pragma once

#include <cstdint>
#include <vector>

namespace hprof {

/// Bytes of heap records between two places that are noted, at least; a larger record is a stretch
/// of its own.
inline constexpr std::uint64_t kPlaceBytes = 1U << 17U;

/// A heap record from which a dump can be read on, and which objects the records up to the next
/// place are.
struct RecordPlace {
  std::uint64_t position = 0;          ///< byte of the (inflated) dump
  std::uint64_t left = 0;              ///< bytes left of the segment that the record is in
  std::uint32_t lowest = 0xffffffffU;  ///< object index; above `highest`: no objects
  std::uint32_t highest = 0;

  bool operator==(const RecordPlace&) const = default;
};

/// All places of the selected dump, ascending by position.
struct RecordPlaces {
  std::vector<RecordPlace> rows;
  std::uint64_t end = 0;  ///< one past the last heap record

  bool operator==(const RecordPlaces&) const = default;
};

}  // namespace hprof
