// How strongly an object is held is a question of reachability: strong where a GC root reaches it
// without any referent edge, soft where it takes those of soft references, and so on. A walk over
// the whole graph for that would cost as much as the dominators did, but they have already said
// most of it. All paths from d = dominator(x) to x stay below d in the dominator tree. So x is held
// just as strongly as d
//   - where no Reference lies below d, since then no path from d to x has a referent edge, and
//   - where d itself has a strong reference to x.
// What is left are the *open* objects: a Reference is below their dominator, which does not
// reference them strongly, and they are no GC roots. One reading of the references settles those
// that something known to be held strongly references. The edges into the others are kept; from the
// nearest open object above each source (its *region*, held as strongly as that one) they make a
// small graph, which a search in order of strength settles.
#include "tools/hprof-report/references/strength_finder.h"

#include "formats/graph_stream.h"
#include "tools/hprof-report/dump/field_table.h"

#include <algorithm>
#include <array>

namespace hprof {
namespace {

constexpr std::uint64_t kFewestEdges = 1U << 20U;
constexpr std::uint64_t kObjectsPerEdge = 16;
constexpr unsigned kMostSteps = 64;
constexpr std::uint32_t kMostClassEdges = 16;
constexpr unsigned kRememberEvery = 32;

/// The class object of java.lang.Runtime, whose <Unfinalized> leads to objects that wait for
/// finalization in some JVMs.
std::uint32_t find_runtime_class(const HeapIndex& index) {
  const ClassIndex found = find_class(index, "java.lang.Runtime");
  return found.is_none() ? ObjectIndex::kNoneValue : index.classes[found.value()].object.value();
}

}  // namespace

/// Hands all references of reachable objects to the finder.
class StrengthFinder::Reading {
 public:
  explicit Reading(StrengthFinder& finder) : finder_(finder), next_referent_(finder.referents_) {}

  bool wants_objects() const {
    const auto& types = finder_.heap_.graph().types();
    return std::any_of(types.begin(), types.end(), [&](const GraphType& type) {
      return finder_.open_.test(type.class_object.value());
    });
  }
  void on_object(const ObjectRow& row) {
    const auto class_object = finder_.heap_.type(row.type).class_object.value();
    if (finder_.open_.test(class_object) && class_object != row.index &&
        finder_.heap_.dominators()[row.index] != kUnreachable) {
      finder_.take_class_edge(row, class_object);
    }
  }

  bool wants_row(std::uint32_t object) {
    source_ = object;
    ordinal_ = 0;
    while (!next_referent_.at_end() && next_referent_.entry().source < object) {
      next_referent_.next();
    }
    return finder_.heap_.dominators()[object] != kUnreachable;
  }

  void on_reference(std::uint32_t target) {
    OpenEdge edge{.from = source_, .to = target};
    if (!next_referent_.at_end() && next_referent_.entry().source == source_ &&
        next_referent_.entry().ordinal == ordinal_) {
      edge.kind = next_referent_.entry().strength;
      next_referent_.next();
    }
    ++ordinal_;
    finder_.take_edge(edge);
  }

  void on_row_end() {}

 private:
  StrengthFinder& finder_;
  ReferentLog::Cursor next_referent_;
  std::uint32_t source_ = 0;
  std::uint32_t ordinal_ = 0;
};

StrengthFinder::StrengthFinder(const Heap& heap, const ReferenceTypes& types,
                               std::uint64_t most_edges)
    : heap_(heap),
      types_(types),
      most_edges_(most_edges != 0 ? most_edges
                                  : std::max(kFewestEdges, heap.objects() / kObjectsPerEdge)),
      runtime_class_(find_runtime_class(heap.index())),
      with_referent_(heap.index().types.size()),
      holders_(heap.objects()) {}

void StrengthFinder::note(const HeapObject& object) {
  if (types_.is_reference(object.type)) {
    noted_.add(object.index, object.type);
    if (object.reachable()) {
      mark_holder(object.index);
    }
  }
}

Strength StrengthFinder::note_excluded(std::uint32_t source, std::uint32_t ordinal) {
  const auto type = noted_.of(source);
  const bool reachable = heap_.dominators()[source] != kUnreachable;
  if (type != NotedNumbers::kNone) {
    with_referent_[type] += reachable ? 1 : 0;
    referents_.add({.source = source, .ordinal = ordinal, .strength = types_.of(type)});
    return reachable ? types_.of(type) : Strength::strong;
  }
  if (source == runtime_class_) {
    referents_.add({.source = source, .ordinal = ordinal, .strength = Strength::final});
    if (reachable) {
      mark_holder(source);
    }
  }
  return Strength::strong;
}

void StrengthFinder::mark_holder(std::uint32_t object) {
  any_holder_ = true;
  for (auto at = object; at != kVirtualRoot && !holders_.test_and_set(at);) {
    at = heap_.dominators()[at];
  }
}

void StrengthFinder::solve() {
  noted_.release();
  column_ = ReachColumn(heap_.objects());
  if (any_holder_) {
    find_open_objects();
    read_references();
  }
  if (open_.count() != 0) {
    contract_edges();
    do {
      column_.forget_all();
      settle_open_objects();
      fill_column();
    } while (improve_classes());
  }
  release_memory();
}

void StrengthFinder::release_memory() {
  holders_ = {};
  open_ = {};
  strong_ = {};
  edges_ = {};
  regions_ = {};
  referents_ = {};
}

void StrengthFinder::find_open_objects() {
  const auto& dominators = heap_.dominators();
  open_ = BitVector(heap_.objects());
  strong_ = BitVector(heap_.objects());
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    const auto dominator = dominators[object];
    if (dominator == kVirtualRoot || (dominator != kUnreachable && holders_.test(dominator))) {
      open_.set(object);
    }
  }
  for (const auto root : heap_.graph().roots()) {
    open_.clear(root);
    strong_.set(root);
  }
}

