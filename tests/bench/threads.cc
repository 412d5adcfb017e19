// Threads with stacks of 20 frames. Each frame holds a chain of strings and records of its own; now
// and then one references what another thread holds.
#include "tests/bench/heap.h"
#include "tests/bench/profiles.h"

#include <algorithm>

namespace hprof::bench {
namespace {

constexpr std::uint32_t kFrames = 20;
constexpr std::uint64_t kObjectsPerThread = 1000;
constexpr std::uint32_t kRecordsPerFrame = kObjectsPerThread / kFrames / 3;

}  // namespace

void write_threads(const Request& request) {
  Heap heap(request.path, request.seed);
  const Layout record = heap.define({.name = "bench/Request",
                                     .fields = {"next:L", "shared:L", "name:L", "id:J"},
                                     .loader = heap.app_loader()});
  const auto threads =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(request.objects / kObjectsPerThread, 1));
  heap.plan_threads(threads, kFrames);
  heap.begin();
  HeapStream& out = heap.out();
  Address shared = 0;
  for (std::uint32_t number = 1; number <= threads; ++number) {
    heap.thread(number);
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
      Address last = 0;
      for (std::uint32_t i = 0; i < kRecordsPerFrame; ++i) {
        const Address name = heap.string(static_cast<std::uint32_t>(heap.random().between(8, 40)));
        const Address next = last;
        last = out.instance(record);
        out.u8(next);
        out.u8(heap.random().chance(1, 10) ? shared : 0);
        out.u8(name);
        out.u8(heap.random().next());
      }
      heap.local(number, frame, last);
      shared = heap.random().chance(1, 100) ? last : shared;
    }
  }
  heap.finish({});
}

}  // namespace hprof::bench
