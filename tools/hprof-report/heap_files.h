#pragma once

#include "common/error.h"
#include "common/text.h"
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

/// Unplaced, that the stage files contradict each other or the dump unless `agree`.
void require_consistent(bool agree);

/// Runs `action` on the stage files that `options` name; what it throws Unplaced is said of them.
template <typename Options, typename Action>
ExitCode blaming_stage_files(const Options& options, Action&& action) {
  return placing(concat(printable(options.index), ", ", printable(options.graph), ", ",
                        printable(options.domtree)),
                 "run hprof-index and the stages after it with --force again", action);
}

}  // namespace hprof
