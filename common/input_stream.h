#pragma once

#include "common/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hprof {

/// A ByteSource behind a large buffer, with a 64-bit position and cheap small reads.
class BufferedInput {
 public:
  static constexpr std::size_t kBufferBytes = 1U << 20U;

  explicit BufferedInput(std::unique_ptr<ByteSource> source,
                         std::size_t buffer_bytes = kBufferBytes);

  /// Bytes consumed so far (of the inflated stream).
  std::uint64_t position() const { return buffer_start_ + at_; }

  /// A pointer to the next `count` bytes if that many are left, else nullptr. The buffer grows to
  /// hold them, but only as far as bytes are really there.
  const std::uint8_t* peek(std::size_t count) {
    if (end_ - at_ >= count) [[likely]] {
      return buffer_.data() + at_;
    }
    return refill(count);
  }

  /// Consumes bytes that peek() has shown.
  void advance(std::size_t count) { at_ += count; }

  /// Bytes in the buffer at the current position, to work on without further checks.
  std::span<const std::uint8_t> buffered() const { return {buffer_.data() + at_, end_ - at_}; }

  /// Passes over `count` bytes; returns how many there were.
  std::uint64_t skip(std::uint64_t count);

  bool at_end() { return peek(1) == nullptr; }
  /// Goes on at `position` of the inflated stream, before or behind the present one, or at the end
  /// if it is beyond that.
  void go_to(std::uint64_t position);
  /// Has the bytes seem to end where packing is damaged, until pass_gap() or go_to() behind that.
  void stop_at_gaps(bool stops);
  bool pass_gap() { return source_->pass_gap(); }
  const ByteSource& source() const { return *source_; }
  ByteSource& source() { return *source_; }

 private:
  const std::uint8_t* refill(std::size_t count);

  std::unique_ptr<ByteSource> source_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t buffer_start_ = 0;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

}  // namespace hprof
