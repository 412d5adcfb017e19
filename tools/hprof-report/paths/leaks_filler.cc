#include "tools/hprof-report/paths/leaks_filler.h"

#include "formats/report/units.h"
#include "tools/hprof-report/paths/held_together.h"
#include "tools/hprof-report/paths/keywords.h"
#include "tools/hprof-report/paths/suspect_thread.h"

#include <algorithm>
#include <utility>

namespace hprof {
namespace {

/// Classes named of what a suspect retains.
constexpr std::size_t kRetainedClasses = 10;

/// Whether no more is known than that the JDK has a field for a class, which its loader keeps alive
/// in any case.
bool is_class_in_platform(const Suspect& suspect, const PathHolders& holders) {
  return suspect.class_name == "java.lang.Class" && holders.holder && suspect.address &&
         suspect.why_alive->steps.back().address == *suspect.address &&
         is_platform_class(holders.holder->class_name);
}

}  // namespace

LeaksFiller::LeaksFiller(const Heap& heap, const RootKinds& roots, const LeakFinder& finder,
                         const PathBook& book, const SharedHoldings& shared, const DetailCaps& caps,
                         DumpSource* dump)
    : heap_(heap),
      finder_(finder),
      book_(book),
      shared_(shared),
      caps_(caps),
      describer_(heap, roots, dump),
      points_(finder.points()) {
  for (const auto point : points_) {
    for (const auto& way : shared.ways_of(point)) {
      shared_paths_[point].push_back(shortened(way.objects, caps.path_depth));
      describer_.want(shared_paths_[point].back());
    }
  }
  for (const auto& [target, path] : book.paths()) {
    describer_.want(path);
  }
  for (const auto& suspicion : finder.suspicions()) {
    common_paths_.push_back(shortened(suspicion.path.objects, caps.path_depth));
    describer_.want(common_paths_.back());
    const auto thread =
        thread_of(describer_.stacks(), suspicion, book.find(explained_object(suspicion)));
    if (thread) {
      describer_.objects().want(*thread);
      describer_.objects().want(locals_of(heap.index(), *thread));
    }
  }
}

void LeaksFiller::read_objects(Subtrees trees, const std::function<void(const HeapObject&)>& look) {
  trees_ = std::move(trees);
  sums_ = std::make_unique<DominatedSums>(heap_, points_, caps_.leak_children);
  auto& objects = describer_.objects();
  objects.want(trees_->objects());
  objects.sort();
  heap_.for_each_streamed_object([&](const HeapObject& object) {
    objects.see(object);
    sums_->add(object);
    look(object);
  });
}

Leaks LeaksFiller::leaks(const RetainedClasses& classes) {
  Leaks out{
      .threshold_bp = finder_.percent() * 100, .threshold = finder_.threshold(), .suspects = {}};
  for (std::size_t number = 0; number < finder_.suspicions().size(); ++number) {
    out.suspects.push_back(suspect(number));
    out.suspects.back().retained_classes = classes.largest(number, kRetainedClasses);
  }
  return out;
}

Suspect LeaksFiller::suspect(std::size_t number) {
  const auto& suspicion = finder_.suspicions()[number];
  const bool single = suspicion.kind == SuspectKind::single;
  Suspect out;
  out.kind = suspicion.kind;
  out.class_name = heap_.class_name(suspicion.class_index);
  out.class_address = heap_.class_address(suspicion.class_index);
  out.label = single ? heap_.label(suspicion.object) : out.class_name;
  out.loader_label =
      heap_.loader_label(single ? heap_.defining_loader(suspicion.object)
                                : heap_.index().classes[suspicion.class_index.value()].loader);
  if (single) {
    out.address = heap_.address(suspicion.object.index);
  }
  out.instances = suspicion.sum.instances;
  out.shallow = suspicion.sum.shallow;
  out.retained = suspicion.sum.retained;
  out.retained_bp = share_bp(out.retained, heap_.used_heap());
  out.root_types = suspicion.root_types;
  for (const auto& step : describer_.describe(common_paths_[number]).steps) {
    out.common_path.push_back(step);
  }
  add_shares(suspicion, common_paths_[number], out);
  add_why_alive(suspicion, out);
  add_point(number, out);
  out.keywords = keywords_of(heap_, suspicion, describer_, out);
  return out;
}

/// By how many instances each object of the common path is shared.
void LeaksFiller::add_shares(const Suspicion& suspicion, const ObjectPath& path, Suspect& out) {
  for (std::size_t i = 0; i < out.common_path.size(); ++i) {
    const bool before_gap = path.left_out == 0 || i < path.left_out_after;
    out.common_path[i].targets = suspicion.path.shared[before_gap ? i : i + path.left_out];
  }
  if (path.left_out != 0) {
    out.common_path_left_out = path.left_out;
  }
}

void LeaksFiller::add_why_alive(const Suspicion& suspicion, Suspect& out) {
  const auto* const path = book_.find(explained_object(suspicion));
  if (path != nullptr) {
    out.why_alive = describer_.describe(*path);
    auto holders = describer_.holders(*out.why_alive);
    if (!is_class_in_platform(out, holders)) {
      out.holder = std::move(holders.holder);
      out.anchor = std::move(holders.anchor);
    }
  }
  if (const auto thread = thread_of(describer_.stacks(), suspicion, path)) {
    out.thread = describe_thread(heap_, describer_, *thread, suspicion, path, caps_.path_depth);
  }
}

/// The earlier suspicion with the same accumulation point, or the one of that number itself.
std::size_t LeaksFiller::first_with_point_of(std::size_t number) const {
  const auto& all = finder_.suspicions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Suspicion& suspicion) {
    return suspicion.accumulation == all[number].accumulation;
  });
  return static_cast<std::size_t>(found - all.begin());
}

void LeaksFiller::add_point(std::size_t number, Suspect& out) {
  const auto& accumulation = finder_.suspicions()[number].accumulation;
  if (!accumulation) {
    return;
  }
  const std::uint32_t point = *accumulation;
  const auto& object = describer_.objects().at(point);
  out.accumulation_point = heap_.reference(object);
  const auto largest = sums_->largest_of(point);
  if (const auto first = first_with_point_of(number); first != number) {
    out.same_point_as = first + 1;
  } else {
    out.accumulated = sums_->of(point);
    add_held_together(point, out);
    const auto place = std::lower_bound(points_.begin(), points_.end(), point) - points_.begin();
    out.tree = trees_->tree(static_cast<std::size_t>(place), heap_, describer_.objects());
  }
  if (!heap_.represented(object).is_none() && !largest.is_none()) {
    out.largest_static = describer_.static_holder(object, describer_.objects().at(largest.value()));
  }
}

void LeaksFiller::add_held_together(std::uint32_t point, Suspect& out) const {
  const auto paths = shared_paths_.find(point);
  if (out.kind == SuspectKind::single && paths != shared_paths_.end()) {
    out.held_together = held_together(heap_, out.accumulation_point->retained, *out.accumulated,
                                      shared_.ways_of(point), paths->second, describer_);
  }
}

void LeaksFiller::add_paths(TopConsumers& top) const {
  for (auto& row : top.biggest_objects) {
    const auto* const path =
        book_.find(heap_.index().addresses.index_of(row.address.value).value());
    if (path != nullptr) {
      row.why_alive = describer_.describe(*path);
      row.holder = describer_.holders(*row.why_alive).holder;
    }
  }
}

}  // namespace hprof
