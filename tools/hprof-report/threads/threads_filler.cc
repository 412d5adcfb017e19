// Sums over threads and frames are sums over subtrees of the dominator tree, each taken once; what
// all locals of a thread keep alive takes the references (HeldByLocals). A thread is often a local
// of its own frames, and what dominates it would count for all of it: such locals keep nothing
// alive by being on the stack and are left out.
#include "tools/hprof-report/threads/threads_filler.h"

#include "formats/hprof_tags.h"
#include "formats/report/units.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

constexpr std::size_t kMostStacks = 100;
constexpr std::uint32_t kNoFrame = 0xffffffffU;
constexpr char kOutOfMemoryError[] = "java.lang.OutOfMemoryError";

std::optional<std::uint64_t> frame_number(std::uint32_t frame) {
  return frame == kNoFrame ? std::nullopt : std::optional<std::uint64_t>(frame);
}

}  // namespace

ThreadsFiller::ThreadsFiller(const Heap& heap, const ThreadCollector& collector,
                             const DetailCaps& caps)
    : heap_(heap),
      collector_(collector),
      caps_(caps),
      threads_(ranked(collector)),
      stacks_(heap.index()),
      locals_(locals_of_listed()),
      dominating_(heap.dominators(), objects_of_interest()) {
  note_stacks();
}

std::vector<HeapObject> ThreadsFiller::ranked(const ThreadCollector& collector) {
  auto threads = collector.threads();
  std::stable_sort(threads.begin(), threads.end(), [](const HeapObject& a, const HeapObject& b) {
    return a.retained > b.retained;
  });
  return threads;
}

std::vector<RootInfo> ThreadsFiller::locals_of_listed() const {
  std::vector<std::uint32_t> listed;
  for (std::size_t i = 0; i < std::min(threads_.size(), kMostThreads); ++i) {
    listed.push_back(threads_[i].index);
  }
  std::sort(listed.begin(), listed.end());
  std::vector<RootInfo> locals;
  for (const auto& root : heap_.index().roots) {
    if (root.is_local() && std::binary_search(listed.begin(), listed.end(), root.thread.value())) {
      locals.push_back(root);
    }
  }
  std::sort(locals.begin(), locals.end(), [](const RootInfo& a, const RootInfo& b) {
    return std::tuple(a.thread, a.frame, a.kind, a.object) <
           std::tuple(b.thread, b.frame, b.kind, b.object);
  });
  return locals;
}

std::vector<std::uint32_t> ThreadsFiller::objects_of_interest() const {
  std::vector<std::uint32_t> objects;
  for (const auto& thread : threads_) {
    objects.push_back(thread.index);
  }
  for (const auto& local : locals_) {
    objects.push_back(local.object.value());
  }
  return objects;
}

void ThreadsFiller::note_stacks() {
  for (const auto& thread : heap_.index().threads) {
    const auto stack = thread.object.is_none() ? StackTable::kNone : stacks_.stack_of(thread);
    if (stack != StackTable::kNone) {
      stack_of_.emplace(thread.object.value(), stack);
    }
  }
}

std::uint32_t ThreadsFiller::stack_of(const HeapObject& thread) const {
  const auto found = stack_of_.find(thread.index);
  return found == stack_of_.end() ? StackTable::kNone : found->second;
}

std::vector<ThreadsFiller::Local> ThreadsFiller::locals_of(std::uint32_t thread) const {
  const auto own = dominating_.place_of(thread);
  auto at = std::lower_bound(
      locals_.begin(), locals_.end(), thread,
      [](const RootInfo& local, std::uint32_t wanted) { return local.thread.value() < wanted; });
  std::vector<Local> locals;
  for (; at != locals_.end() && at->thread.value() == thread; ++at) {
    const auto place = dominating_.place_of(at->object.value());
    if (!dominating_.covers(place, own)) {
      locals.push_back({.place = place, .frame = at->frame, .kind = at->kind});
    }
  }
  return locals;
}

ObjectRef ThreadsFiller::describe(std::uint32_t place) const {
  return heap_.reference(collector_.local(dominating_.object_at(place)));
}

