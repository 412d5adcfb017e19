#pragma once

#include "common/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace hprof {

/// Why a record cannot be read.
enum class Unreadable : std::uint8_t {
  garbled,         ///< what it says cannot be right
  at_end,          ///< there are no more bytes
  beyond_segment,  ///< a heap record is longer than what is left of its segment
};

/// A record that cannot be read.
class DamagedRecord : public Error {
 public:
  struct Place {
    std::uint64_t start = 0;         ///< first byte of the record
    std::uint64_t record_start = 0;  ///< of the top-level record
    std::uint64_t record_end = 0;    ///< where that ends, as its header says
    bool in_heap_record = false;     ///< `start` is a heap record inside it
    Unreadable why = Unreadable::garbled;
    bool beyond_file = false;     ///< the top-level record is longer than the file
    bool heap_may_follow = true;  ///< what is found behind it may be heap records
    std::uint8_t sub_tag = 0;     ///< of the heap record that was read last
    std::uint32_t micros = 0;     ///< the time of the top-level record
    std::optional<std::uint32_t> micros_before =
        {};                 ///< that of the record before it, if it is known
    std::string what = {};  ///< record and reason
  };
  DamagedRecord(const std::string& message, Place place)
      : Error(ExitCode::bad_data, message), place_(std::move(place)) {}
  const Place& place() const { return place_; }

 private:
  Place place_;
};

}  // namespace hprof
