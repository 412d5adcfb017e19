#pragma once

#include "common/big_array.h"
#include "common/bit_vector.h"
#include "formats/reference_graph.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

namespace hprof {

/// For up to eight sets of objects at once, what would go away with each: what a member leads to
/// and no GC root does without a member, if soft, weak, phantom and finalizer references keep
/// nothing alive. Such retained sets may overlap.
class RetainedSets {
 public:
  /// Bits of sets.
  using Sets = std::uint8_t;
  static constexpr unsigned kMost = std::numeric_limits<Sets>::digits;
  /// In which sets an object is itself.
  using MembersOf = std::function<Sets(std::uint32_t object)>;

  /// `graph` is without excluded references. Takes six bytes per object on top of it, and keeps
  /// one.
  RetainedSets(const ReferenceGraph& graph, const MembersOf& members_of);
  /// What a SetScan has found.
  explicit RetainedSets(BigArray<Sets> sets) : sets_(std::move(sets)) {}

  /// The sets that an object would go away with.
  Sets of(std::uint32_t object) const { return sets_[object]; }

 private:
  /// Objects whose successors are to be looked at, each waiting once at a time.
  class Waiting;

  void find_common(const ReferenceGraph& graph, const MembersOf& members_of, Waiting& waiting);
  void find_weakly_held(const ReferenceGraph& graph, const MembersOf& members_of, Waiting& waiting);

  BigArray<Sets> sets_;
  BitVector reached_;
};

}  // namespace hprof
