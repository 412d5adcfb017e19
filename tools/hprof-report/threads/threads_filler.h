#pragma once

#include "formats/report/threads.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/report_options.h"
#include "tools/hprof-report/threads/dominating.h"
#include "tools/hprof-report/threads/stack_table.h"
#include "tools/hprof-report/threads/thread_collector.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Most threads that are listed one by one.
inline constexpr std::size_t kMostThreads = 10'000;

/// Makes the Threads section out of the stage files; what only the dump knows comes from
/// ThreadReader.
class ThreadsFiller {
 public:
  /// Needs dominators and retained sizes.
  ThreadsFiller(const Heap& heap, const ThreadCollector& collector, const DetailCaps& caps);

  /// All but what the locals of each thread retain together.
  Threads fill() const;
  /// Listed threads that dominate one of their locals, ascending.
  std::vector<std::uint32_t> dominating_locals() const;

 private:
  /// A local that counts.
  struct Local {
    std::uint32_t place = 0;  ///< in dominating_
    std::uint32_t frame = 0;
    std::uint8_t kind = 0;
  };
  struct StackSum {
    std::uint32_t stack = 0;
    std::uint64_t threads = 0;
    std::uint64_t virtual_threads = 0;
    std::uint64_t retained = 0;
  };

  static std::vector<HeapObject> ranked(const ThreadCollector& collector);
  std::vector<RootInfo> locals_of_listed() const;
  std::vector<std::uint32_t> objects_of_interest() const;
  void note_stacks();
  std::uint32_t stack_of(const HeapObject& thread) const;
  std::vector<Local> locals_of(std::uint32_t thread) const;
  ObjectRef describe(std::uint32_t place) const;
  ThreadRow row_of(const HeapObject& thread, bool in_detail) const;
  std::uint64_t retained_by(std::uint32_t place) const;
  std::optional<std::uint32_t> largest_place(const std::vector<std::uint32_t>& places) const;
  void fill_locals(ThreadRow& row, const std::vector<Local>& locals, std::uint32_t own) const;
  void keep_largest(std::vector<FrameLocals>& rows) const;
  std::vector<FrameLocals> frames_of(const std::vector<Local>& locals) const;
  std::vector<LocalRow> largest_of(std::uint32_t thread, std::vector<Local> locals) const;
  std::vector<StackSum> sum_stacks() const;
  void list_stacks(Threads& out) const;

  const Heap& heap_;
  const ThreadCollector& collector_;
  const DetailCaps& caps_;
  std::vector<HeapObject> threads_;  ///< by descending retained size, then by address
  StackTable stacks_;
  std::unordered_map<std::uint32_t, std::uint32_t> stack_of_;  ///< by thread object
  std::vector<RootInfo> locals_;                               ///< by thread, frame and kind
  DominatingObjects dominating_;
};

}  // namespace hprof