// Where more edges would be kept than there is room for, what is settled by then settles more in a
// further reading.
void StrengthFinder::read_references() {
  for (unsigned round = 0;; ++round) {
    edges_.clear();
    class_edges_.assign(heap_.index().types.size(), 0);
    too_many_edges_ = false;
    Reading reading(*this);
    stream_graph(heap_.graph(), reading);
    if (!too_many_edges_) {
      return;
    }
    spread_strong();
    most_edges_ *= round == 0 ? 1 : 4;
  }
}

void StrengthFinder::take_edge(const OpenEdge& edge) {
  const auto& dominators = heap_.dominators();
  if (edge.kind != Strength::strong && dominators[edge.to] != kUnreachable) {
    column_.set_referent(edge.to, edge.kind);
    if (dominators[edge.to] == edge.from) {
      column_.set_under_its_reference(edge.to);
    }
  }
  if (open_.test(edge.to) && edge.to != edge.from && !settles(edge)) {
    keep(edge);
  }
}

void StrengthFinder::take_class_edge(const ObjectRow& row, std::uint32_t class_object) {
  const OpenEdge edge{.from = row.index, .to = class_object};
  if (!settles(edge) && class_edges_[row.type]++ < kMostClassEdges) {
    keep(edge);
  }
}

/// Whether the edge makes its target an open one no more.
bool StrengthFinder::settles(const OpenEdge& edge) {
  if (edge.kind != Strength::strong) {
    return false;
  }
  if (heap_.dominators()[edge.to] != edge.from) {
    if (!is_held_strongly(edge.from)) {
      return false;
    }
    strong_.set(edge.to);
  }
  open_.clear(edge.to);
  return true;
}

void StrengthFinder::keep(const OpenEdge& edge) {
  if (edges_.size() < most_edges_) {
    edges_.push_back(edge);
  } else {
    too_many_edges_ = true;
  }
}

/// False also where it would take long to tell.
bool StrengthFinder::is_held_strongly(std::uint32_t object) {
  const auto& dominators = heap_.dominators();
  auto at = object;
  for (unsigned steps = 0; at != kVirtualRoot && !strong_.test(at); ++steps) {
    if (open_.test(at) || steps == kMostSteps) {
      return false;
    }
    at = dominators[at];
  }
  for (; object != at; object = dominators[object]) {
    strong_.set(object);
  }
  return true;
}

/// Marks everything that is held strongly as far as is known; walks every link twice at most.
void StrengthFinder::spread_strong() {
  const auto& dominators = heap_.dominators();
  BitVector not_known(heap_.objects());
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (dominators[object] == kUnreachable) {
      continue;
    }
    auto at = object;
    while (at != kVirtualRoot && !strong_.test(at) && !open_.test(at) && !not_known.test(at)) {
      at = dominators[at];
    }
    auto& marks = at == kVirtualRoot || strong_.test(at) ? strong_ : not_known;
    for (auto below = object; below != at; below = dominators[below]) {
      marks.set(below);
    }
  }
}

