#include "tools/hprof-domtree/dominator_climb.h"

namespace hprof {

void DominatorClimb::build_skips(std::uint32_t next_node) {
  skip_ = BigArray<std::uint32_t>(idom_.size());
  depth_ = BigArray<std::uint32_t>(idom_.size());
  skip_[0] = 0;
  depth_[0] = 0;
  for (std::uint32_t node = 1; node < next_node; ++node) {
    add_skip(node);
  }
}

// Two neighbouring skips of equal length are joined into one of twice that length and one.
void DominatorClimb::add_skip(std::uint32_t node) {
  const std::uint32_t dominator = idom_[node];
  const std::uint32_t skip = skip_[dominator];
  depth_[node] = depth_[dominator] + 1;
  const bool joined = depth_[dominator] - depth_[skip] == depth_[skip] - depth_[skip_[skip]];
  skip_[node] = joined ? skip_[skip] : dominator;
}

std::uint32_t DominatorClimb::skip_to(std::uint32_t from, std::uint32_t limit) {
  while (from > limit) {
    from = skip_[from] > limit ? skip_[from] : idom_[from];
    ++steps_;
  }
  return from;
}

}  // namespace hprof
