// Level by level from the root: the objects of a level are known by a byte each, and the slot that
// held an object's dominator takes the number of its node as soon as its level is done. So a level
// has at most as many nodes as frames can be large enough, whatever the heap looks like.
#include "tools/hprof-report/export/dominator_stacks.h"

#include "common/text.h"
#include "common/u64_map.h"
#include "formats/report/readable_text.h"
#include "tools/hprof-report/export/object_frames.h"
#include "tools/hprof-report/export/stack_order.h"
#include "tools/hprof-report/heap_caveats.h"

#include <algorithm>
#include <cstring>

namespace hprof {
namespace {

class StackMerger {
 public:
  StackMerger(const Heap& heap, const StackLimits& limits)
      : heap_(heap),
        limits_(limits),
        frames_(heap),
        slots_(heap.objects()),
        levels_(heap.objects(), 0),
        frame_of_(heap.objects(), frames_.names().size()),
        retained_(heap.domtree().summary()) {}

  StackTree run() {
    load();
    nodes_.emplace_back();
    for (level_ = 1; level_ <= limits_.depth && merge_level(); ++level_) {
    }
    drop_working_columns();
    settle_rest();
    sum_up();
    StackTree tree{
        .frames = frames_.names(), .nodes = in_order(nodes_, frames_.names()), .title = {}};
    drop_unused_frames(tree);
    return tree;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Candidate {
    std::uint32_t parent;
    std::uint32_t frame;
    std::uint64_t retained;
  };

  void load() {
    heap_.graph().for_each_object([this](const ObjectRow& row) {
      frame_of_.set(row.index, frames_.frame_of({.index = row.index, .type = row.type}));
    });
    heap_.domtree().for_each_node([this](const DomtreeNode& node) {
      slots_[node.index] = node.dominator;
      retained_.add(node);
    });
    for (std::uint32_t object = 0; object < slots_.size(); ++object) {
      if (slots_[object] != kUnreachable) {
        find_level(object);
      }
    }
  }

  /// Up to the first object whose level is known, then once more to write the levels on the way.
  void find_level(std::uint32_t object) {
    std::uint32_t level = 0;
    std::uint32_t at = object;
    for (; at != kVirtualRoot && levels_[at] == 0; at = slots_[at]) {
      if (slots_[at] == kUnreachable || ++level > slots_.size()) {
        fail(ExitCode::bad_data, printable(heap_.domtree().path()),
             ": the dominators are no tree; run hprof-domtree with --force again");
      }
    }
    level += at == kVirtualRoot ? 0 : levels_[at];
    for (at = object; at != kVirtualRoot && levels_[at] == 0; at = slots_[at]) {
      levels_[at] = static_cast<std::uint8_t>(std::min(level--, StackLimits::kMostDepth + 1));
    }
  }

  template <typename Visit>
  void for_each_at_level(Visit&& visit) {
    const std::uint8_t* const begin = levels_.data();
    const std::uint8_t* const end = begin + levels_.size();
    const std::uint8_t* at = begin;
    while (at != end) {
      const void* const found =
          std::memchr(at, static_cast<int>(level_), static_cast<std::size_t>(end - at));
      if (found == nullptr) {
        return;
      }
      at = static_cast<const std::uint8_t*>(found);
      visit(static_cast<std::uint32_t>(at - begin));
      ++at;
    }
  }

  /// False when there was nothing left to divide: all deeper objects are under "(other)".
  bool merge_level() {
    U64Map numbers;
    std::vector<Candidate> candidates;
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    for_each_at_level([&](std::uint32_t object) {
      const std::uint32_t parent = level_ == 1 ? 0 : slots_[slots_[object]];
      slots_[object] =
          is_other(parent) ? parent : first + join(numbers, candidates, parent, object);
    });
    const auto final_nodes = settle(candidates);
    for_each_at_level([&](std::uint32_t object) {
      if (slots_[object] >= first) {
        slots_[object] = final_nodes[slots_[object] - first];
      }
    });
    return !candidates.empty();
  }

  std::uint32_t join(U64Map& numbers, std::vector<Candidate>& candidates, std::uint32_t parent,
                     std::uint32_t object) {
    const std::uint32_t frame = frame_of_[object];
    const auto number = numbers.insert(std::uint64_t{parent} << 32U | frame,
                                       static_cast<std::uint32_t>(candidates.size()));
    if (number == candidates.size()) {
      candidates.push_back({parent, frame, 0});
    }
    candidates[number].retained += retained_[object];
    return number;
  }

  std::vector<std::uint32_t> settle(const std::vector<Candidate>& candidates) {
    std::vector<std::uint32_t> nodes;
    nodes.reserve(candidates.size());
    for (const auto& candidate : candidates) {
      nodes.push_back(candidate.retained >= limits_.least_bytes
                          ? add_node(candidate.parent, candidate.frame)
                          : other_of(candidate.parent));
    }
    return nodes;
  }

  std::uint32_t add_node(std::uint32_t parent, std::uint32_t frame) {
    nodes_.push_back({.parent = parent, .frame = frame});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  bool is_other(std::uint32_t node) const {
    return node != 0 && nodes_[node].frame == ObjectFrames::kOther;
  }

  std::uint32_t other_of(std::uint32_t node) {
    if (is_other(node)) {
      return node;
    }
    others_.resize(nodes_.size(), kNone);
    if (others_[node] == kNone) {
      others_[node] = add_node(node, ObjectFrames::kOther);
    }
    return others_[node];
  }

  void drop_working_columns() {
    retained_ = RetainedColumn();
    frame_of_ = LabelColumn();
  }

  /// Objects below the levels that were merged belong to the "(other)" of the lowest one above.
  void settle_rest() {
    const std::uint32_t done = std::min(level_, limits_.depth);
    for (std::uint32_t object = 0; object < slots_.size(); ++object) {
      std::uint32_t top = object;
      while (levels_[top] > done) {
        top = slots_[top];
      }
      const std::uint32_t node = top == object ? 0 : other_of(slots_[top]);
      for (std::uint32_t at = object; at != top;) {
        const std::uint32_t next = slots_[at];
        slots_[at] = node;
        levels_[at] = 1;
        at = next;
      }
    }
  }

  void sum_up() {
    heap_.graph().for_each_object([this](const ObjectRow& row) {
      if (levels_[row.index] != 0) {
        auto& node = nodes_[slots_[row.index]];
        ++node.objects;
        node.bytes += row.shallow;
      }
    });
  }

  const Heap& heap_;
  const StackLimits limits_;
  const ObjectFrames frames_;
  BigArray<std::uint32_t> slots_;  ///< dominator, then node
  BigArray<std::uint8_t> levels_;  ///< in the dominator tree; 0 for unreachable objects
  LabelColumn frame_of_;
  RetainedColumn retained_;
  std::uint32_t level_ = 0;
  std::vector<StackTree::Node> nodes_;
  std::vector<std::uint32_t> others_;  ///< by node
};

}  // namespace

StackTree dominator_stacks(const Heap& heap, const StackLimits& limits) {
  StackTree tree = StackMerger(heap, limits).run();
  const auto& dump = heap.files().provenance.dump;
  tree.title = readable_text(dump.name);
  if (const auto words = caveat_words(caveats_of(heap)); !words.empty()) {
    tree.title += " (" + words + ")";
  }
  tree.time_ms = dump.timestamp_ms + heap.index().summary.dump_micros / 1000;
  return tree;
}

}  // namespace hprof
