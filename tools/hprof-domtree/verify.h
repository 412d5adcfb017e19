#pragma once

#include "common/steps.h"
#include "formats/graph_file.h"
#include "tools/hprof-domtree/stage.h"

#include <string>

namespace hprof {

/// Holds a written X.domtree against its graph: the same objects are reachable (R1); every retained
/// size is the object's own plus its children's, and the virtual root's is all that is reachable
/// (R2); reachable and unreachable make up everything, in total and per class (R3, R5); dangling
/// references add up by kind (R6); dominators form a tree, roots are at its top, and no reference
/// leads past a dominator. Error naming what is broken: bad_data where the graph contradicts
/// itself, or the tree was not written by this run (`is_new`), else bug.
void verify_domtree(const GraphFile& file, const TreeOptions& options, const std::string& path,
                    bool is_new, Steps& steps);

}  // namespace hprof
