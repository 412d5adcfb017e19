#pragma once

#include "common/varint.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace hprof {

/// Arrays with the number of their slots that are not null, in about five bytes each.
class ArrayLog {
 public:
  struct Row {
    std::uint32_t object = 0;
    std::uint32_t type = 0;
    std::uint64_t length = 0;
    std::uint64_t used = 0;
  };

  void add(const Row& row);

  /// Calls `visit(const Row&)` in the order of the log.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    Row row;
    for (const auto& chunk : chunks_) {
      VarintCursor cursor{std::span<const std::uint8_t>(chunk)};
      while (!cursor.at_end()) {
        row.object = static_cast<std::uint32_t>(row.object + cursor.next_signed());
        row.type = static_cast<std::uint32_t>(cursor.next());
        row.length = cursor.next();
        row.used = row.length - cursor.next();
        visit(static_cast<const Row&>(row));
      }
    }
  }

 private:
  static constexpr std::size_t kChunkBytes = 1U << 16U;

  std::uint32_t last_ = 0;
  std::deque<std::vector<std::uint8_t>> chunks_;
};

/// A collection as it was met.
struct CollectionRecord {
  static constexpr std::uint32_t kUnknown = 0xffffffffU;

  std::uint32_t object = 0;
  std::uint32_t size = kUnknown;    ///< or, until its array is known, what goes into it
  std::uint32_t target = kUnknown;  ///< its array, or the collection behind it
  std::uint16_t plan = 0;
  std::uint16_t row = 0;  ///< the plan that its storage is counted with
};

/// A further array of a collection.
struct MoreStorage {
  std::uint32_t object = 0;
  std::uint32_t array = 0;
};

/// A node of a chain.
struct ChainLink {
  std::uint32_t node = 0;
  std::uint32_t next = CollectionRecord::kUnknown;
  bool counts = false;
};

/// What a survey found of collections, until it is worked out.
struct CollectionLog {
  std::deque<CollectionRecord> collections;
  std::deque<MoreStorage> more_storage;
  std::deque<ChainLink> links;
  ArrayLog arrays;

  /// Sorts by object, where the dump was not.
  void sort();
  /// The collection that an object is; nullptr if it is none. After sort().
  CollectionRecord* find(std::uint32_t object);
  /// Position of the collection that `object` is; collections.size() if it is none. After sort().
  std::size_t number_of(std::uint32_t object) const;
};

}  // namespace hprof
