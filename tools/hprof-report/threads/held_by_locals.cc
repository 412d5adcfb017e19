// A thread that has locals is a GC root, so no object dominates it, and what lies below two threads
// is disjoint. All paths to what a thread dominates run through the thread, and from there on below
// it. So without its locals exactly that goes which the thread's fields do not lead to below it:
// one search there tells, which looks at no object twice, whatever the number of threads. What it
// does not find below the thread goes with children of the thread in the dominator tree, whole.
#include "tools/hprof-report/threads/held_by_locals.h"

#include <deque>

namespace hprof {

/// Goes from the fields of threads to what lies below them.
class HeldByLocals::Walk {
 public:
  Walk(const ReferenceGraph& graph, BitVector& unseen, ReferenceGraph::Excluded excluded)
      : graph_(graph), unseen_(unseen), has_excluded_(graph.types().size()) {
    if (excluded == ReferenceGraph::Excluded::follow) {
      for (const auto& edge : graph.excluded()) {
        has_excluded_[graph.type_of(edge.source)] = true;
      }
    }
  }

  void from_fields_of(std::uint32_t thread, std::uint64_t locals) {
    take_fields(thread, locals);
    while (!waiting_.empty()) {
      const auto object = waiting_.back();
      waiting_.pop_back();
      bring_near_next();
      auto cursor = graph_.successors(object);
      std::uint32_t target = 0;
      while (cursor.next(target)) {
        reach(target);
      }
      take_excluded(object);
    }
  }

 private:
  void reach(std::uint32_t object) {
    if (unseen_.test(object)) {
      unseen_.clear(object);
      waiting_.push_back(object);
    }
  }

  void bring_near_next() const {
    constexpr std::size_t kAhead = 4;
    if (waiting_.size() > kAhead) {
      graph_.prefetch_place(*(waiting_.end() - kAhead));
      graph_.prefetch_type(*(waiting_.end() - kAhead));
      graph_.prefetch_row(waiting_.back());
    }
  }

  /// Locals stand last in the thread's row.
  void take_fields(std::uint32_t thread, std::uint64_t locals) {
    std::uint64_t references = 0;
    std::uint32_t target = 0;
    for (auto cursor = graph_.references(thread); cursor.next(target);) {
      ++references;
    }
    reach(graph_.class_object_of(thread));
    auto cursor = graph_.references(thread);
    for (; references > locals; --references) {
      cursor.next(target);
      reach(target);
    }
    take_excluded(thread);
  }

  void take_excluded(std::uint32_t object) {
    if (has_excluded_[graph_.type_of(object)]) {
      for (const auto& edge : graph_.excluded_from(object)) {
        reach(edge.target);
      }
    }
  }

  const ReferenceGraph& graph_;
  BitVector& unseen_;
  std::vector<bool> has_excluded_;  ///< by type
  std::deque<std::uint32_t> waiting_;
};

HeldByLocals::HeldByLocals(const Heap& heap, const std::vector<std::uint32_t>& threads,
                           ReferenceGraph::Excluded excluded, const RankedBits& top_level)
    : heap_(heap), excluded_(excluded), top_level_(top_level), only_locals_(heap.objects()) {
  for (const auto thread : threads) {
    threads_.emplace(thread, Thread{});
  }
  count_locals();
}

/// As many as hprof-graph puts into a thread's row; roots stand in the order of their objects.
void HeldByLocals::count_locals() {
  for (const auto& root : heap_.index().roots) {
    const auto thread = root.is_local() ? threads_.find(root.thread.value()) : threads_.end();
    if (thread != threads_.end() && thread->second.last_local != root.object.value()) {
      thread->second.last_local = root.object.value();
      ++thread->second.locals;
    }
  }
}

void HeldByLocals::search(const ReferenceGraph& graph) {
  searched_ = true;
  Walk walk(graph, only_locals_, excluded_);
  for (const auto& [object, thread] : threads_) {
    walk.from_fields_of(object, thread.locals);
  }
}

void HeldByLocals::fill(Threads& threads) const {
  for (auto& row : threads.threads) {
    const auto object = heap_.index().addresses.index_of(row.address.value);
    const auto found = object.is_none() ? threads_.end() : threads_.find(object.value());
    row.locals_retained = found == threads_.end() ? 0 : found->second.retained;
  }
}

}  // namespace hprof
