#pragma once

#include "common/steps.h"
#include "formats/domtree_file.h"
#include "formats/graph_file.h"
#include "tools/hprof-domtree/tree_layout.h"

#include <cstdint>
#include <string>

namespace hprof {

/// Adds up sizes along the dominator tree and writes the X.domtree: retained sizes, class totals,
/// dominators. `all_shallow` is the graph file's shallow sum over all its objects; it decides how
/// wide the sums are kept.
FileIdentity write_domtree(const std::string& path, const Provenance& provenance,
                           const GraphFile& file, std::uint64_t all_shallow, TreeLayout layout,
                           Steps& steps);

}  // namespace hprof
