#pragma once

#include <cstdint>
#include <string>

namespace hprof {

/// What a sample of a dump tells of the whole: its counts, multiplied unless it is all of the dump.
struct DumpSketch {
  std::uint64_t file_bytes = 0;
  std::uint64_t dump_bytes = 0;    ///< inflated
  std::uint64_t sample_bytes = 0;  ///< of objects that were looked at
  std::uint64_t places = 0;        ///< from which they came
  std::uint64_t objects = 0;
  std::uint64_t references = 0;    ///< fields and elements that are not null
  std::uint64_t bitmap_bytes = 0;  ///< of the objects' addresses, a bit per 8 bytes of heap
  std::uint64_t classes = 0;
  std::uint64_t frames = 0;      ///< of the threads' stacks
  std::uint64_t name_bytes = 0;  ///< of all names
  bool address_order = true;     ///< whether the objects lie in the file as they lie in the heap
  bool compressed = false;
  bool whole = true;        ///< whether everything was looked at
  std::string damage = {};  ///< what was found first, "" for nothing
};

}  // namespace hprof
