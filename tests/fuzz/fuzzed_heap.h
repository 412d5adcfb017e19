#pragma once

#include "tests/support/hprof_builder.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hprof::test {

/// Reads an input as a row of decisions; zeros when it is used up.
class Decisions {
 public:
  explicit Decisions(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::uint8_t byte() { return at_end() ? 0 : bytes_[at_++]; }
  std::uint32_t below(std::uint32_t limit) {
    const std::uint32_t high = byte();
    return (high << 8U | byte()) % limit;
  }
  /// What is left.
  std::span<const std::uint8_t> rest() const { return bytes_.subspan(at_); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// A small heap of classes, objects, arrays, strings, references, roots and threads as the
/// decisions say, so that a change of one byte is a change of the heap.
Bytes fuzzed_heap(Decisions& decisions);

/// Overwrites bytes, cuts and repeats stretches as the decisions say; few enough that most of the
/// content stays.
void damage(Bytes& bytes, Decisions& decisions);

}  // namespace hprof::test
