#include "tools/hprof-report/shortest_paths.h"

#include "common/bit_vector.h"

#include <algorithm>

namespace hprof {
namespace {

/// A search that has reached one object of so many will reach most of them.
constexpr std::uint32_t kObjectsPerReached = 64;

/// The objects looked for, and how many of them are still missing.
class Targets {
 public:
  Targets(std::uint32_t size, const std::vector<std::uint32_t>& objects) : wanted_(size) {
    for (const auto object : objects) {
      missing_ += wanted_.test_and_set(object) ? 0 : 1;
    }
  }
  void found(std::uint32_t object) { missing_ -= wanted_.test(object) ? 1 : 0; }
  bool all_found() const { return missing_ == 0; }

 private:
  BitVector wanted_;
  std::uint64_t missing_ = 0;
};

/// The goal of a search for everything.
struct NoTargets {
  void found(std::uint32_t /*object*/) {}
  bool all_found() const { return false; }
};

}  // namespace

ShortestPaths::ShortestPaths(const ReferenceGraph& graph, const std::vector<std::uint32_t>& targets)
    : parents_(BigArray<std::uint32_t>::sparse(graph.size())), order_(graph.size()) {
  search(graph, Targets(graph.size(), targets));
}

ShortestPaths::ShortestPaths(const ReferenceGraph& graph)
    : parents_(BigArray<std::uint32_t>::sparse(graph.size())), order_(graph.size()) {
  search(graph, NoTargets());
}

/// Asks for what the next objects of the level need.
void ShortestPaths::look_ahead(const ReferenceGraph& graph, std::uint32_t at,
                               std::uint32_t end) const {
  constexpr std::uint32_t kNear = 8;
  constexpr std::uint32_t kFar = 16;
  if (end - at > kFar) {
    graph.prefetch_place(order_[at + kFar]);
    graph.prefetch_row(order_[at + kNear]);
    graph.prefetch_type(order_[at + kNear]);
  }
}

template <typename Goal>
void ShortestPaths::search(const ReferenceGraph& graph, Goal&& goal) {
  std::uint32_t end = 0;
  const auto reach = [&](std::uint32_t object, std::uint32_t parent) {
    if (!reached(object)) {
      parents_[object] = parent + 1;
      order_[end++] = object;
      goal.found(object);
    }
  };
  for (const auto root : graph.roots()) {
    reach(root, root);
  }
  bool many = false;
  std::uint32_t start = 0;
  while (end != start) {
    level_starts_.push_back(end);
    if (goal.all_found()) {
      return;
    }
    const std::uint32_t level_end = end;
    if (!many && end > graph.size() / kObjectsPerReached) {
      many = true;
      parents_.expect_many();
    }
    std::sort(order_.data() + start, order_.data() + level_end);
    for (; start != level_end; ++start) {
      look_ahead(graph, start, level_end);
      const std::uint32_t object = order_[start];
      auto cursor = graph.successors(object);
      std::uint32_t target = 0;
      while (cursor.next(target)) {
        reach(target, object);
      }
    }
  }
}

}  // namespace hprof
