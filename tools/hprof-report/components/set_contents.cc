#include "tools/hprof-report/components/set_contents.h"

#include "tools/hprof-report/heap_files.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace hprof {
namespace {

constexpr unsigned kStrengthShift = 8;
constexpr unsigned kObjectShift = 16;
constexpr auto kNoReferent = std::numeric_limits<std::uint64_t>::max();

}  // namespace

SetContents::SetContents(const ReferenceGraph& graph, const RetainedSets& sets,
                         const ReferentLog& excluded) {
  note_arrays(graph, sets);
  note_referents(graph, sets, excluded);
  std::sort(links_.begin(), links_.end());
  find_next();
}

void SetContents::note_arrays(const ReferenceGraph& graph, const RetainedSets& sets) {
  std::vector<bool> is_array;
  for (const auto& type : graph.types()) {
    is_array.push_back(type.kind == RecordKind::object_array);
  }
  for (std::uint32_t object = 0; object < graph.size(); ++object) {
    if (!is_array[graph.type_of(object)] || sets.of(object) == 0) {
      continue;
    }
    std::uint32_t used = 0;
    bool only_own_class = true;
    auto references = graph.references(object);
    for (std::uint32_t target = 0; references.next(target); ++used) {
      only_own_class = only_own_class && target == graph.class_object_of(object);
    }
    if (used != 0) {
      used_slots_.add(object, used * 2 + (only_own_class ? 1 : 0));
    }
  }
}

/// The log and the graph have the same references in the same order.
void SetContents::note_referents(const ReferenceGraph& graph, const RetainedSets& sets,
                                 const ReferentLog& excluded) {
  ReferentLog::Cursor logged(excluded);
  for (const auto& edge : graph.excluded()) {
    require_consistent(!logged.at_end() && logged.entry().source == edge.source);
    const auto strength = logged.entry().strength;
    logged.next();
    const Link members = sets.of(edge.source);
    if (strength == Strength::final ||
        (members != 0 && (strength == Strength::soft || strength == Strength::weak))) {
      links_.push_back(Link{edge.target} << kObjectShift |
                       static_cast<Link>(strength) << kStrengthShift | members);
    }
  }
}

SetContents::UsedSlots SetContents::used_slots(std::uint32_t array) {
  const auto used = used_slots_.of(array);
  return used == NotedNumbers::kNone
             ? UsedSlots{}
             : UsedSlots{.count = used / 2, .only_own_class = used % 2 != 0};
}

void SetContents::find_next() {
  next_referent_ = next_ == links_.size() ? kNoReferent : links_[next_] >> kObjectShift;
}

SetContents::Referent SetContents::take_referent(std::uint32_t object) {
  Referent out;
  while (next_ < links_.size() && links_[next_] >> kObjectShift < object) {
    ++next_;
  }
  for (; next_ < links_.size() && links_[next_] >> kObjectShift == object; ++next_) {
    const auto sets = static_cast<Sets>(links_[next_]);
    const auto strength = static_cast<Strength>(links_[next_] >> kStrengthShift & 0xffU);
    out.softly |= strength == Strength::soft ? sets : Sets{0};
    out.weakly |= strength == Strength::weak ? sets : Sets{0};
    out.by_finalizer = out.by_finalizer || strength == Strength::final;
  }
  find_next();
  return out;
}

}  // namespace hprof
