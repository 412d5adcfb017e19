#include "tests/bench/hash_maps.h"

namespace hprof::bench {

Buckets::Buckets(std::uint32_t entries, Random& random) {
  std::uint32_t capacity = 16;
  while (std::uint64_t{capacity} * 3 / 4 < entries) {
    capacity *= 2;
  }
  heads_.assign(capacity, kNone);
  nexts_.assign(entries, kNone);
  hashes_.resize(entries);
  std::vector<std::uint32_t> tails(capacity, kNone);
  for (std::uint32_t i = 0; i < entries; ++i) {
    hashes_[i] = random.next32();
    const std::uint32_t bucket = hashes_[i] & (capacity - 1);
    (tails[bucket] == kNone ? heads_[bucket] : nexts_[tails[bucket]]) = i;
    tails[bucket] = i;
  }
}

std::uint64_t map_head_bytes(const Heap& heap, const Buckets& buckets) {
  return heap.jdk().hash_map.heap_bytes + references_heap_bytes(buckets.capacity());
}

}  // namespace hprof::bench
