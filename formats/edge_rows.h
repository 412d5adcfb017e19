#pragma once

#include "common/error.h"
#include "common/varint.h"
#include "formats/graph_file.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace hprof {

/// Decodes the references of one object, whose bytes may come in pieces.
class EdgeRowDecoder {
 public:
  EdgeRowDecoder(std::uint32_t self, std::uint64_t objects) : base_(self), objects_(objects) {}

  /// Calls `take(target)` for every reference that ends in `bytes`.
  template <typename Take>
  void add(std::span<const std::uint8_t> bytes, Take&& take) {
    for (const std::uint8_t byte : bytes) {
      coded_ |= static_cast<std::uint64_t>(byte & 0x7fU) << shift_;
      shift_ += 7;
      if (byte < 0x80U) {
        take(target());
        coded_ = 0;
        shift_ = 0;
      } else if (shift_ > 63) [[unlikely]] {
        damaged();
      }
    }
  }

 private:
  [[noreturn]] static void damaged() {
    throw_error(ExitCode::bad_data, "a reference is garbled; run hprof-graph again");
  }

  std::uint32_t target() {
    if (!started_) {
      started_ = true;
      chained_ = (coded_ & 1U) != 0;
      coded_ >>= 1U;
    }
    const auto target =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(base_) + unzigzag(coded_));
    if (target >= objects_) [[unlikely]] {
      damaged();
    }
    if (chained_) {
      base_ = static_cast<std::uint32_t>(target);
    }
    return static_cast<std::uint32_t>(target);
  }

  std::uint32_t base_;
  std::uint64_t objects_;
  std::uint64_t coded_ = 0;
  unsigned shift_ = 0;
  bool started_ = false;
  bool chained_ = false;
};

/// Takes the chunks of references of an X.graph one by one; see for_each_reference().
template <typename Wanted, typename Take>
class EdgeStream {
 public:
  EdgeStream(std::uint64_t objects, Wanted& wanted, Take& take)
      : objects_(objects), wanted_(wanted), take_(take), decoder_(0, objects) {}

  void add(std::span<const std::uint8_t> lengths, std::span<const std::uint8_t> bytes) {
    bytes_ = bytes;
    go_on();
    for (const std::uint8_t length : lengths) {
      if (unfinished_ != 0 || rows_ >= objects_) {
        damaged();
      }
      unfinished_ = length == kEscape ? long_length() : length;
      takes_ = unfinished_ != 0 && wanted_(rows_);
      if (takes_) {
        decoder_ = EdgeRowDecoder(rows_, objects_);
      }
      ++rows_;
      go_on();
    }
    if (!bytes_.empty()) {
      damaged();
    }
  }

  void check_complete() const {
    if (rows_ != objects_ || unfinished_ != 0) {
      damaged();
    }
  }

 private:
  static constexpr std::uint8_t kEscape = 255;

  [[noreturn]] static void damaged() {
    throw_error(ExitCode::bad_data,
                "reference rows and their lengths disagree; run hprof-graph again");
  }

  std::uint64_t long_length() {
    VarintCursor prefix(bytes_);
    const std::uint64_t length = prefix.next();
    bytes_ = bytes_.last(prefix.bytes_left());
    return length;
  }

  /// As much of the row as the chunk has.
  void go_on() {
    const auto here = std::min<std::uint64_t>(unfinished_, bytes_.size());
    if (takes_) {
      decoder_.add(bytes_.first(here), [this](std::uint32_t target) { take_(rows_ - 1, target); });
    }
    bytes_ = bytes_.subspan(here);
    unfinished_ -= here;
  }

  std::uint64_t objects_;
  Wanted& wanted_;
  Take& take_;
  EdgeRowDecoder decoder_;
  std::span<const std::uint8_t> bytes_;
  std::uint64_t unfinished_ = 0;  ///< bytes of the last row that are still to come
  std::uint32_t rows_ = 0;
  bool takes_ = false;
};

/// Streams the references of an X.graph, none of which stays in memory: calls `take(row, target)`
/// for each reference of the objects for which `wanted(row)` says so, in index order.
template <typename Wanted, typename Take>
void for_each_reference(const GraphFile& file, Wanted&& wanted, Take&& take) {
  FrameReader<GraphFile::Frame> reader(file.path(), kGraphFile);
  EdgeStream stream(file.summary().objects, wanted, take);
  reader.for_each([&](GraphFile::Frame::Reader frame) {
    if (frame.which() == GraphFile::Frame::EDGES) {
      stream.add(as_span(frame.getEdges().getLengths()), as_span(frame.getEdges().getBytes()));
    }
  });
  stream.check_complete();
}

}  // namespace hprof
