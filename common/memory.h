#pragma once

#include <cstdint>
#include <new>

namespace hprof {

/// An allocation that the system refused. Operator new throws it (so do the standard containers),
/// and so does whatever else allocates here; run_tool() ends with status 71 and its sentence.
class OutOfMemory : public std::bad_alloc {
 public:
  /// `requested` bytes were asked for.
  explicit OutOfMemory(std::uint64_t requested) noexcept;
  /// How much was asked for, and how much that makes in all; composed without any allocation.
  const char* what() const noexcept override { return text_; }

 private:
  char text_[200];
};

/// Address space of this process in bytes, found without an allocation; 0 where the system does not
/// tell.
std::uint64_t address_space_bytes() noexcept;

}  // namespace hprof
