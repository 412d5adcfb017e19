#pragma once

#include "common/big_array.h"
#include "common/bring_near.h"
#include "tools/hprof-domtree/parent_log.h"
#include "tools/hprof-domtree/ranked_bits.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hprof {

/// The forest of the nodes done so far: every node links to an ancestor, past none but nodes that
/// are done and, unless the node is a target itself, past no target. A target's label is the least
/// semidominator among itself and the targets that its link skips.
class LinkForest {
 public:
  LinkForest(const ParentLog& parents, const RankedBits& targets, std::uint32_t nodes)
      : targets_(targets), links_(nodes + std::uint64_t{1}), labels_(targets.count()) {
    ParentLog::Reader reader(parents);
    links_[0] = 0;
    for (std::uint32_t node = 1; node <= nodes; ++node) {
      links_[node] = reader.next();
    }
  }

  /// The parent of a node that is not done yet.
  std::uint32_t parent(std::uint32_t node) const { return links_[node]; }

  void finish_target(std::uint32_t target, std::uint32_t semidominator) {
    labels_[targets_.rank(target)] = semidominator;
  }

  /// The least semidominator among `node` and its ancestors above `floor`, or what decides no less:
  /// their nearest common ancestor with `floor`. All nodes above `floor` are done.
  std::uint32_t least(std::uint32_t node, std::uint32_t floor) {
    const std::uint32_t link = links_[node];
    if (link > floor) {
      return compress(node, floor);
    }
    return targets_.test(node) ? std::min(link, labels_[targets_.rank(node)]) : link;
  }

  std::uint64_t compressed() const { return compressed_; }

  /// Asks for what look-ups of the node begin with to be brought near.
  void prefetch(std::uint32_t node) const {
    bring_near(&links_[node]);
    targets_.prefetch(node);
  }

  /// The same for its label; returns its link. Both are at hand some time after prefetch().
  std::uint32_t prefetch_label(std::uint32_t node) const {
    if (targets_.test(node)) {
      bring_near(&labels_[targets_.rank(node)]);
    }
    return links_[node];
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  // Walks up turning the links round, then back down along them: no stack however long the path.
  std::uint32_t compress(std::uint32_t node, std::uint32_t floor) {
    std::uint32_t below = kNone;
    while (links_[node] > floor) {
      const std::uint32_t above = links_[node];
      links_[node] = below;
      below = node;
      node = above;
    }
    const std::uint32_t top = links_[node];
    std::uint32_t least = kNone;
    std::uint32_t nearest_target = top;
    if (targets_.test(node)) {
      least = labels_[targets_.rank(node)];
      nearest_target = node;
    }
    while (below != kNone) {
      node = below;
      below = links_[node];
      if (targets_.test(node)) {
        auto& label = labels_[targets_.rank(node)];
        label = least = std::min(least, label);
        links_[node] = top;
        nearest_target = node;
      } else {
        links_[node] = nearest_target;
      }
      ++compressed_;
    }
    return std::min(least, top);
  }

  const RankedBits& targets_;
  BigArray<std::uint32_t> links_;
  BigArray<std::uint32_t> labels_;  // per target
  std::uint64_t compressed_ = 0;
};

/// Walks ahead along paths that least() will take, one step of each at a time, so that what they
/// lead through is brought near for all of them at once. Changes nothing.
class PathsAhead {
 public:
  /// How many calls of walk() a path has to be walked to its end.
  static constexpr std::size_t kDistance = 12;

  explicit PathsAhead(const LinkForest& forest) : forest_(forest) {}

  /// One step of each path, down to `floor`; and the first one of that from `node`.
  void walk(std::uint32_t node, std::uint32_t floor) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < open_; ++i) {
      const std::uint32_t above = forest_.prefetch_label(nodes_[i]);
      if (above > floor) {
        forest_.prefetch(above);
        nodes_[left++] = above;
      }
    }
    open_ = left;
    if (node > floor && open_ < kDistance) {
      forest_.prefetch(node);
      nodes_[open_++] = node;
    }
  }

 private:
  const LinkForest& forest_;
  std::array<std::uint32_t, kDistance> nodes_ = {};
  std::size_t open_ = 0;
};

}  // namespace hprof
