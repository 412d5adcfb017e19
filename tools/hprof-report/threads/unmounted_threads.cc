// A virtual thread that waits has its frames in StackChunks, objects that are as long as the stack
// needs. A dump has only their few fields: what lies on the stack is told by roots since JDK 22 and
// not at all before, and how long the chunk is by its field alone.
#include "tools/hprof-report/threads/unmounted_threads.h"

#include "tools/hprof-report/threads/dominating.h"

#include <utility>

namespace hprof {
namespace {

constexpr std::uint64_t kWord = 8;     // virtual threads are a matter of 64 bits
constexpr unsigned kMostParents = 64;  // of a chunk; in practice one or two

}  // namespace

void UnmountedThreads::add(RecordFetcher& fetcher, const ObjectRecord& thread) {
  threads_.push_back(thread.object());
  fetcher.want(thread.reference("cont"), [this, &fetcher](const ObjectRecord& continuation) {
    want_chunk(fetcher, continuation.reference("tail"), kMostParents);
  });
}

void UnmountedThreads::want_chunk(RecordFetcher& fetcher, ObjectIndex chunk,
                                  unsigned parents_left) {
  fetcher.want(chunk, [this, &fetcher, parents_left](const ObjectRecord& record) {
    if (const auto words = record.number("size"); words && *words > 0) {
      stack_bytes_ += static_cast<std::uint64_t>(*words) * kWord;
    }
    if (parents_left != 0) {
      want_chunk(fetcher, record.reference("parent"), parents_left - 1);
    }
  });
}

void UnmountedThreads::fill(Threads& out) const {
  if (threads_.empty()) {
    return;
  }
  const DominatingObjects dominating(heap_.dominators(), threads_);
  std::vector<std::uint32_t> places;
  for (const auto thread : threads_) {
    places.push_back(dominating.place_of(thread));
  }
  out.unmounted =
      UnmountedSums{.threads = threads_.size(),
                    .retained = dominating.retained(std::move(places), heap_.retained()),
                    .stack_bytes = stack_bytes_};
}

}  // namespace hprof
