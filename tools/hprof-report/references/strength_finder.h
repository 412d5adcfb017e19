#pragma once

#include "common/bit_vector.h"
#include "common/u64_map.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/noted_numbers.h"
#include "tools/hprof-report/references/reach_column.h"
#include "tools/hprof-report/references/reference_types.h"
#include "tools/hprof-report/references/referent_log.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace hprof {

/// A reference into an object that may turn out to be held by no strong path.
struct [[gnu::packed]] OpenEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  Strength kind = Strength::strong;
};

/// Finds how strongly each reachable object is held, without walking the graph: see the .cc. Needs
/// the dominators throughout; takes a byte and half per object.
class StrengthFinder {
 public:
  /// `most_edges`: how many open edges to keep before the graph is rather read once more; 0: as
  /// suits the heap.
  StrengthFinder(const Heap& heap, const ReferenceTypes& types, std::uint64_t most_edges = 0);

  /// To be shown every object in index order, then every excluded reference; of these it tells what
  /// a reachable reference is to its referent, strong for all others.
  void note(const HeapObject& object);
  Strength note_excluded(std::uint32_t source, std::uint32_t ordinal);

  /// Reads the references once, rarely again.
  void solve();

  /// Reachable instances whose referent is an object, by row of the type table.
  const std::vector<std::uint64_t>& with_referent() const { return with_referent_; }
  ReachColumn take_column() { return std::move(column_); }

 private:
  class Reading;

  void mark_holder(std::uint32_t object);
  void find_open_objects();
  void read_references();
  void take_edge(const OpenEdge& edge);
  void take_class_edge(const ObjectRow& row, std::uint32_t class_object);
  bool settles(const OpenEdge& edge);
  void keep(const OpenEdge& edge);
  bool is_held_strongly(std::uint32_t object);
  void spread_strong();
  std::uint32_t region_of(std::uint32_t object);
  void contract_edges();
  void settle_open_objects();
  void fill_column();
  bool class_waits() const;
  bool improve_classes();
  void release_memory();

  const Heap& heap_;
  const ReferenceTypes& types_;
  std::uint64_t most_edges_;
  NotedNumbers noted_;
  std::uint32_t runtime_class_;
  ReferentLog referents_;
  std::vector<std::uint64_t> with_referent_;
  BitVector holders_;  ///< a reference is dominated by the object, or is it
  BitVector open_;     ///< may be cut off where weaker references are not followed
  BitVector strong_;   ///< known to be held strongly; not all that are
  ReachColumn column_;
  std::vector<OpenEdge> edges_;
  std::vector<std::uint32_t> class_edges_;  ///< by type: edges kept from instances to their class
  U64Map regions_;                          ///< some objects with their regions
  bool too_many_edges_ = false;
  bool any_holder_ = false;
};

}  // namespace hprof
