#pragma once

#include "common/byte_cursor.h"
#include "formats/hprof_tags.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace hprof {

inline constexpr std::size_t kRecordHeaderBytes = 9;

/// Lengths are modulo this.
inline constexpr std::uint64_t kLengthWrap = std::uint64_t{1} << 32U;

/// Strings and other plain records are hardly ever longer than this.
inline constexpr std::uint32_t kUsualPlainBytes = 1U << 16U;

/// The time, in microseconds after that of the file, in a record header.
inline std::uint32_t header_micros(std::span<const std::uint8_t> header) {
  return load_big_endian<std::uint32_t>(header.data() + 1);
}

/// Bytes of the record's body, as its header says.
inline std::uint32_t header_length(std::span<const std::uint8_t> header) {
  return load_big_endian<std::uint32_t>(header.data() + 5);
}

/// Whether a record's time cannot follow that of the record before: most writers give none, 0, and
/// others one that does not go back and hardly ever jumps.
bool is_odd_time(std::uint32_t micros, std::uint32_t before);

/// Whether heap records can begin with that byte.
bool is_sub_record_tag(std::uint8_t tag);

/// What can be said of the nine bytes of a header alone; few others pass than headers.
bool may_be_header(std::span<const std::uint8_t> bytes);

/// The length that all records of that kind have; 0: they differ.
std::uint32_t fixed_length(std::uint8_t tag, unsigned identifier_size);

/// Whether a plain record of that kind can have that length without anybody wondering.
bool is_usual_length(std::uint8_t tag, std::uint32_t length, unsigned identifier_size);

/// Whether the beginning of a body of `length` bytes shows heap records, at most `most` of them,
/// that fit into it.
bool shows_heap_records(std::span<const std::uint8_t> body, std::uint64_t length,
                        unsigned identifier_size, unsigned most);

}  // namespace hprof
