#pragma once

#include "formats/heap_index.h"
#include "formats/provenance.h"

#include <string>

namespace hprof {

/// Writes an X.index; returns its identity.
FileIdentity write_index(const std::string& path, const Provenance& provenance,
                         const HeapIndex& index);

/// An X.index in memory.
struct IndexFile {
  Provenance provenance;
  FileIdentity identity;
  HeapIndex index;
};

/// Reads and checks an X.index; every row number in it is in range afterwards. Error(bad_data,
/// limit, stale).
IndexFile read_index(const std::string& path);

}  // namespace hprof
