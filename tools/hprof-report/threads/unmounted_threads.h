#pragma once

#include "formats/report/threads.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// Sums up the virtual threads that wait off their carriers, and what their stacks take.
class UnmountedThreads {
 public:
  explicit UnmountedThreads(const Heap& heap) : heap_(heap) {}

  /// Takes a thread that is one of them, with its record, and asks for its stack.
  void add(RecordFetcher& fetcher, const ObjectRecord& thread);
  /// To be called when the fetcher has run; dominators and retained sizes are loaded.
  void fill(Threads& out) const;

 private:
  void want_chunk(RecordFetcher& fetcher, ObjectIndex chunk, unsigned parents_left);

  const Heap& heap_;
  std::vector<std::uint32_t> threads_;
  std::uint64_t stack_bytes_ = 0;
};

}  // namespace hprof