/// Per frame and kind of local; `locals` are in that order.
std::vector<FrameLocals> ThreadsFiller::frames_of(const std::vector<Local>& locals) const {
  std::vector<FrameLocals> rows;
  for (std::size_t begin = 0; begin < locals.size();) {
    std::vector<std::uint32_t> places;
    std::size_t end = begin;
    for (; end < locals.size() && locals[end].frame == locals[begin].frame &&
           locals[end].kind == locals[begin].kind;
         ++end) {
      places.push_back(locals[end].place);
    }
    rows.push_back({.frame = frame_number(locals[begin].frame),
                    .root_type = root_kind_name(locals[begin].kind),
                    .locals = places.size(),
                    .retained = dominating_.retained(places, heap_.retained()),
                    .largest = retained_by(*largest_place(places))});
    begin = end;
  }
  keep_largest(rows);
  return rows;
}

/// Drops what retains least from a very deep stack.
void ThreadsFiller::keep_largest(std::vector<FrameLocals>& rows) const {
  if (rows.size() <= caps_.frames_per_stack) {
    return;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const FrameLocals& a, const FrameLocals& b) {
    return a.retained > b.retained;
  });
  rows.resize(caps_.frames_per_stack);
  std::stable_sort(rows.begin(), rows.end(), [](const FrameLocals& a, const FrameLocals& b) {
    return a.frame.value_or(kNoFrame) < b.frame.value_or(kNoFrame);
  });
}

/// Each object once, with the uppermost frame that holds it.
std::vector<LocalRow> ThreadsFiller::largest_of(std::uint32_t thread,
                                                std::vector<Local> locals) const {
  const auto own = dominating_.place_of(thread);
  const auto retained = [this](const Local& local) { return retained_by(local.place); };
  std::stable_sort(locals.begin(), locals.end(), [&](const Local& a, const Local& b) {
    return std::tuple(retained(b), a.place) < std::tuple(retained(a), b.place);
  });
  const auto end = std::unique(locals.begin(), locals.end(),
                               [](const Local& a, const Local& b) { return a.place == b.place; });
  locals.erase(end, locals.end());
  std::vector<LocalRow> rows;
  for (std::size_t i = 0; i < std::min(locals.size(), caps_.locals_per_thread); ++i) {
    rows.push_back({.frame = frame_number(locals[i].frame),
                    .root_type = root_kind_name(locals[i].kind),
                    .held_elsewhere = !dominating_.covers(own, locals[i].place),
                    .object = describe(locals[i].place)});
  }
  return rows;
}

std::uint64_t ThreadsFiller::retained_by(std::uint32_t place) const {
  return heap_.retained()[dominating_.object_at(place)];
}

/// Of those that retain most the first.
std::optional<std::uint32_t> ThreadsFiller::largest_place(
    const std::vector<std::uint32_t>& places) const {
  const auto largest = std::max_element(
      places.begin(), places.end(),
      [this](std::uint32_t a, std::uint32_t b) { return retained_by(a) < retained_by(b); });
  return largest == places.end() ? std::nullopt : std::optional(*largest);
}

