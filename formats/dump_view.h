#pragma once

#include "common/byte_source.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hprof {

/// Bytes of a dump at any place, cheap as long as places ascend; what lies a few MiB ahead can be
/// looked at without losing what lies here.
class DumpView {
 public:
  /// `source` delivers the dump from its beginning and tolerates damage.
  explicit DumpView(std::unique_ptr<ByteSource> source);

  /// As many bytes as there are, valid until the next call. Later calls mostly ask for bytes behind
  /// `position`.
  std::span<const std::uint8_t> at(std::uint64_t position, std::size_t count);
  /// The same, but later calls go on where at() was last. Far ahead of that nothing can be seen of
  /// a compressed dump once that has cost too much.
  std::span<const std::uint8_t> look(std::uint64_t position, std::size_t count);

  /// Bytes of the file read so far.
  std::uint64_t bytes_read() const { return source_->bytes_read(); }

 private:
  static constexpr std::uint64_t kStepBytes = 1U << 18U;
  static constexpr std::uint64_t kAheadBytes = 4U << 20U;
  static constexpr unsigned kMostFarLooks = 500;

  std::uint64_t end() const { return start_ + bytes_.size(); }
  void read_up_to(std::uint64_t position);
  std::span<const std::uint8_t> in_buffer(std::uint64_t position, std::size_t count) const;

  std::unique_ptr<ByteSource> source_;
  std::uint64_t source_at_ = 0;
  std::uint64_t start_ = 0;  ///< of `bytes_`
  std::vector<std::uint8_t> bytes_;
  std::uint64_t here_ = 0;
  std::vector<std::uint8_t> far_;
  unsigned far_looks_ = 0;
};

}  // namespace hprof
