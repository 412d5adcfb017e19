#include "tools/hprof-report/paths/suspect_thread.h"

#include <algorithm>

namespace hprof {
namespace {

bool is_local_of(const RootInfo& root, std::uint32_t thread) {
  return root.is_local() && root.thread.value() == thread;
}

void add_locals(const Heap& heap, const DescribedObjects& objects, std::uint32_t thread,
                const Suspicion& suspicion, const ObjectPath* path,
                std::vector<SuspectFrame>& frames) {
  for (const auto& root : heap.index().roots) {
    if (!is_local_of(root, thread) || root.frame >= frames.size()) {
      continue;
    }
    const auto& local = objects.at(root.object.value());
    const bool on_path = path != nullptr && std::find(path->objects.begin(), path->objects.end(),
                                                      local.index) != path->objects.end();
    auto& locals = frames[root.frame].locals;
    auto reference = heap.reference(local);
    if ((on_path || local.retained > suspicion.sum.retained / 10) &&
        std::find(locals.begin(), locals.end(), reference) == locals.end()) {
      locals.push_back(std::move(reference));
    }
  }
}

}  // namespace

std::optional<std::uint32_t> thread_of(const StackTexts& stacks, const Suspicion& suspicion,
                                       const ObjectPath* path) {
  if (suspicion.kind == SuspectKind::single && stacks.is_thread(suspicion.object.index)) {
    return suspicion.object.index;
  }
  for (std::size_t i = path == nullptr ? 0 : path->objects.size(); i-- > 0;) {
    if (stacks.is_thread(path->objects[i])) {
      return path->objects[i];
    }
  }
  return std::nullopt;
}

std::vector<std::uint32_t> locals_of(const HeapIndex& index, std::uint32_t thread) {
  std::vector<std::uint32_t> out;
  for (const auto& root : index.roots) {
    if (is_local_of(root, thread)) {
      out.push_back(root.object.value());
    }
  }
  return out;
}

SuspectThread describe_thread(const Heap& heap, const PathDescriber& describer,
                              std::uint32_t thread, const Suspicion& suspicion,
                              const ObjectPath* path, std::size_t most_frames) {
  SuspectThread out;
  out.thread = heap.reference(describer.objects().at(thread));
  out.name = describer.thread_name(thread);
  for (const auto* frame : describer.stacks().frames_of(thread)) {
    out.frames.push_back({.frame = describer.stacks().frame_text(*frame),
                          .method = describer.stacks().signature_text(*frame),
                          .locals = {}});
  }
  add_locals(heap, describer.objects(), thread, suspicion, path, out.frames);
  std::size_t kept = 0;
  std::erase_if(out.frames, [&](const SuspectFrame& frame) {
    return kept++ >= most_frames && frame.locals.empty();
  });
  out.frames_left_out = kept - out.frames.size();
  return out;
}

}  // namespace hprof
