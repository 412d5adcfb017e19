#pragma once

#include "tests/bench/heap.h"

#include <cstdint>
#include <vector>

namespace hprof::bench {

/// Which entries of a java.util.HashMap share a bucket, in the order they were put in.
class Buckets {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// Spreads `entries` over a table of HashMap's size for them.
  Buckets(std::uint32_t entries, Random& random);

  std::uint32_t capacity() const { return static_cast<std::uint32_t>(heads_.size()); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(nexts_.size()); }
  std::uint32_t hash(std::uint32_t entry) const { return hashes_[entry]; }
  /// First entry of a bucket, kNone where it is empty.
  std::uint32_t head(std::uint32_t bucket) const { return heads_[bucket]; }
  /// The entry behind this one in its bucket, or kNone.
  std::uint32_t next(std::uint32_t entry) const { return nexts_[entry]; }

 private:
  std::vector<std::uint32_t> hashes_;
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint32_t> nexts_;
};

/// Bytes that write_map_head() takes.
std::uint64_t map_head_bytes(const Heap& heap, const Buckets& buckets);

/// The HashMap and its table; `node_of(entry)` tells where the node of an entry will lie.
template <typename NodeOf>
Address write_map_head(Heap& heap, const Buckets& buckets, NodeOf&& node_of) {
  HeapStream& out = heap.out();
  const Address map = out.take(heap.jdk().hash_map.heap_bytes);
  const Address table = out.take(references_heap_bytes(buckets.capacity()));
  out.instance_at(map, heap.jdk().hash_map);
  out.u8(table);
  out.u8(0);
  out.u4(buckets.size());
  out.u4(buckets.size());
  out.u4(buckets.capacity() / 4 * 3);
  out.u4(0x3f400000);  // 0.75
  out.u8(0);
  out.u8(0);
  out.references_at(table, heap.jdk().nodes_array, buckets.capacity());
  for (std::uint32_t i = 0; i < buckets.capacity(); ++i) {
    out.element(buckets.head(i) == Buckets::kNone ? 0 : node_of(buckets.head(i)));
  }
  return map;
}

/// The node of an entry.
template <typename NodeOf>
void write_map_node(Heap& heap, const Buckets& buckets, std::uint32_t entry, Address key,
                    Address value, NodeOf&& node_of) {
  HeapStream& out = heap.out();
  out.instance(heap.jdk().map_node);
  out.u4(buckets.hash(entry));
  out.u8(key);
  out.u8(value);
  out.u8(buckets.next(entry) == Buckets::kNone ? 0 : node_of(buckets.next(entry)));
}

}  // namespace hprof::bench
