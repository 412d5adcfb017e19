#pragma once

#include "formats/report/threads.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/threads/unmounted_threads.h"

#include <cstdint>
#include <map>
#include <string>

namespace hprof {

/// Reads what thread objects say of themselves: name, state, class loader and so on, in the layouts
/// of JDK 5 to 25, Android and OpenJ9.
class ThreadReader {
 public:
  explicit ThreadReader(const Heap& heap);

  /// Asks for the records of the threads that `out` lists. What they say is filled in while the
  /// fetcher runs; both must outlive that.
  void want(RecordFetcher& fetcher, Threads& out);
  /// To be called when the fetcher has run: what takes all threads together.
  void finish(Threads& out) const { unmounted_.fill(out); }

 private:
  void want_thread(RecordFetcher& fetcher, Threads& out, ThreadRow& row);
  void take_thread(RecordFetcher& fetcher, Threads& out, ThreadRow& row,
                   const ObjectRecord& thread);
  void take_virtual(RecordFetcher& fetcher, Threads& out, ThreadRow& row,
                    const ObjectRecord& thread);
  void want_name(RecordFetcher& fetcher, ThreadRow& row, ObjectIndex name);

  const Heap& heap_;
  UnmountedThreads unmounted_;
  std::map<std::int64_t, std::string> virtual_states_;  ///< names of the JDK's own constants
};

/// java.lang.Thread.State of JVMTI's thread state bits.
std::string platform_state(std::uint64_t bits);
/// The finer bits in words, e.g. "parked"; empty when there are none.
std::string state_detail(std::uint64_t bits);

}  // namespace hprof
