#pragma once

#include "common/u64_map.h"
#include "formats/heap_index.h"
#include "formats/report/threads.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace hprof {

/// The stacks that threads have, equal ones as one: every thread has frame and trace records of its
/// own in the dump.
class StackTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  explicit StackTable(const HeapIndex& index);

  /// Number of the thread's stack; kNone where the dump has no frame of it.
  std::uint32_t stack_of(const ThreadInfo& thread);
  std::size_t size() const { return stacks_.size(); }
  std::uint64_t depth(std::uint32_t stack) const { return stacks_[stack].size(); }
  /// The uppermost frames.
  std::vector<StackFrameRow> frames(std::uint32_t stack, std::size_t most) const;
  /// Whether the stack's top is the constructor of OutOfMemoryError, which the JVM puts there when
  /// it dumps the heap because of that error.
  bool is_out_of_memory(std::uint32_t stack) const;

 private:
  using Words = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view,
                           std::int32_t>;

  std::uint32_t frame_with(std::uint64_t id);

  const HeapIndex& index_;
  U64Map trace_rows_;  ///< by serial
  U64Map frame_rows_;  ///< by id
  std::map<Words, std::uint32_t> distinct_frames_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> distinct_stacks_;
  std::vector<std::vector<std::uint32_t>> stacks_;  ///< rows of frames
};

}  // namespace hprof
