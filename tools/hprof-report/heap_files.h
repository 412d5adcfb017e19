#pragma once

#include "formats/domtree_file.h"
#include "formats/graph_file.h"
#include "formats/index_file.h"

#include <string>

namespace hprof {

/// The stage files of one dump, opened and held against each other.
struct HeapFiles {
  HeapIndex index;
  Provenance provenance;  ///< of the index
  GraphFile graph;
  DomtreeFile domtree;

  /// Error(stale) naming the stage to run again when the files do not belong together.
  static HeapFiles open(const std::string& index_path, const std::string& graph_path,
                        const std::string& domtree_path);
};

/// Error(stale) unless the file at `dump_path` is the dump that the stage files were made from.
void require_same_dump(const HeapFiles& files, const std::string& dump_path);

}  // namespace hprof
