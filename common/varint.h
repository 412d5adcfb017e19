#pragma once

#include "common/error.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hprof {

inline constexpr std::size_t kMaxVarintBytes = 10;

/// Maps small negative and positive numbers to small unsigned ones: 0, −1, 1, −2, … → 0, 1, 2, 3, …
constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}

constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

/// Writes `value` in groups of seven bits, low group first; returns one past the last byte.
/// The caller provides kMaxVarintBytes of room.
inline std::uint8_t* write_varint(std::uint8_t* out, std::uint64_t value) {
  while (value >= 0x80U) {
    *out++ = static_cast<std::uint8_t>(value | 0x80U);
    value >>= 7U;
  }
  *out++ = static_cast<std::uint8_t>(value);
  return out;
}

inline void append_varint(std::vector<std::uint8_t>& out, std::uint64_t value) {
  std::uint8_t buffer[kMaxVarintBytes];
  out.insert(out.end(), buffer, write_varint(buffer, value));
}

/// Reads varints from bytes in memory; throws Error(bad_data) at a cut or over-long one.
class VarintCursor {
 public:
  VarintCursor() = default;
  VarintCursor(const std::uint8_t* begin, const std::uint8_t* end) : next_(begin), end_(end) {}
  explicit VarintCursor(std::span<const std::uint8_t> bytes)
      : VarintCursor(bytes.data(), bytes.data() + bytes.size()) {}

  bool at_end() const { return next_ == end_; }
  const std::uint8_t* position() const { return next_; }
  std::uint64_t bytes_left() const { return static_cast<std::uint64_t>(end_ - next_); }

  [[gnu::always_inline]] std::uint64_t next() {
    if (next_ != end_ && *next_ < 0x80U) [[likely]] {
      return *next_++;
    }
    return next_long();
  }

  std::int64_t next_signed() { return unzigzag(next()); }

  void skip_bytes(std::uint64_t count) {
    if (count > static_cast<std::uint64_t>(end_ - next_)) [[unlikely]] {
      throw_unplaced("a varint column is shorter than its rows");
    }
    next_ += count;
  }

 private:
  std::uint64_t next_long() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && next_ != end_; shift += 7) {
      const std::uint8_t byte = *next_++;
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80U) {
        return value;
      }
    }
    throw_unplaced("a varint is cut short or too long");
  }

  const std::uint8_t* next_ = nullptr;
  const std::uint8_t* end_ = nullptr;
};

}  // namespace hprof
