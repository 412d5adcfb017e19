#pragma once

#include "common/big_array.h"
#include "common/bit_vector.h"
#include "common/ranked_bits.h"
#include "tools/hprof-report/components/retained_sets.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/references/referent_log.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace hprof {

/// What is known of the heap before a SetScan.
struct SetScanInput {
  const Heap& heap;
  const BigArray<std::uint32_t>& tops;  ///< by topmost_objects()
  const RankedBits& top_level;
  const BitVector& weakly_held;  ///< reachable through excluded references only
  const ReferentLog& excluded;   ///< all excluded references, whatever their strengths
};

/// Finds RetainedSets whose members are top-level objects, in a few readings of the references
/// without holding them; see the .cc. Takes a byte and half per object.
class SetScan {
 public:
  SetScan(const SetScanInput& input, RetainedSets::MembersOf members_of);

  /// False where this is not the way for this heap: too many readings, or too much held weakly.
  bool run();
  /// The sets of each object.
  BigArray<RetainedSets::Sets> take() { return std::move(sets_); }

 private:
  using Sets = RetainedSets::Sets;
  struct WeakEdge {
    std::uint32_t source;
    std::uint32_t target;
  };
  class Reading;

  static constexpr Sets kAll = 0xff;

  bool read_once(bool first);
  bool can_change(std::uint32_t object) const;
  bool is_due(std::uint32_t object);
  void follow(Sets from, std::uint32_t target);
  void note_change(std::uint32_t top);
  void note_weak(std::uint32_t source, std::uint32_t target);
  void settle_weak();
  void spread();

  SetScanInput input_;
  RetainedSets::MembersOf members_of_;
  std::uint64_t most_weak_;
  BigArray<Sets> sets_;  ///< of top-level and weakly held objects; at the end of all
  BitVector due_;        ///< top-level objects below which to look in this reading
  BitVector seen_;       ///< below which something was looked at in this reading
  BitVector next_;       ///< below which to look in the next one
  bool first_ = true;
  bool any_next_ = false;
  std::vector<WeakEdge> weak_edges_;  ///< to weakly held objects
};

}  // namespace hprof
