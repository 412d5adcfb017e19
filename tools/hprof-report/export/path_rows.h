#pragma once

#include "formats/export/sqlite_file.h"
#include "tools/hprof-report/heap.h"

namespace hprof {

/// The table `paths`: for every reachable object the one before it on a shortest path from a GC
/// root, NULL for roots themselves; references that do not keep alive only where nothing else
/// leads. Takes the coded references, ten bytes per object and a bit.
void write_paths(const Heap& heap, SqliteFile& file);

}  // namespace hprof
