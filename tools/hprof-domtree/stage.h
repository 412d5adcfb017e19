#pragma once

#include "common/steps.h"
#include "formats/graph_file.h"

#include <string>
#include <vector>

namespace hprof {

enum class Algorithm { semi_nca, chk };

/// What decides the contents of an X.domtree besides the graph.
struct TreeOptions {
  Algorithm algorithm = Algorithm::semi_nca;
  bool skip_excluded =
      false;  ///< leave the references marked as excluded out: what is held strongly
};

/// The options as the file's header has them.
std::vector<std::string> result_options(const TreeOptions& options);

/// Loads the graph, finds the dominators and writes the tree to `path`.
void build_domtree(const GraphFile& file, const Provenance& provenance, const TreeOptions& options,
                   const std::string& path, Steps& steps);

}  // namespace hprof
