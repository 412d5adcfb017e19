#pragma once

#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// Whether objects of a class are threads, and virtual ones.
struct ThreadClass {
  bool is_thread = false;
  bool is_virtual = false;
};

/// Keeps thread objects and what lies on stacks while all objects pass by.
class ThreadCollector {
 public:
  explicit ThreadCollector(const Heap& heap);

  /// To be shown every object in index order.
  void add(const HeapObject& object) {
    if (next_root_ < roots_.size() && roots_[next_root_] == object.index) {
      ++next_root_;
      take_thread(object);
    } else if (classes_[type_class(object.type)].is_thread) {
      take_thread(object);
    }
    if (next_local_ < local_objects_.size() && local_objects_[next_local_] == object.index) {
      ++next_local_;
      locals_.push_back(object);
    }
  }

  /// Reachable threads, ascending.
  const std::vector<HeapObject>& threads() const { return threads_; }
  /// What is on the stack of some thread.
  const HeapObject& local(std::uint32_t object) const;
  const ThreadClass& thread_class(const HeapObject& thread) const {
    return classes_[type_class(thread.type)];
  }

 private:
  std::uint32_t type_class(std::uint32_t type) const {
    return heap_.type(type).class_index.value();
  }
  void take_thread(const HeapObject& object);
  void find_roots();

  const Heap& heap_;
  std::vector<ThreadClass> classes_;
  std::vector<std::uint32_t> roots_;          ///< objects that the dump says are threads, ascending
  std::vector<std::uint32_t> local_objects_;  ///< ascending
  std::size_t next_root_ = 0;
  std::size_t next_local_ = 0;
  std::vector<HeapObject> threads_;
  std::vector<HeapObject> locals_;
};

}  // namespace hprof