/// `own`: the thread's place.
void ThreadsFiller::fill_locals(ThreadRow& row, const std::vector<Local>& locals,
                                std::uint32_t own) const {
  std::vector<std::uint32_t> places;
  places.reserve(locals.size());
  for (const auto& local : locals) {
    places.push_back(local.place);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  row.locals = places.size();
  if (const auto largest = largest_place(places)) {
    row.largest_local = describe(*largest);
    if (!dominating_.covers(own, *largest)) {
      row.largest_local_elsewhere = true;
    }
  }
  const bool holds_error = std::any_of(places.begin(), places.end(), [this](std::uint32_t place) {
    const auto& object = collector_.local(dominating_.object_at(place));
    return heap_.class_name(heap_.class_of(object)) == kOutOfMemoryError;
  });
  if (holds_error) {
    row.out_of_memory = OutOfMemorySign::local;
  }
}

ThreadRow ThreadsFiller::row_of(const HeapObject& thread, bool in_detail) const {
  ThreadRow row;
  row.address = heap_.address(thread.index);
  row.class_name = heap_.class_name(heap_.class_of(thread));
  row.kind = collector_.thread_class(thread).is_virtual ? ThreadKind::virtual_thread
                                                        : ThreadKind::platform;
  row.shallow = thread.shallow;
  row.retained = thread.retained;
  row.retained_bp = share_bp(thread.retained, heap_.used_heap());
  const auto locals = locals_of(thread.index);
  fill_locals(row, locals, dominating_.place_of(thread.index));
  const auto stack = stack_of(thread);
  if (stack != StackTable::kNone) {
    row.depth = stacks_.depth(stack);
    row.out_of_memory =
        stacks_.is_out_of_memory(stack) ? OutOfMemorySign::thrown : row.out_of_memory;
  }
  if (in_detail || row.out_of_memory) {
    row.frames = frames_of(locals);
    row.largest_locals = largest_of(thread.index, locals);
  }
  return row;
}

std::vector<ThreadsFiller::StackSum> ThreadsFiller::sum_stacks() const {
  std::vector<StackSum> sums(stacks_.size());
  std::vector<std::vector<std::uint32_t>> places(stacks_.size());
  for (const auto& thread : threads_) {
    const auto stack = stack_of(thread);
    if (stack != StackTable::kNone) {
      ++sums[stack].threads;
      sums[stack].virtual_threads += collector_.thread_class(thread).is_virtual ? 1 : 0;
      places[stack].push_back(dominating_.place_of(thread.index));
    }
  }
  for (std::uint32_t stack = 0; stack < sums.size(); ++stack) {
    sums[stack].stack = stack;
    sums[stack].retained = dominating_.retained(std::move(places[stack]), heap_.retained());
  }
  std::stable_sort(sums.begin(), sums.end(), [](const StackSum& a, const StackSum& b) {
    return std::tuple(b.threads, b.retained) < std::tuple(a.threads, a.retained);
  });
  return sums;
}

/// Lists the stacks of threads in detail and the most common ones, and notes their places.
void ThreadsFiller::list_stacks(Threads& out) const {
  std::vector<bool> in_detail(stacks_.size());
  for (std::size_t i = 0; i < out.threads.size(); ++i) {
    const auto stack = stack_of(threads_[i]);
    if (stack != StackTable::kNone && out.threads[i].frames) {
      in_detail[stack] = true;
    }
  }
  std::unordered_map<std::uint32_t, std::uint64_t> places;
  const auto sums = sum_stacks();
  for (std::size_t rank = 0; rank < sums.size(); ++rank) {
    const auto& sum = sums[rank];
    out.distinct_stacks += sum.threads == 0 ? 0 : 1;
    if (sum.threads != 0 && (rank < kMostStacks || in_detail[sum.stack])) {
      places.emplace(sum.stack, out.stacks.size());
      out.stacks.push_back({.threads = sum.threads,
                            .virtual_threads = sum.virtual_threads,
                            .retained = sum.retained,
                            .depth = stacks_.depth(sum.stack),
                            .frames = stacks_.frames(sum.stack, caps_.frames_per_stack)});
    }
  }
  for (std::size_t i = 0; i < out.threads.size(); ++i) {
    const auto place = places.find(stack_of(threads_[i]));
    if (place != places.end()) {
      out.threads[i].stack = place->second;
    }
  }
}

std::vector<std::uint32_t> ThreadsFiller::dominating_locals() const {
  std::vector<std::uint32_t> threads;
  for (const auto& local : locals_) {
    const auto thread = local.thread.value();
    if (heap_.dominators()[local.object.value()] == thread &&
        (threads.empty() || threads.back() != thread)) {
      threads.push_back(thread);
    }
  }
  return threads;
}

Threads ThreadsFiller::fill() const {
  Threads out;
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const auto& thread = threads_[i];
    const bool is_virtual = collector_.thread_class(thread).is_virtual;
    const bool has_stack = stack_of(thread) != StackTable::kNone;
    out.virtual_threads += is_virtual ? 1 : 0;
    out.without_stack += has_stack ? 0 : 1;
    out.virtual_without_stack += has_stack || !is_virtual ? 0 : 1;
    places.push_back(dominating_.place_of(thread.index));
    if (i < kMostThreads) {
      out.threads.push_back(row_of(thread, i < caps_.threads_in_detail));
    }
  }
  out.total = threads_.size();
  out.left_out = threads_.size() - out.threads.size();
  out.retained = dominating_.retained(std::move(places), heap_.retained());
  out.retained_bp = share_bp(out.retained, heap_.used_heap());
  for (const auto& thread : heap_.index().threads) {
    out.missing_objects += thread.object.is_none() ? 1 : 0;
  }
  list_stacks(out);
  return out;
}

}  // namespace hprof
