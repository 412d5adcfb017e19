#pragma once

#include "common/byte_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Looks at any place of a compressed file, cheap as long as they lie within some megabytes of each
/// other; what was inflated last is kept, up to 24 MiB.
class InflatedWindow {
 public:
  explicit InflatedWindow(std::string path) : path_(std::move(path)) {}

  /// As many bytes as there are, at most a mebibyte.
  std::vector<std::uint8_t> bytes_at(std::uint64_t position, std::size_t count);
  /// All bytes; inflates the file to its end once.
  std::uint64_t size();
  /// Whether size() costs nothing.
  bool knows_size() const { return size_.has_value(); }
  /// Whether so much was inflated again and again that it is better to stop.
  bool is_worn() const { return pieces_inflated_ > kMostPieces; }

 private:
  static constexpr std::uint64_t kPieceBytes = 1U << 20U;
  static constexpr std::size_t kPiecesKept = 24;
  static constexpr std::uint64_t kMostPieces = 2048;

  ByteSource& source();
  const std::vector<std::uint8_t>& piece(std::uint64_t number);

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::optional<std::uint64_t> size_;
  std::unordered_map<std::uint64_t, std::vector<std::uint8_t>> pieces_;
  std::vector<std::uint64_t> kept_;  ///< their numbers, in a ring
  std::size_t oldest_ = 0;
  std::uint64_t pieces_inflated_ = 0;  ///< that were not the next one
  std::uint64_t next_ = 0;
};

}  // namespace hprof
