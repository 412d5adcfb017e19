#pragma once

#include "tools/hprof-report/components/retained_sets.h"
#include "tools/hprof-report/noted_numbers.h"
#include "tools/hprof-report/references/referent_log.h"

#include <cstdint>
#include <deque>

namespace hprof {

/// What members of RetainedSets refer to: the slots of their object arrays that are in use, and
/// what is at the other end of soft, weak and final references. Takes about a byte per such array
/// and eight per reference.
class SetContents {
 public:
  using Sets = RetainedSets::Sets;

  /// The slots of an array that lead to objects.
  struct UsedSlots {
    std::uint64_t count = 0;
    bool only_own_class = false;  ///< all of them to the array's own class object
  };
  /// Of what kinds of references an object is the referent.
  struct Referent {
    Sets softly = 0;  ///< sets that the references are in
    Sets weakly = 0;
    bool by_finalizer = false;  ///< wherever that is
  };

  /// `graph` is without excluded references; `excluded`: all of these, with the strengths of
  /// reachable references to their referents.
  SetContents(const ReferenceGraph& graph, const RetainedSets& sets, const ReferentLog& excluded);

  /// Of an object array of one of the sets; asked in ascending order.
  UsedSlots used_slots(std::uint32_t array);
  /// Whether an object is one; asked in ascending order, and each that is one is to be taken.
  bool has_referent(std::uint32_t object) const { return object >= next_referent_; }
  Referent take_referent(std::uint32_t object);

 private:
  /// object << 16 | strength << 8 | sets
  using Link = std::uint64_t;

  void note_arrays(const ReferenceGraph& graph, const RetainedSets& sets);
  void note_referents(const ReferenceGraph& graph, const RetainedSets& sets,
                      const ReferentLog& excluded);
  void find_next();

  NotedNumbers used_slots_;  ///< count << 1 | only_own_class
  std::deque<Link> links_;   ///< ascending
  std::size_t next_ = 0;
  std::uint64_t next_referent_ = 0;
};

}  // namespace hprof
