#include "tools/hprof-report/threads/thread_collector.h"

#include "common/error.h"
#include "formats/class_chain.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::string_view kThread = "java.lang.Thread";
constexpr std::string_view kVirtual = "java.lang.BaseVirtualThread";

void make_distinct(std::vector<std::uint32_t>& objects) {
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
}

}  // namespace

ThreadCollector::ThreadCollector(const Heap& heap) : heap_(heap) {
  const auto& index = heap.index();
  for (std::uint32_t row = 0; row < index.classes.size(); ++row) {
    auto& kind = classes_.emplace_back();
    for (const auto link : class_chain(index, ClassIndex(row))) {
      kind.is_thread |= index.class_name(link) == kThread;
      kind.is_virtual |= index.class_name(link) == kVirtual;
    }
  }
  find_roots();
}

void ThreadCollector::find_roots() {
  for (const auto& thread : heap_.index().threads) {
    if (!thread.object.is_none()) {
      roots_.push_back(thread.object.value());
    }
  }
  for (const auto& root : heap_.index().roots) {
    if (root.is_local()) {
      local_objects_.push_back(root.object.value());
    }
  }
  make_distinct(roots_);
  make_distinct(local_objects_);
}

/// Class objects and arrays are no threads, whatever the dump's roots say.
void ThreadCollector::take_thread(const HeapObject& object) {
  if (object.reachable() && heap_.type(object.type).kind == RecordKind::instance &&
      object.index != 0) {
    threads_.push_back(object);
  }
}

const HeapObject& ThreadCollector::local(std::uint32_t object) const {
  const auto found = std::lower_bound(
      locals_.begin(), locals_.end(), object,
      [](const HeapObject& local, std::uint32_t wanted) { return local.index < wanted; });
  check(found != locals_.end() && found->index == object, "a local was not collected");
  return *found;
}

}  // namespace hprof
