#pragma once

#include "formats/export/sqlite_file.h"
#include "tools/hprof-report/dump/dump_source.h"
#include "tools/hprof-report/heap.h"

namespace hprof {

/// Characters of a text that are kept.
inline constexpr std::uint64_t kMostTextCharacters = 1U << 16U;

/// The tables `string_arrays` and `texts`: what java.lang.Strings say, by two readings of the dump.
/// Two bits per object.
void write_texts(const Heap& heap, DumpSource& dump, SqliteFile& file, Progress& progress);

}  // namespace hprof
