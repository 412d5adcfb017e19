#pragma once

#include "common/varint.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hprof {

/// The instances of java.lang.ref.Reference's subclasses with their types, ascending, in about
/// three bytes each; first all are added, then they are looked up in ascending order.
class NotedReferences {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  void add(std::uint32_t object, std::uint32_t type) {
    append_varint(bytes_, object - last_);
    append_varint(bytes_, type);
    last_ = object;
  }

  /// The type of `object`, kNone if it was not added; `object` is not below the one before.
  std::uint32_t type_of(std::uint32_t object) {
    if (!rest_) {
      rest_.emplace(bytes_);
    }
    while (!(at_valid_ && at_ >= object) && !rest_->at_end()) {
      at_ += static_cast<std::uint32_t>(rest_->next());
      type_ = static_cast<std::uint32_t>(rest_->next());
      at_valid_ = true;
    }
    return at_valid_ && at_ == object ? type_ : kNone;
  }

  void release() { *this = NotedReferences(); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::uint32_t last_ = 0;
  std::optional<VarintCursor> rest_;
  std::uint32_t at_ = 0;
  std::uint32_t type_ = kNone;
  bool at_valid_ = false;
};

}  // namespace hprof
