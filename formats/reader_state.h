#pragma once

#include <cstdint>

namespace hprof {

/// What a reader knows of the dumps in a file from the records before a place.
struct ReaderState {
  std::uint32_t dumps = 0;
  bool segments_open = false;  ///< segments that follow go on with the last dump
  bool behind_heap = false;    ///< the last record is one of the heap's
  bool ended = false;          ///< a record that ends a dump stands behind the last of these
};

/// The heap record that was read last, whole as it seemed.
struct LastHeapRecord {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint8_t tag = 0;
  bool was_read = true;  ///< not only passed over, for being another dump's
  ReaderState before;
};

}  // namespace hprof
