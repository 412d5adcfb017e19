// What would be freed without the locals of a thread, against a search of the whole heap without
// them.
#include "reference_classes.h"
#include "staged_heap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace hprof {
namespace {

using test::HeapBuilder;
using test::Id;
using test::Root;
using test::StagedHeap;
using test::Thread;
using test::Type;

const ThreadRow& row_of(const Report& report, Id thread) {
  const auto& rows = report.threads->threads;
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const ThreadRow& row) { return row.address.value == thread; });
  REQUIRE(found != rows.end());
  return *found;
}

/// Thread objects with a field, arrays as anything else.
class ThreadHeap {
 public:
  ThreadHeap()
      : worker_(builder_.add_class({.name = "demo.Worker",
                                    .super = builder_.class_named("java.lang.Thread"),
                                    .fields = {{"held"}}})) {}

  HeapBuilder& builder() { return builder_; }
  Id worker(Id held = 0, Id address = 0) {
    return builder_.add_object(worker_, {{"held", held}}, address);
  }
  Id array(const std::vector<Id>& elements, Id address = 0) {
    return builder_.add_array("java.lang.Object[]", elements, address);
  }
  Id bytes(std::uint32_t count) { return builder_.add_zeros(Type::int8, count); }
  Thread start(Id object) { return builder_.start_thread(object, {{.method = "run"}}); }

 private:
  HeapBuilder builder_;
  Id worker_;
};

std::map<Id, std::uint64_t> sizes_in(const StagedHeap& staged) {
  const auto heap = staged.open();
  std::map<Id, std::uint64_t> sizes;
  heap->for_each_streamed_object([&](const HeapObject& object) {
    sizes.emplace(heap->address(object.index).value, object.shallow);
  });
  return sizes;
}

/// What a heap of the random test refers to, and its GC roots.
struct Model {
  std::map<Id, std::vector<Id>> references;
  std::map<Id, std::vector<Id>> locals;  ///< by thread
  std::vector<Id> roots;

  std::set<Id> reached(Id without_locals_of) const {
    std::set<Id> seen(roots.begin(), roots.end());
    std::vector<Id> waiting = roots;
    const auto reach = [&](Id object) {
      if (seen.insert(object).second) {
        waiting.push_back(object);
      }
    };
    while (!waiting.empty()) {
      const Id object = waiting.back();
      waiting.pop_back();
      if (const auto found = references.find(object); found != references.end()) {
        std::for_each(found->second.begin(), found->second.end(), reach);
      }
      const auto found = locals.find(object);
      if (found != locals.end() && object != without_locals_of) {
        std::for_each(found->second.begin(), found->second.end(), reach);
      }
    }
    return seen;
  }

  std::uint64_t freed(Id thread, const std::map<Id, std::uint64_t>& sizes) const {
    std::uint64_t sum = 0;
    const auto left = reached(thread);
    for (const auto object : reached(0)) {
      sum += left.contains(object) ? 0 : sizes.at(object);
    }
    return sum;
  }
};

/// A few threads and up to thirty objects that refer to one another in any direction.
class RandomHeap {
 public:
  explicit RandomHeap(unsigned seed)
      : random_(seed), weak_(test::ReferenceClasses(heap_.builder()).weak) {
    for (std::size_t i = 0; i < 4 + below(40); ++i) {
      ids_.push_back(heap_.builder().reserve(128));
    }
    const auto threads = 1 + below(3);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      i < threads ? add_thread(ids_[i]) : add_object(ids_[i]);
    }
    add_locals();
    if (below(2) == 0) {
      const Id held = ids_[below(ids_.size())];
      heap_.builder().root(Root::jni_global, held);
      model_.roots.push_back(held);
    }
  }

  HeapBuilder& builder() { return heap_.builder(); }
  const Model& model() const { return model_; }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  Id any() { return ids_[below(ids_.size())]; }

  void add_thread(Id id) {
    const Id held = below(3) == 0 ? 0 : any();
    heap_.worker(held, id);
    if (held != 0) {
      model_.references[id] = {held};
    }
    threads_.push_back(heap_.start(id));
    model_.roots.push_back(id);
  }

  void add_object(Id id) {
    std::vector<Id> targets(below(5) == 0 ? 1 : below(4));
    std::generate(targets.begin(), targets.end(), [&] { return any(); });
    if (targets.size() == 1) {
      heap_.builder().add_object(weak_, {{"referent", targets[0]}}, id);
    } else {
      heap_.array(targets, id);
    }
    model_.references[id] = targets;
  }

  void add_locals() {
    for (const auto& thread : threads_) {
      for (std::size_t i = below(6); i != 0; --i) {
        const Id local = any();
        heap_.builder().local(thread, local, 0);
        model_.locals[thread.object].push_back(local);
      }
    }
  }

  std::mt19937 random_;
  ThreadHeap heap_;
  Id weak_;
  std::vector<Id> ids_;
  std::vector<Thread> threads_;
  Model model_;
};

