#pragma once

#include "formats/export/stack_tree.h"

namespace hprof {

/// The same nodes in the order of a walk: each before its children, these by descending size, then
/// by name. Takes nodes of which parents stand before children.
std::vector<StackTree::Node> in_order(const std::vector<StackTree::Node>& nodes,
                                      const std::vector<std::string>& frames);

/// Leaves out the frames that no node has.
void drop_unused_frames(StackTree& tree);

}  // namespace hprof
