#pragma once

#include "common/varint.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hprof {

/// Numbers of some objects, in about three bytes each; first all are added in ascending order of
/// the objects, then they are looked up in the same order.
class NotedNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  void add(std::uint32_t object, std::uint32_t number) {
    append_varint(bytes_, object - last_);
    append_varint(bytes_, number);
    last_ = object;
  }

  /// The number of `object`, kNone if it was not added; `object` is not below the one before.
  std::uint32_t of(std::uint32_t object) {
    if (!rest_) {
      rest_.emplace(bytes_);
    }
    while (!(at_valid_ && at_ >= object) && !rest_->at_end()) {
      at_ += static_cast<std::uint32_t>(rest_->next());
      number_ = static_cast<std::uint32_t>(rest_->next());
      at_valid_ = true;
    }
    return at_valid_ && at_ == object ? number_ : kNone;
  }

  void release() { *this = NotedNumbers(); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::uint32_t last_ = 0;
  std::optional<VarintCursor> rest_;
  std::uint32_t at_ = 0;
  std::uint32_t number_ = kNone;
  bool at_valid_ = false;
};

}  // namespace hprof
