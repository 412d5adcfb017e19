#pragma once

#include "common/bit_vector.h"
#include "tools/hprof-domtree/paged_log.h"

#include <cstdint>

namespace hprof {

/// The parents of a depth-first tree in about three bits per node: most nodes are the child of the
/// node numbered just before them (one bit), the others have their distance as a varint.
class ParentLog {
 public:
  /// For numbers 1..max_number.
  explicit ParentLog(std::uint64_t max_number) : distant_(max_number + 1) {}

  /// Parents are appended for 1, 2, 3, …
  void append(std::uint32_t number, std::uint32_t parent) {
    if (number - parent != 1) {
      distant_.set(number);
      log_.commit(write_varint(log_.reserve(), number - parent));
    }
  }

  std::uint64_t bytes() const { return distant_.size() / 8 + log_.bytes(); }

  /// Delivers the parents of 1, 2, 3, …
  class Reader {
   public:
    explicit Reader(const ParentLog& parents) : parents_(&parents), distances_(parents.log_) {}

    std::uint32_t next() {
      ++number_;
      if (!parents_->distant_.test(number_)) {
        return number_ - 1;
      }
      distances_.more();
      return number_ - static_cast<std::uint32_t>(distances_.next());
    }

   private:
    const ParentLog* parents_;
    PagedLog::Reader distances_;
    std::uint32_t number_ = 0;
  };

 private:
  BitVector distant_;
  PagedLog log_;
};

}  // namespace hprof
