#pragma once

#include "common/big_array.h"
#include "common/bring_near.h"
#include "tools/hprof-domtree/paged_log.h"
#include "tools/hprof-domtree/ranked_bits.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hprof {

/// The edges outside the depth-first tree, by preorder numbers: appended in the order of the
/// search, read back grouped by target, the highest target first. Kept as varints in one log per
/// 2^13 targets, a byte or two for most.
class CrossEdges {
 public:
  /// A node whose edges are added.
  struct Source {
    std::uint32_t number;
    std::uint32_t parent;  ///< in the tree; the node itself where that is not at hand
    bool join;             ///< false: no other edge leads to it than the one from its parent
  };

  /// For targets 1..max_number.
  explicit CrossEdges(std::uint64_t max_number);

  /// Adds an edge between numbered nodes, source ≠ target. Of several edges to one target from a
  /// node, its parent and its siblings only those that can lower the target's semidominator are
  /// kept (see cross_edges.cc). Edges from close above, which are coded best in their order, do not
  /// wait for another.
  void append(const Source& source, std::uint32_t target) {
    if (!source.join && source.parent == target) {
      return;
    }
    if (source.number - target < kVeryNear) {
      write({.source = source.number, .target = target});
      return;
    }
    auto& slot = recent_[(target * kHashFactor) >> (32U - kRecentBits)];
    if (slot.edge.target != target) {
      write_out(slot);
    } else if (slot.edge.source == source.parent || slot.edge.source == source.number) {
      if (source.number < target) {
        return;
      }
    } else if (!source.join && slot.parent == source.parent && source.number > target &&
               slot.edge.source > target) {
      return;
    } else {
      write_out(slot);
    }
    targets_.prefetch(target);
    bring_near(&buckets_[target >> kBucketBits]);
    slot = {.edge = {.source = source.number, .target = target}, .parent = source.parent};
  }

  /// Ends the writing.
  void finish();

  std::uint64_t edges() const { return edges_; }
  /// The numbers with an edge to them; after finish().
  const RankedBits& targets() const { return targets_; }
  std::uint64_t bytes() const;

  /// Sources of the edges to each target, for targets in descending order; gives the log's memory
  /// back on the way.
  class Reader {
   public:
    explicit Reader(CrossEdges& edges) : edges_(&edges), bucket_(edges.buckets_.size()) {}

    /// Sources of the edges to `target`, which must be below every target asked for before.
    std::span<const std::uint32_t> sources(std::uint32_t target) {
      if (target >> kBucketBits != bucket_) {
        load(target >> kBucketBits);
      }
      const auto place = place_of(target);
      return sources_.span().subspan(starts_[place], starts_[place + 1] - starts_[place]);
    }

    /// The source that comes `distance` after the given element of sources(), 0 where it is not at
    /// hand.
    std::uint32_t later(const std::uint32_t& source, std::size_t distance) const {
      const std::size_t place = static_cast<std::size_t>(&source - sources_.data()) + distance;
      return place < starts_.back() ? sources_[place] : 0;
    }

   private:
    /// Descending, so that sources lie in the order in which they are asked for.
    static std::uint32_t place_of(std::uint32_t target) { return ~target & kBucketMask; }

    void load(std::uint64_t bucket);

    CrossEdges* edges_;
    std::uint64_t bucket_;
    std::vector<std::uint64_t> starts_;
    BigArray<std::uint32_t> sources_;
  };

 private:
  static constexpr unsigned kBucketBits = 13;
  static constexpr std::uint32_t kBucketMask = (1U << kBucketBits) - 1;
  static constexpr unsigned kRecentBits = 8;
  static constexpr std::uint32_t kVeryNear = 3;
  static constexpr std::uint32_t kHashFactor = 0x9e3779b1U;

  struct Edge {
    std::uint32_t source = 0;
    std::uint32_t target = 0;  // 0: none
  };
  /// An edge that waits, because the next one to its target may make it superfluous.
  struct Recent {
    Edge edge;
    std::uint32_t parent = 0;  // the source's
  };

  /// Codes edges as deltas to the last one of their kind: from ancestors, whose sources stay while
  /// their targets move on; from near above, moving on together; from far above.
  class Coder {
   public:
    std::uint8_t* write(std::uint8_t* out, const Edge& edge);
    Edge read(PagedLog::Reader& reader);

   private:
    enum Kind : std::uint8_t { from_ancestor, near, far, near_as_before };
    static constexpr std::uint32_t kNear = 1U << 14U;

    static Kind kind_of(const Edge& edge);

    Edge last_[far + 1];  // per kind; near_as_before shares near's
  };

  /// One cache line, since the search writes to them in no order.
  struct alignas(64) Bucket {
    PagedLog log;
    Coder coder;
  };

  void write(const Edge& edge);
  void write_out(const Recent& recent) {
    if (recent.edge.target != 0) {
      write(recent.edge);
    }
  }
  template <typename Visit>
  static void for_each_edge(const Bucket& bucket, Visit&& visit);

  std::vector<Recent> recent_;
  std::vector<Bucket> buckets_;
  RankedBits targets_;
  std::uint64_t edges_ = 0;
};

}  // namespace hprof
