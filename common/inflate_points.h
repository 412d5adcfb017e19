#pragma once

#include <cstdint>
#include <vector>

namespace hprof {

/// A place in a gzip file from which it can be inflated on.
struct InflatePoint {
  std::uint64_t delivered = 0;       ///< inflated bytes before it
  std::uint64_t file_position = 0;   ///< of the first whole byte
  unsigned bits = 0;                 ///< of the byte before that belong to what follows
  bool in_member = false;            ///< between blocks of one; else a member begins
  std::uint64_t member_start = 0;    ///< where that begins in the file
  std::uint64_t member_bytes = 0;    ///< inflated bytes of it
  std::uint32_t checksum = 0;        ///< of these
  std::vector<std::uint8_t> window;  ///< what the blocks behind may refer to
};

/// Points that lie about evenly in the inflated bytes: a megabyte apart, more where they would
/// become too many.
class InflatePoints {
 public:
  static constexpr std::size_t kMost = 128;

  bool is_due(std::uint64_t delivered) const {
    return delivered >= (points_.empty() ? 0 : points_.back().delivered) + distance_;
  }
  /// Behind all others.
  void add(InflatePoint point);
  /// The last one that is not behind `position`; nullptr where there is none.
  const InflatePoint* before(std::uint64_t position) const;

 private:
  std::uint64_t distance_ = 1U << 20U;
  std::vector<InflatePoint> points_;
};

}  // namespace hprof
