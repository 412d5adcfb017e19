// Every session is written as soon as it is thought up and only its address is kept.
#include "tests/support/mixed_heap.h"

#include "tests/support/hprof_builder.h"

#include <string>
#include <vector>

namespace hprof::test {
namespace {

constexpr std::uint64_t kMegabyte = 1U << 20U;
constexpr std::size_t kEntriesPerSession = 700;
constexpr std::size_t kTableSlots = 1024;
constexpr std::size_t kSharedTexts = 256;

/// SplitMix64: a few lines, the same numbers everywhere.
class Random {
 public:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
  }
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

 private:
  std::uint64_t state_ = 20240101;
};

class MixedHeap {
 public:
  explicit MixedHeap(const std::string& path)
      : heap_({.reference_size = 4}, path),
        map_(heap_.add_class(
            {.name = "java.util.HashMap",
             .fields = {{"table"}, {"size", Type::int32}, {"modCount", Type::int32}}})),
        node_(heap_.add_class({.name = "java.util.HashMap$Node",
                               .fields = {{"hash", Type::int32}, {"key"}, {"value"}, {"next"}}})),
        integer_(
            heap_.add_class({.name = "java.lang.Integer", .fields = {{"value", Type::int32}}})),
        list_(heap_.add_class({.name = "java.util.LinkedList",
                               .fields = {{"size", Type::int32}, {"first"}, {"last"}}})),
        link_(heap_.add_class(
            {.name = "java.util.LinkedList$Node", .fields = {{"item"}, {"next"}, {"prev"}}})),
        session_(heap_.add_class(
            {.name = "demo.Session", .fields = {{"id", Type::int64}, {"user"}, {"attributes"}}})) {
    for (std::size_t i = 0; i < kSharedTexts; ++i) {
      shared_texts_.push_back(heap_.add_string("attribute-" + std::to_string(i)));
    }
  }

  void fill(std::uint64_t bytes) {
    std::vector<Id> sessions;
    while (heap_.writer().position() < bytes) {
      const Id session = add_session();
      if (random_.below(16) != 0) {
        sessions.push_back(session);
      }
    }
    const Id all = heap_.add_array("demo.Session[]", sessions);
    heap_.root(Root::sticky_class, heap_.add_class({.name = "demo.Server",
                                                    .statics = {{"sessions", Type::object, all}}}));
    const Thread thread = heap_.add_thread({.name = "worker-1", .frames = {{.method = "serve"}}});
    heap_.local(thread, sessions.empty() ? all : sessions.back());
    heap_.finish();
  }

 private:
  Id add_session() {
    std::vector<Id> table(kTableSlots, 0);
    for (std::size_t i = 0; i < kEntriesPerSession; ++i) {
      const std::uint64_t hash = random_.below(std::uint64_t{1} << 31U);
      Id& slot = table[hash % kTableSlots];
      slot = heap_.add_object(
          node_, {{"hash", hash}, {"key", add_key(hash)}, {"value", add_value()}, {"next", slot}});
    }
    const Id attributes =
        heap_.add_object(map_, {{"table", heap_.add_array("java.util.HashMap$Node[]", table)},
                                {"size", kEntriesPerSession}});
    const std::uint64_t number = random_.next();
    const Id user = heap_.add_string("user-" + std::to_string(number % 10'000));
    return heap_.add_object(session_, {{"id", number}, {"user", user}, {"attributes", attributes}});
  }

  Id add_key(std::uint64_t hash) {
    return hash % 4 == 0 ? shared_texts_[hash / 4 % kSharedTexts]
                         : heap_.add_string("key-" + std::to_string(hash));
  }

  Id add_value() {
    switch (random_.below(8)) {
      case 0:
        return heap_.add_zeros(Type::int8, static_cast<std::uint32_t>(random_.below(2000)));
      case 1:
        return add_object_array();
      case 2:
        return add_list();
      case 3:
        return heap_.add_zeros(Type::int64, static_cast<std::uint32_t>(random_.below(20)));
      case 4:
        return add_key(random_.next());
      default:
        return heap_.add_object(integer_, {{"value", random_.next()}});
    }
  }

  Id add_object_array() {
    std::vector<Id> elements(random_.below(24));
    for (Id& element : elements) {
      element = heap_.add_object(integer_, {{"value", random_.next()}});
    }
    return heap_.add_array("java.lang.Object[]", elements);
  }

  Id add_list() {
    const std::uint64_t length = random_.below(12);
    const Id list = heap_.reserve(24);
    Id first = 0;
    Id previous = 0;
    Id here = heap_.reserve(24);
    for (std::uint64_t i = 0; i < length; ++i) {
      const Id next = i + 1 < length ? heap_.reserve(24) : 0;
      heap_.add_object(
          link_, {{"item", add_key(random_.next())}, {"next", next}, {"prev", previous}}, here);
      first = first == 0 ? here : first;
      previous = here;
      here = next;
    }
    return heap_.add_object(list_, {{"size", length}, {"first", first}, {"last", previous}}, list);
  }

  HeapBuilder heap_;
  Random random_;
  Id map_;
  Id node_;
  Id integer_;
  Id list_;
  Id link_;
  Id session_;
  std::vector<Id> shared_texts_;
};

}  // namespace

void write_mixed_heap(const std::string& path, std::uint64_t megabytes) {
  MixedHeap(path).fill(megabytes * kMegabyte);
}

}  // namespace hprof::test
