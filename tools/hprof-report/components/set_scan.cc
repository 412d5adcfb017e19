// All paths to an object lead through the top-level object t above it, and the way from t stays
// below t, where no other top-level object lies. So an object that is not held weakly goes away
// with exactly the sets that t goes away with or is a member of, and of all references only those
// to top-level objects matter: whatever such an object goes away with must be in the sets of all
// their sources. Bits are only ever taken away. A reading goes through the references in index
// order; when a top-level object loses a bit after something below it was looked at, what is below
// it is looked at in the next reading.
#include "tools/hprof-report/components/set_scan.h"

#include "formats/graph_stream.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr unsigned kMostReadings = 8;
constexpr std::uint64_t kFewestWeakEdges = 1U << 20U;
constexpr std::uint64_t kObjectsPerWeakEdge = 16;

}  // namespace

/// Hands the references that are due to the scan.
class SetScan::Reading {
 public:
  explicit Reading(SetScan& scan) : scan_(scan), excluded_(scan.input_.excluded) {
    for (const auto& type : scan.input_.heap.graph().types()) {
      class_matters_.push_back(scan.can_change(type.class_object.value()));
    }
  }

  bool wants_objects() const {
    return std::find(class_matters_.begin(), class_matters_.end(), true) != class_matters_.end();
  }
  void on_object(const ObjectRow& row) {
    if (class_matters_[row.type] && scan_.is_due(row.index)) {
      look(row.index, scan_.input_.heap.type(row.type).class_object.value(), false);
    }
  }

  bool wants_row(std::uint32_t object) {
    while (!excluded_.at_end() && excluded_.entry().source < object) {
      excluded_.next();
    }
    source_ = object;
    ordinal_ = 0;
    const bool has_excluded = !excluded_.at_end() && excluded_.entry().source == object;
    return scan_.is_due(object) && (scan_.first_ || !scan_.input_.weakly_held.test(object)) &&
           (has_excluded || scan_.input_.weakly_held.test(object) ||
            scan_.sets_[scan_.input_.tops[object]] != kAll);
  }

  void on_reference(std::uint32_t target) {
    const bool is_excluded = !excluded_.at_end() && excluded_.entry().source == source_ &&
                             excluded_.entry().ordinal == ordinal_;
    if (is_excluded) {
      excluded_.next();
    }
    ++ordinal_;
    look(source_, target, is_excluded);
  }

  void on_row_end() {}

 private:
  void look(std::uint32_t source, std::uint32_t target, bool is_excluded) {
    if (is_excluded || scan_.input_.weakly_held.test(source)) {
      scan_.note_weak(source, target);
    } else if (scan_.input_.top_level.test(target)) {
      scan_.follow(scan_.sets_[scan_.input_.tops[source]], target);
    }
  }

  SetScan& scan_;
  std::vector<bool> class_matters_;  ///< by type: whether its class object's sets can change
  ReferentLog::Cursor excluded_;
  std::uint32_t source_ = 0;
  std::uint32_t ordinal_ = 0;
};

SetScan::SetScan(const SetScanInput& input, RetainedSets::MembersOf members_of)
    : input_(input),
      members_of_(std::move(members_of)),
      most_weak_(std::max(kFewestWeakEdges, input.heap.objects() / kObjectsPerWeakEdge)),
      sets_(input.heap.objects(), 0),
      due_(input.heap.objects()),
      seen_(input.heap.objects()),
      next_(input.heap.objects()) {}

bool SetScan::run() {
  if (input_.weakly_held.count() > most_weak_) {
    return false;
  }
  for (std::uint32_t object = 0; object < input_.tops.size(); ++object) {
    sets_[object] = input_.tops[object] == object && !input_.weakly_held.test(object) ? kAll : 0;
  }
  for (const auto root : input_.heap.graph().roots()) {
    require_consistent(input_.top_level.test(root));
    sets_[root] = members_of_(root);
  }
  unsigned readings = 0;
  do {
    if (readings++ == kMostReadings || !read_once(readings == 1)) {
      return false;
    }
  } while (any_next_);
  settle_weak();
  spread();
  return true;
}

/// False when more weak references are met than there is room for.
bool SetScan::read_once(bool first) {
  first_ = first;
  any_next_ = false;
  std::swap(due_, next_);
  next_ = BitVector(first ? input_.heap.objects() : next_.size());
  seen_ = BitVector(next_.size());
  Reading reading(*this);
  stream_graph(input_.heap.graph(), reading);
  return weak_edges_.size() <= most_weak_;
}

/// What is held weakly can; a top-level object can as long as it has bits to lose.
bool SetScan::can_change(std::uint32_t object) const {
  return input_.weakly_held.test(object) ||
         (input_.top_level.test(object) && sets_[object] != members_of_(object));
}

bool SetScan::is_due(std::uint32_t object) {
  const auto top = input_.tops[object];
  const bool due = top != kUnreachable && (first_ || due_.test(top));
  if (due) {
    seen_.set(top);
  }
  return due;
}

void SetScan::follow(Sets from, std::uint32_t target) {
  Sets& sets = sets_[target];
  if ((sets & ~from) == 0) {
    return;
  }
  const auto left = static_cast<Sets>((sets & from) | members_of_(target));
  if (left != sets) {
    sets = left;
    note_change(target);
  }
}

void SetScan::note_change(std::uint32_t top) {
  const bool is_to_come = (first_ || due_.test(top)) && !seen_.test(top);
  if (!is_to_come) {
    next_.set(top);
    any_next_ = true;
  }
}

void SetScan::note_weak(std::uint32_t source, std::uint32_t target) {
  if (first_ && input_.weakly_held.test(target) && weak_edges_.size() <= most_weak_) {
    weak_edges_.push_back({.source = source, .target = target});
  }
}

/// What is held weakly goes with every set that leads to it.
void SetScan::settle_weak() {
  std::sort(weak_edges_.begin(), weak_edges_.end(),
            [](const WeakEdge& a, const WeakEdge& b) { return a.source < b.source; });
  std::vector<std::uint32_t> waiting;
  const auto lead_to = [&](std::uint32_t object, Sets from) {
    if ((from & ~sets_[object]) != 0) {
      sets_[object] |= from;
      waiting.push_back(object);
    }
  };
  for (std::uint32_t object = 0; object < input_.tops.size(); ++object) {
    if (input_.tops[object] == object && input_.weakly_held.test(object)) {
      lead_to(object, members_of_(object));
    }
  }
  for (const auto& edge : weak_edges_) {
    if (!input_.weakly_held.test(edge.source)) {
      lead_to(edge.target, sets_[input_.tops[edge.source]]);
    }
  }
  while (!waiting.empty()) {
    const auto source = waiting.back();
    waiting.pop_back();
    auto edge = std::lower_bound(
        weak_edges_.begin(), weak_edges_.end(), source,
        [](const WeakEdge& other, std::uint32_t wanted) { return other.source < wanted; });
    for (; edge != weak_edges_.end() && edge->source == source; ++edge) {
      lead_to(edge->target, sets_[source]);
    }
  }
}

void SetScan::spread() {
  for (std::uint32_t object = 0; object < input_.tops.size(); ++object) {
    const auto top = input_.tops[object];
    if (top != kUnreachable && !input_.weakly_held.test(object)) {
      sets_[object] = sets_[top];
    }
  }
}

}  // namespace hprof