TEST_CASE("what goes without a thread's locals is what no search without them reaches") {
  std::uint64_t threads_that_hold = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    RandomHeap heap(seed);
    const StagedHeap staged(heap.builder());
    const auto report = staged.report();
    const auto sizes = sizes_in(staged);
    for (const auto& [thread, locals] : heap.model().locals) {
      const auto freed = heap.model().freed(thread, sizes);
      CHECK_MESSAGE(row_of(report, thread).locals_retained == freed, "seed ", seed);
      threads_that_hold += freed == 0 ? 0 : 1;
    }
  }
  CHECK(threads_that_hold > 50);
}

TEST_CASE("what two locals of a thread share goes without them, what a field holds stays") {
  ThreadHeap heap;
  const Id shared = heap.bytes(5000);
  const Id one = heap.array({shared});
  const Id other = heap.array({shared});
  const Id kept = heap.bytes(3000);
  const Id object = heap.worker(heap.array({kept}));
  const auto thread = heap.start(object);
  for (const Id local : {one, other, kept}) {
    heap.builder().local(thread, local);
  }
  const StagedHeap staged(heap.builder());
  const auto report = staged.report();
  const auto sizes = sizes_in(staged);
  const auto& row = row_of(report, object);
  CHECK(row.locals == 3);
  CHECK(row.locals_retained == sizes.at(one) + sizes.at(other) + sizes.at(shared));
  REQUIRE(row.frames);
  REQUIRE(row.frames->size() == 1);
  const auto& frame = row.frames->front();
  CHECK(frame.locals == 3);
  CHECK(frame.largest == sizes.at(kept));
  CHECK(frame.retained == sizes.at(one) + sizes.at(other) + sizes.at(kept));
  CHECK(row.largest_local->address.value == kept);
  CHECK_FALSE(row.largest_local_elsewhere);
}

TEST_CASE("what two threads hold goes without the locals of neither") {
  ThreadHeap heap;
  const Id shared = heap.array({heap.bytes(9000)});
  const Id own = heap.bytes(20);
  const Id first = heap.worker();
  const Id second = heap.worker();
  const auto one = heap.start(first);
  const auto other = heap.start(second);
  heap.builder().local(one, shared);
  heap.builder().local(one, own);
  heap.builder().local(other, shared);
  const StagedHeap staged(heap.builder());
  const auto report = staged.report();
  CHECK(row_of(report, first).locals_retained == sizes_in(staged).at(own));
  CHECK(row_of(report, first).largest_local_elsewhere == true);
  CHECK(row_of(report, second).locals_retained == 0);
}

TEST_CASE("a thread below another's local keeps what is its own and goes with it") {
  ThreadHeap heap;
  const Id inner_held = heap.bytes(700);
  const Id inner = heap.worker(inner_held);  // no root of its own
  const Id list = heap.array({inner});
  const Id outer = heap.worker();
  const Id started = heap.worker(heap.bytes(40));
  const auto thread = heap.start(outer);
  heap.start(started);
  heap.builder().local(thread, list);
  heap.builder().local(thread, started);
  const StagedHeap staged(heap.builder());
  const auto report = staged.report();
  const auto sizes = sizes_in(staged);
  CHECK(row_of(report, outer).locals_retained ==
        sizes.at(list) + sizes.at(inner) + sizes.at(inner_held));
  CHECK(row_of(report, inner).locals == 0);
  CHECK(row_of(report, inner).locals_retained == 0);
  CHECK(row_of(report, started).locals_retained == 0);
}

}  // namespace
}  // namespace hprof
