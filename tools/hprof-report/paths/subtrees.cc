#include "tools/hprof-report/paths/subtrees.h"

#include "tools/hprof-report/paths/near_children.h"
#include "tools/hprof-report/top_level.h"

#include <algorithm>
#include <unordered_map>

namespace hprof {

Subtrees::Subtrees(const Heap& heap, const std::vector<std::uint32_t>& tops, const TreeCaps& caps) {
  std::uint64_t smallest = heap.used_heap();
  for (const auto top : tops) {
    nodes_.push_back({.object = top, .parent = nodes_.size()});
    smallest = std::min(smallest, heap.retained()[top]);
  }
  if (tops.empty() || caps.nodes <= tops.size()) {
    return;
  }
  const auto least = std::max<std::uint64_t>(1, smallest / caps.nodes);
  const auto children = near_children(heap, tops, caps.depth, least);
  std::size_t first = 0;
  for (std::size_t depth = 0; depth < caps.depth && nodes_.size() < caps.nodes; ++depth) {
    const std::size_t next = nodes_.size();
    add_level(heap, children, caps, first);
    first = next;
  }
}

/// Adds the children of the nodes from `first` on.
void Subtrees::add_level(const Heap& heap, const std::vector<Child>& children, const TreeCaps& caps,
                         std::size_t first) {
  const std::size_t end = nodes_.size();
  std::unordered_multimap<std::uint32_t, std::size_t> places;
  for (std::size_t place = first; place < end; ++place) {
    places.emplace(nodes_[place].object, place);
  }
  LargestObjects level(caps.nodes - end);
  for (const auto& child : children) {
    if (places.contains(child.dominator)) {
      level.add({.index = child.object,
                 .dominator = child.dominator,
                 .retained = heap.retained()[child.object]});
    }
  }
  for (const auto& object : level.sorted()) {
    const auto [begin, last] = places.equal_range(object.dominator);
    for (auto place = begin; place != last && nodes_.size() < caps.nodes; ++place) {
      if (nodes_[place->second].children < caps.children) {
        ++nodes_[place->second].children;
        nodes_.push_back({.object = object.index, .parent = place->second});
      }
    }
  }
}

std::vector<std::uint32_t> Subtrees::objects() const {
  std::vector<std::uint32_t> out;
  out.reserve(nodes_.size());
  for (const auto& node : nodes_) {
    out.push_back(node.object);
  }
  return out;
}

/// Children stand behind their parents, so going backwards every object is complete when it is put
/// into its parent; siblings come in reverse.
DominatedObject Subtrees::tree(std::size_t top, const Heap& heap,
                               const DescribedObjects& described) const {
  std::vector<std::size_t> tops(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    tops[i] = nodes_[i].parent == i ? i : tops[nodes_[i].parent];
  }
  std::vector<std::vector<DominatedObject>> children(nodes_.size());
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (tops[i] != top) {
      continue;
    }
    const auto& object = described.at(nodes_[i].object);
    std::reverse(children[i].begin(), children[i].end());
    DominatedObject out{.address = heap.address(object.index),
                        .label = heap.label(object),
                        .shallow = object.shallow,
                        .retained = object.retained,
                        .children = std::move(children[i])};
    if (i == top) {
      return out;
    }
    children[nodes_[i].parent].push_back(std::move(out));
  }
  return {};
}

}  // namespace hprof
