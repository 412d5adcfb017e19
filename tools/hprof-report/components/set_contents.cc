#include "tools/hprof-report/components/set_contents.h"

#include "formats/graph_stream.h"

#include <algorithm>
#include <limits>

namespace hprof {
namespace {

constexpr unsigned kStrengthShift = 8;
constexpr unsigned kObjectShift = 16;
constexpr auto kNoReferent = std::numeric_limits<std::uint64_t>::max();

}  // namespace

/// Takes the references out of the rows that matter.
class SetContents::Reading {
 public:
  Reading(SetContents& out, const Heap& heap, const RetainedSets& sets, const ReferentLog& excluded)
      : out_(out), heap_(heap), sets_(sets), excluded_(excluded) {
    heap.graph().for_each_object([&](const ObjectRow& row) {
      if (heap.type(row.type).kind == RecordKind::object_array && sets.of(row.index) != 0) {
        arrays_.add(row.index, row.type);
      }
    });
  }

  bool wants(std::uint32_t object) {
    note_array();
    while (!excluded_.at_end() && excluded_.entry().source < object) {
      excluded_.next();
    }
    source_ = object;
    references_ = 0;
    const auto type = arrays_.of(object);
    is_array_ = type != NotedNumbers::kNone;
    own_class_ = is_array_ ? heap_.type(type).class_object.value() : 0;
    only_own_class_ = true;
    return is_array_ || (!excluded_.at_end() && excluded_.entry().source == object);
  }

  void take(std::uint32_t target) {
    if (!excluded_.at_end() && excluded_.entry().source == source_ &&
        excluded_.entry().ordinal == references_) {
      add(target, excluded_.entry().strength);
      excluded_.next();
    }
    ++references_;
    only_own_class_ = only_own_class_ && target == own_class_;
  }

  void end() { note_array(); }

 private:
  void note_array() {
    if (references_ != 0 && is_array_) {
      out_.used_slots_.add(source_, references_ * 2 + (only_own_class_ ? 1 : 0));
    }
  }

  void add(std::uint32_t target, Strength strength) {
    const Link sets = sets_.of(source_);
    const bool matters = strength == Strength::final ||
                         (sets != 0 && (strength == Strength::soft || strength == Strength::weak));
    if (matters) {
      out_.links_.push_back(Link{target} << kObjectShift |
                            static_cast<Link>(strength) << kStrengthShift | sets);
    }
  }

  SetContents& out_;
  const Heap& heap_;
  const RetainedSets& sets_;
  ReferentLog::Cursor excluded_;
  NotedNumbers arrays_;  ///< with their types
  std::uint32_t source_ = 0;
  bool is_array_ = false;         ///< the source
  std::uint32_t own_class_ = 0;   ///< its class object
  bool only_own_class_ = false;   ///< it leads there only, so far
  std::uint32_t references_ = 0;  ///< it has, so far
};

SetContents::SetContents(const Heap& heap, const RetainedSets& sets, const ReferentLog& excluded) {
  Reading reading(*this, heap, sets, excluded);
  for_each_reference(
      heap.graph(), [&](std::uint32_t object) { return reading.wants(object); },
      [&](std::uint32_t, std::uint32_t target) { reading.take(target); });
  reading.end();
  std::sort(links_.begin(), links_.end());
  find_next();
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
