#pragma once

#include "common/steps.h"
#include "tools/hprof-report/dump/dump_source.h"
#include "tools/hprof-report/heap.h"

#include <string>

namespace hprof {

/// What goes into a database beyond what the stage files have.
struct DatabaseChoices {
  DumpSource* dump = nullptr;  ///< nullptr: references have no names
  bool texts = false;          ///< what Strings say; needs the dump
};

/// Writes objects, classes, references, roots, paths and dominators as an SQLite database.
void write_database(Heap& heap, const DatabaseChoices& choices, const std::string& output,
                    Steps& steps);

}  // namespace hprof
