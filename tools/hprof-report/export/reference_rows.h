#pragma once

#include "formats/export/sqlite_file.h"
#include "tools/hprof-report/dump/dump_source.h"
#include "tools/hprof-report/export/field_rows.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>

namespace hprof {

/// The table `refs` from X.graph alone: without fields, positions counted without nulls. Returns
/// the number of rows.
std::uint64_t write_references(const Heap& heap, SqliteFile& file);

/// The same from the dump: positions are those of the record, fields are known.
std::uint64_t write_named_references(const Heap& heap, DumpSource& dump, const FieldRows& fields,
                                     SqliteFile& file, Progress& progress);

}  // namespace hprof
