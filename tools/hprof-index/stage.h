#pragma once

#include "common/input_stream.h"
#include "common/steps.h"
#include "formats/dump_damage.h"
#include "formats/heap_index.h"
#include "formats/hprof_header.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// What to do with a damaged dump: use what is whole and warn, or fail.
enum class Strictness { lenient, strict };

/// Which roots count: all, or those without VM-internal and interned-string ones, which on Android
/// make nearly every object of the zygote a root.
enum class RootPolicy { all, strict };

/// Which dump is read, with what is known before it is.
struct DumpToRead {
  std::string path;
  HprofHeader header;
  std::uint32_t number = 1;     ///< of the heaps in it
  std::vector<DumpPart> parts;  ///< files that are read as one; none for a dump in one file
  RootPolicy roots = RootPolicy::all;
};

/// Reads one heap of a dump and resolves what it tells. `input` stands behind the header.
/// Error(bad_data) when the dump holds no heap, or is damaged and that is not to be, Error(usage)
/// when it has no heap of that number.
HeapIndex build_index(const DumpToRead& dump, BufferedInput& input, Strictness strictness,
                      Steps& steps);

/// The counters of a run, with the records of each class.
void count_index(const HeapIndex& index, Stats& stats);

}  // namespace hprof
