#pragma once

#include "common/error.h"
#include "common/text.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace hprof {

static_assert(std::endian::native == std::endian::little,
              "the byte readers assume a little-endian machine");

/// Reads a big-endian integer of sizeof(T) bytes at `bytes`, which need not be aligned.
template <typename T>
inline T load_big_endian(const std::uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(value)));
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(value)));
  } else if constexpr (sizeof(T) == 2) {
    return static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(value)));
  } else {
    return value;
  }
}

/// A shrinking view of bytes in memory; every read past the end throws Error(bad_data).
class ByteCursor {
 public:
  explicit ByteCursor(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::size_t remaining() const { return bytes_.size(); }

  template <typename T>
  T big_endian() {
    return load_big_endian<T>(take(sizeof(T)).data());
  }

  std::span<const std::uint8_t> take(std::size_t count) {
    if (count > bytes_.size()) [[unlikely]] {
      throw_unplaced("needs " + format_count(count, "byte", "bytes") + " where " +
                     format_count(bytes_.size(), "is", "are") + " left");
    }
    const auto taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Views bytes as characters.
inline std::string_view as_text(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Views characters as bytes.
inline std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace hprof
