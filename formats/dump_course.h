#pragma once

#include <cstdint>

namespace hprof {

/// To which dump of its file a heap record belongs.
enum class BelongsTo : std::uint8_t {
  as_it_looks,  ///< a HEAP_DUMP is a dump, segments up to their end are one
  last_dump,    ///< it goes on with the dump before it, although it looks like another's begin
  new_dump,     ///< another dump begins with it, although it looks like going on
};

/// Which dump of its file the next heap record belongs to, by the records before it. A value, so
/// that a reader that goes back in the file can go back in this too.
struct DumpCourse {
  std::uint32_t dumps = 0;
  bool segments_open = false;  ///< segments that follow go on with the last dump
  bool behind_heap = false;    ///< the last record is one of the heap's
  bool ended = false;          ///< a record that ends a dump stands behind the last of these

  /// A heap record is opened; whether it is another dump's than the one before it.
  bool open_heap(std::uint8_t tag, BelongsTo dump);
  /// Heap records without a header are; `adjoins`: they begin where the record before them ends.
  bool open_headless(bool adjoins);
  /// A record of another kind is.
  void open_plain(std::uint8_t tag);
  /// The record was whole. Only whoever asks for `ended` needs to say so.
  void close(std::uint8_t tag);
};

}  // namespace hprof
