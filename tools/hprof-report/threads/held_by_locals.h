#pragma once

#include "common/bit_vector.h"
#include "common/ranked_bits.h"
#include "formats/reference_graph.h"
#include "formats/report/threads.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hprof {

/// What would be freed if none of a thread's locals were there, exactly. Takes a bit per object and
/// what waits to be looked at in a search.
class HeldByLocals {
 public:
  /// `threads` that dominate locals of theirs; `excluded`: what the dominator tree does with such
  /// references; `top_level`: all top-level objects.
  HeldByLocals(const Heap& heap, const std::vector<std::uint32_t>& threads,
               ReferenceGraph::Excluded excluded, const RankedBits& top_level);

  /// To be shown every reachable object with the top-level object above it.
  void note(std::uint32_t object, std::uint32_t top) {
    if (top != last_top_) {
      last_top_ = top;
      is_below_thread_ = threads_.contains(top);
    }
    if (is_below_thread_ && object != top) {
      only_locals_.set(object);
    }
  }
  /// Then the references, without the excluded ones.
  void search(const ReferenceGraph& graph);
  /// Whether search() is still to be called before the objects are shown.
  bool wants_graph() const { return !searched_; }
  /// At last every object, with dominator and retained size.
  void add(const HeapObject& object) {
    if (only_locals_.test(object.index) && object.reachable() && !object.top_level() &&
        top_level_.test(object.dominator)) {
      threads_[object.dominator].retained += object.retained;
    }
  }
  /// Into the rows of the threads.
  void fill(Threads& threads) const;

 private:
  struct Thread {
    std::uint64_t locals = 0;  ///< distinct objects
    std::uint32_t last_local = kUnreachable;
    std::uint64_t retained = 0;
  };
  class Walk;

  void count_locals();

  const Heap& heap_;
  ReferenceGraph::Excluded excluded_;
  const RankedBits& top_level_;
  std::unordered_map<std::uint32_t, Thread> threads_;  ///< by object
  BitVector only_locals_;  ///< below a thread and not found from its fields so far
  std::uint32_t last_top_ = kUnreachable;
  bool is_below_thread_ = false;
  bool searched_ = false;
};

}  // namespace hprof
