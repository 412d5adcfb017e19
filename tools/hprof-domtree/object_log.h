#pragma once

#include "common/varint.h"
#include "tools/hprof-domtree/paged_log.h"

#include <cstdint>

namespace hprof {

/// A long sequence of objects in a byte or two each, where neighbours in it lie close in the heap.
class ObjectLog {
 public:
  void append(std::uint32_t object) {
    const auto delta = static_cast<std::int64_t>(object) - static_cast<std::int64_t>(last_);
    log_.commit(write_varint(log_.reserve(), zigzag(delta)));
    last_ = object;
  }

  std::uint64_t bytes() const { return log_.bytes(); }

  /// Delivers the objects in the order in which they were appended.
  class Reader {
   public:
    explicit Reader(const ObjectLog& objects) : deltas_(objects.log_) {}

    /// Whether another object follows; not needed where that is known.
    bool more() { return deltas_.more(); }

    /// The next object; there must be one.
    std::uint32_t next() {
      deltas_.more();
      object_ = static_cast<std::uint32_t>(object_ + deltas_.next_signed());
      return object_;
    }

   private:
    PagedLog::Reader deltas_;
    std::uint32_t object_ = 0;
  };

 private:
  PagedLog log_;
  std::uint32_t last_ = 0;
};

}  // namespace hprof
