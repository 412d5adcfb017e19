#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hprof {

/// A place in delivered bytes where packed ones could not be inflated, or are in doubt.
struct PackingGap {
  std::uint64_t position = 0;  ///< of the first byte behind it
  bool lost = true;            ///< bytes may be missing there
  std::string what;            ///< and where in the file
};

/// Bytes of an input, front to back, whatever they are packed in.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` as far as bytes are left; 0 only at the end.
  virtual std::size_t read(std::span<std::uint8_t> out) = 0;
  /// Passes over up to `count` bytes without delivering them; returns how many there were.
  virtual std::uint64_t skip(std::uint64_t count) = 0;
  /// Goes on at this byte of the delivered bytes, or at their end if there are fewer, and says
  /// where that is; going back in a compressed file inflates it anew.
  virtual std::uint64_t go_to(std::uint64_t position) = 0;
  /// Says that places behind will be gone to often: from now on notes are taken on the way (up to
  /// 4 MiB) that let go_to() begin near them.
  virtual void expect_returns() {}
  /// From now on packing that is damaged is passed over instead of failing, or ends the bytes where
  /// they cannot be unpacked any further.
  virtual void tolerate_damage() {}
  /// Where packing was passed over so far.
  virtual std::vector<PackingGap> gaps() const { return {}; }
  /// Whether the bytes are to seem to end where some may be missing, until pass_gap() or go_to().
  virtual void stop_at_gaps(bool /*stops*/) {}
  /// Goes on behind such an end; false where it is the real one.
  virtual bool pass_gap() { return false; }
  /// What ended the bytes early; "" if nothing did.
  virtual std::string damage() const { return {}; }
  /// Bytes behind the packed ones that are not packed and were ignored; known at the end.
  virtual std::uint64_t ignored_bytes() const { return 0; }
  /// Bytes read from the file so far (compressed ones for gzip).
  virtual std::uint64_t bytes_read() const = 0;
  /// Whether the bytes are inflated on the way, so that their number is not known beforehand.
  virtual bool is_compressed() const = 0;
  /// Share of the file behind us, in bytes of the file; for progress.
  virtual std::uint64_t file_position() const = 0;
};

}  // namespace hprof
