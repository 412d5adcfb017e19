// What java.lang.ref, ThreadLocals and direct buffers look like in a heap.
#include "tests/support/hprof_builder.h"
#include "tests/support/story_dumps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::test {
namespace {

class ReferenceHeap {
 public:
  explicit ReferenceHeap(const std::string& path)
      : heap_({.reference_size = 4, .thread_fields = {{"name"}, {"threadLocals"}}}, path),
        reference_(heap_.add_class(
            {.name = "java.lang.ref.Reference", .fields = {{"referent"}, {"queue"}, {"next"}}})),
        weak_(kind_of_reference("java.lang.ref.WeakReference")),
        soft_(kind_of_reference("java.lang.ref.SoftReference")),
        page_(heap_.add_class({.name = "demo.Page", .fields = {{"text"}}})) {}

  void fill() {
    const Id holders =
        heap_.add_array("java.lang.Object[]", {soft_cache(), weak_map(), direct_buffers()});
    heap_.root(
        Root::sticky_class,
        heap_.add_class({.name = "demo.Library", .statics = {{"SHELVES", Type::object, holders}}}));
    add_finalizers();
    add_thread_locals();
    heap_.finish();
  }

 private:
  Id kind_of_reference(const char* name) {
    return heap_.add_class({.name = name, .super = reference_});
  }

  Id page(std::uint32_t bytes) {
    return heap_.add_object(page_, {{"text", heap_.add_zeros(Type::int8, bytes)}});
  }

  /// Three pages that only soft references hold, a cleared reference, a page that is held, too.
  Id soft_cache() {
    std::vector<Id> slots{heap_.add_object(soft_)};
    for (std::uint32_t i = 0; i < 3; ++i) {
      slots.push_back(heap_.add_object(soft_, {{"referent", page(2000 + i)}}));
    }
    slots.push_back(page(100));
    slots.push_back(heap_.add_object(weak_, {{"referent", slots.back()}}));
    return heap_.add_array("java.lang.Object[]", slots);
  }

  /// From pages to outlines, each of which leads back to its page.
  Id weak_map() {
    const Id entry = heap_.add_class({.name = "java.util.WeakHashMap$Entry",
                                      .super = weak_,
                                      .fields = {{"value"}, {"hash", Type::int32}}});
    const Id outline = heap_.add_class({.name = "demo.Outline", .fields = {{"page"}}});
    std::vector<Id> table(16);
    for (std::size_t i = 0; i < 5; ++i) {
      const Id key = page(500);
      table[3 * i] = heap_.add_object(
          entry, {{"referent", key}, {"value", heap_.add_object(outline, {{"page", key}})}});
    }
    const Id map = heap_.add_class(
        {.name = "java.util.WeakHashMap", .fields = {{"table"}, {"size", Type::int32}}});
    return heap_.add_object(
        map, {{"table", heap_.add_array("java.util.WeakHashMap$Entry[]", table)}, {"size", 5}});
  }

  /// One that owns 64 KiB outside the heap, and a view of it.
  Id direct_buffers() {
    const Id deallocator =
        heap_.add_class({.name = "java.nio.DirectByteBuffer$Deallocator",
                         .fields = {{"address", Type::int64}, {"size", Type::int64}}});
    const Id cleaner = heap_.add_class({.name = "jdk.internal.ref.Cleaner", .fields = {{"thunk"}}});
    const Id buffer = heap_.add_class(
        {.name = "java.nio.Buffer",
         .fields = {{"capacity", Type::int32}, {"address", Type::int64}, {"att"}, {"cleaner"}}});
    const Id direct = heap_.add_class({.name = "java.nio.DirectByteBuffer", .super = buffer});
    constexpr std::uint64_t kMemory = 0x7f0000000000;
    constexpr std::uint64_t kBytes = 65'536;
    const Id thunk = heap_.add_object(deallocator, {{"address", kMemory}, {"size", kBytes}});
    const Id owner =
        heap_.add_object(direct, {{"capacity", kBytes},
                                  {"address", kMemory},
                                  {"cleaner", heap_.add_object(cleaner, {{"thunk", thunk}})}});
    const Id view =
        heap_.add_object(direct, {{"capacity", kBytes / 2}, {"address", kMemory}, {"att", owner}});
    return heap_.add_array("java.nio.Buffer[]", {owner, view});
  }

  /// Two handles that wait for their finalizer, and one that is in use.
  void add_finalizers() {
    const Id enqueued = heap_.reserve();
    const Id queue_class = heap_.add_class({.name = "java.lang.ref.ReferenceQueue",
                                            .fields = {{"head"}, {"queueLength", Type::int64}},
                                            .statics = {{"ENQUEUED", Type::object, enqueued}}});
    heap_.add_object(queue_class, {}, enqueued);
    heap_.root(Root::sticky_class, queue_class);
    const Id queue = heap_.add_object(queue_class, {{"queueLength", 2}});
    const Id unfinalized = heap_.reserve();
    const Id finalizer = heap_.add_class(
        {.name = "java.lang.ref.Finalizer",
         .super = kind_of_reference("java.lang.ref.FinalReference"),
         .statics = {{"queue", Type::object, queue}, {"unfinalized", Type::object, unfinalized}}});
    heap_.root(Root::sticky_class, finalizer);
    const Id handle = heap_.add_class({.name = "demo.Handle", .fields = {{"buffer"}}});
    const auto made = [&] {
      return heap_.add_object(handle, {{"buffer", heap_.add_zeros(Type::int8, 1500)}});
    };
    Id waiting = 0;
    for (int i = 0; i < 2; ++i) {
      waiting = heap_.add_object(finalizer,
                                 {{"referent", made()}, {"queue", enqueued}, {"next", waiting}});
    }
    heap_.root(Root::jni_global, waiting);
    heap_.add_object(finalizer, {{"referent", made()}, {"queue", queue}}, unfinalized);
  }

  /// A thread with a value whose ThreadLocal is gone, and one whose ThreadLocal a class holds.
  void add_thread_locals() {
    const Id local = heap_.add_object(heap_.add_class({.name = "java.lang.ThreadLocal"}));
    heap_.root(Root::sticky_class, heap_.add_class({.name = "demo.Request",
                                                    .statics = {{"USER", Type::object, local}}}));
    const Id entry = heap_.add_class({.name = "java.lang.ThreadLocal$ThreadLocalMap$Entry",
                                      .super = weak_,
                                      .fields = {{"value"}}});
    const Id map = heap_.add_class({.name = "java.lang.ThreadLocal$ThreadLocalMap",
                                    .fields = {{"table"}, {"size", Type::int32}}});
    const Id live =
        heap_.add_object(entry, {{"referent", local}, {"value", heap_.add_string("ada")}});
    const Id stale = heap_.add_object(entry, {{"value", page(700)}});
    const Id table =
        heap_.add_array("java.lang.ThreadLocal$ThreadLocalMap$Entry[]", {0, live, stale, 0});
    heap_.start_thread(heap_.add_object(heap_.class_named("java.lang.Thread"),
                                        {{"name", heap_.add_string("request-1")},
                                         {"threadLocals",
                                          heap_.add_object(map, {{"table", table}, {"size", 2}})}}),
                       {{.method = "serve", .class_address = page_}});
  }

  HeapBuilder heap_;
  Id reference_;
  Id weak_;
  Id soft_;
  Id page_;
};

}  // namespace

void write_references(const std::string& path, std::uint64_t) {
  ReferenceHeap(path).fill();
}

}  // namespace hprof::test
