// The nodes with a skip form a tree of their own, each below the next one up; their skips are those
// of a skew-binary list in that tree.
#include "tools/hprof-domtree/dominator_climb.h"

namespace hprof {

void DominatorClimb::build_skips(std::uint32_t next_node) {
  const std::uint64_t groups = (idom_.size() + kGroup - 1) / kGroup;
  skip_ = BigArray<std::uint32_t>(groups);
  length_ = BigArray<std::uint8_t>(groups);
  skip_[0] = 0;
  length_[0] = 0;
  for (std::uint32_t node = 1; node < next_node; ++node) {
    if (has_skip(node)) {
      add_skip(node);
    }
  }
}

// Two neighbouring skips of equal length are joined into one of twice that length and one.
void DominatorClimb::add_skip(std::uint32_t node) {
  std::uint32_t above = idom_[node];
  while (!has_skip(above)) {
    above = idom_[above];
    ++steps_;
  }
  const std::uint32_t skip = skip_[above / kGroup];
  const std::uint8_t length = length_[above / kGroup];
  const bool joined = length != 0 && length == length_[skip / kGroup];
  skip_[node / kGroup] = joined ? skip_[skip / kGroup] : above;
  length_[node / kGroup] = joined ? static_cast<std::uint8_t>(length + 1) : std::uint8_t{1};
}

std::uint32_t DominatorClimb::skip_to(std::uint32_t from, std::uint32_t limit) {
  while (from > limit) {
    const bool leap = has_skip(from) && skip_[from / kGroup] > limit;
    from = leap ? skip_[from / kGroup] : idom_[from];
    ++steps_;
  }
  return from;
}

}  // namespace hprof