/// The nearest open object above `object` or itself, kVirtualRoot where it is held strongly. Long
/// ways are remembered at every so many steps.
std::uint32_t StrengthFinder::region_of(std::uint32_t object) {
  const auto& dominators = heap_.dominators();
  std::uint32_t region = U64Map::kNone;
  auto at = object;
  while (region == U64Map::kNone) {
    if (at == kVirtualRoot || strong_.test(at)) {
      region = kVirtualRoot;
    } else if (open_.test(at)) {
      region = at;
    } else {
      region = regions_.find(at);
      at = region == U64Map::kNone ? dominators[at] : at;
    }
  }
  unsigned steps = 1;
  for (auto below = object; below != at; below = dominators[below], ++steps) {
    if (steps % kRememberEvery == 0) {
      regions_.insert(below, region);
    }
  }
  return region;
}

/// Makes the edges that are left lead from region to region, sorted by the one they come from.
void StrengthFinder::contract_edges() {
  std::erase_if(edges_, [&](const OpenEdge& edge) { return !open_.test(edge.to); });
  for (auto& edge : edges_) {
    edge.from = region_of(edge.from);
  }
}

void StrengthFinder::settle_open_objects() {
  std::sort(edges_.begin(), edges_.end(), [](const OpenEdge& a, const OpenEdge& b) {
    return std::uint32_t{a.from} < std::uint32_t{b.from};
  });
  std::array<std::vector<std::uint32_t>, kStrengths> reached;
  const auto follow = [&](std::uint32_t from, Strength strength) {
    auto edge = std::partition_point(edges_.begin(), edges_.end(),
                                     [&](const OpenEdge& e) { return e.from < from; });
    for (; edge != edges_.end() && edge->from == from; ++edge) {
      if (!column_.known(edge->to)) {
        reached.at(static_cast<std::size_t>(std::max(strength, Strength{edge->kind})))
            .push_back(std::uint32_t{edge->to});
      }
    }
  };
  follow(kVirtualRoot, Strength::strong);
  for (std::size_t i = 0; i < kStrengths; ++i) {
    auto& stack = reached.at(i);
    while (!stack.empty()) {
      const auto object = stack.back();
      stack.pop_back();
      if (!column_.known(object)) {
        column_.set_strength(object, static_cast<Strength>(i));
        follow(object, static_cast<Strength>(i));
      }
    }
  }
}

/// Everything is held as strongly as the nearest object above it of which that is known.
void StrengthFinder::fill_column() {
  const auto& dominators = heap_.dominators();
  const bool may_miss = class_waits();
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (dominators[object] == kUnreachable) {
      continue;
    }
    auto at = object;
    while (at != kVirtualRoot && !column_.known(at) && !strong_.test(at)) {
      if (!open_.test(at)) {
        at = dominators[at];
        continue;
      }
      require_consistent(may_miss);  // else no reference leads to a reachable object
      column_.set_strength(at, Strength::phantom);
    }
    const auto strength =
        at == kVirtualRoot || strong_.test(at) ? Strength::strong : column_.strength(at);
    for (auto below = object; below != at; below = dominators[below]) {
      column_.set_strength(below, strength);
    }
    if (at == object && !column_.known(at)) {
      column_.set_strength(at, strength);
    }
  }
}

/// Whether references that were not kept may lead to some class object, and so to what it holds.
bool StrengthFinder::class_waits() const {
  return std::any_of(class_edges_.begin(), class_edges_.end(), [&, type = 0U](auto edges) mutable {
    const auto object = heap_.type(type++).class_object.value();
    return edges > kMostClassEdges && open_.test(object) && !column_.known(object);
  });
}

/// Looks at all instances of such classes; true where another one holds its class more strongly.
bool StrengthFinder::improve_classes() {
  const auto class_object = [&](auto type) { return heap_.type(type).class_object.value(); };
  std::vector<bool> looked_at(class_edges_.size());
  std::vector<Strength> strongest(class_edges_.size(), Strength::phantom);
  bool any = false;
  for (std::uint32_t type = 0; type < class_edges_.size(); ++type) {
    const auto object = class_object(type);
    looked_at[type] = class_edges_[type] > kMostClassEdges && open_.test(object) &&
                      column_.strength(object) != Strength::strong;
    any = any || looked_at[type];
  }
  if (!any) {
    return false;
  }
  heap_.graph().for_each_object([&](const ObjectRow& row) {
    if (looked_at[row.type] && heap_.dominators()[row.index] != kUnreachable) {
      strongest[row.type] = std::min(strongest[row.type], column_.strength(row.index));
    }
  });
  bool improved = false;
  for (std::uint32_t type = 0; type < class_edges_.size(); ++type) {
    if (looked_at[type] && strongest[type] < column_.strength(class_object(type))) {
      edges_.push_back({.from = kVirtualRoot, .to = class_object(type), .kind = strongest[type]});
      improved = true;
    }
  }
  return improved;
}

}  // namespace hprof
