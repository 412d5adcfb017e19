// What all paths to an object have in common is what the paths to all of its predecessors have in
// common, and what it is a member of itself. Bits are only ever taken away, at most eight times per
// object; going breadth first, most objects are looked at once. What is left then is held by
// excluded references only: it goes with every set that leads to it.
#include "tools/hprof-report/components/retained_sets.h"

#include <algorithm>

namespace hprof {
namespace {

// Rows are asked for so many objects before they are read, what leads to them twice as many.
constexpr std::uint64_t kNearAhead = 8;
constexpr std::uint64_t kFarAhead = 16;

}  // namespace

class RetainedSets::Waiting {
 public:
  explicit Waiting(std::uint32_t objects) : ring_(objects), is_waiting_(objects) {}

  bool empty() const { return count_ == 0; }
  void push(std::uint32_t object) {
    if (!is_waiting_.test_and_set(object)) {
      ring_[place(count_++)] = object;
    }
  }
  /// The object that is popped after `ahead` others, or the last one.
  std::uint32_t coming(std::uint64_t ahead) const {
    return ring_[place(std::min(ahead, count_ - 1))];
  }
  std::uint32_t pop() {
    const auto object = ring_[start_];
    start_ = start_ + 1 == ring_.size() ? 0 : start_ + 1;
    --count_;
    is_waiting_.clear(object);
    return object;
  }

 private:
  std::uint64_t place(std::uint64_t number) const {
    const std::uint64_t at = start_ + number;
    return at < ring_.size() ? at : at - ring_.size();
  }

  BigArray<std::uint32_t> ring_;
  BitVector is_waiting_;
  std::uint64_t start_ = 0;
  std::uint64_t count_ = 0;
};

RetainedSets::RetainedSets(const ReferenceGraph& graph, const MembersOf& members_of)
    : sets_(graph.size(), std::numeric_limits<Sets>::max()), reached_(graph.size()) {
  Waiting waiting(graph.size());
  find_common(graph, members_of, waiting);
  find_weakly_held(graph, members_of, waiting);
  reached_ = BitVector();
}

void RetainedSets::find_common(const ReferenceGraph& graph, const MembersOf& members_of,
                               Waiting& waiting) {
  const auto reach = [&](std::uint32_t object, Sets before) {
    const bool is_new = !reached_.test_and_set(object);
    if (!is_new && (sets_[object] & ~before) == 0) {
      return;
    }
    const auto sets = static_cast<Sets>((sets_[object] & before) | members_of(object));
    if (is_new || sets != sets_[object]) {
      sets_[object] = sets;
      waiting.push(object);
    }
  };
  for (const auto root : graph.roots()) {
    reach(root, 0);
  }
  while (!waiting.empty()) {
    graph.prefetch_place(waiting.coming(kFarAhead));
    graph.prefetch_row(waiting.coming(kNearAhead));
    graph.prefetch_type(waiting.coming(kNearAhead));
    const auto object = waiting.pop();
    auto cursor = graph.successors(object);
    std::uint32_t target = 0;
    while (cursor.next(target)) {
      reach(target, sets_[object]);
    }
  }
}

void RetainedSets::find_weakly_held(const ReferenceGraph& graph, const MembersOf& members_of,
                                    Waiting& waiting) {
  const auto lead_to = [&](std::uint32_t object, Sets from) {
    if (!reached_.test(object) && (from & ~sets_[object]) != 0) {
      sets_[object] |= from;
      waiting.push(object);
    }
  };
  for (std::uint32_t object = 0; object < graph.size(); ++object) {
    if (!reached_.test(object)) {
      sets_[object] = 0;
    }
  }
  for (std::uint32_t object = 0; object < graph.size(); ++object) {
    if (!reached_.test(object)) {
      lead_to(object, members_of(object));
    }
  }
  for (const auto& edge : graph.excluded()) {
    if (reached_.test(edge.source)) {
      lead_to(edge.target, sets_[edge.source]);
    }
  }
  while (!waiting.empty()) {
    const auto object = waiting.pop();
    auto cursor = graph.successors(object);
    std::uint32_t target = 0;
    while (cursor.next(target)) {
      lead_to(target, sets_[object]);
    }
    for (const auto& edge : graph.excluded_from(object)) {
      lead_to(edge.target, sets_[object]);
    }
  }
}

}  // namespace hprof
