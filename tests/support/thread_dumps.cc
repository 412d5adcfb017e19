// Threads as JDK 21 and later have them.
#include "tests/support/hprof_builder.h"
#include "tests/support/story_dumps.h"

#include <cstdint>
#include <string>

namespace hprof::test {
namespace {

constexpr std::uint32_t kRunnable = 0x5;
constexpr std::uint32_t kParked = 0x291;
constexpr std::uint32_t kVirtualRunning = 2;
constexpr std::uint32_t kVirtualParked = 4;

class ThreadHeap {
 public:
  explicit ThreadHeap(const std::string& path)
      : heap_(
            {.reference_size = 4, .thread_fields = {{"name"}, {"contextClassLoader"}, {"holder"}}},
            path),
        thread_(heap_.class_named("java.lang.Thread")),
        holder_(heap_.add_class({.name = "java.lang.Thread$FieldHolder",
                                 .fields = {{"priority", Type::int32},
                                            {"daemon", Type::boolean},
                                            {"threadStatus", Type::int32}}})),
        chunk_(
            heap_.add_class({.name = "jdk.internal.vm.StackChunk",
                             .fields = {{"parent"}, {"size", Type::int32}, {"sp", Type::int32}}})),
        continuation_(
            heap_.add_class({.name = "jdk.internal.vm.Continuation", .fields = {{"tail"}}})),
        server_(heap_.add_class({.name = "demo.Server"})) {
    const Id base = heap_.add_class({.name = "java.lang.BaseVirtualThread", .super = thread_});
    virtual_ = heap_.add_class({.name = "java.lang.VirtualThread",
                                .super = base,
                                .fields = {{"state", Type::int32}, {"carrierThread"}, {"cont"}},
                                .statics = {{"RUNNING", Type::int32, kVirtualRunning},
                                            {"PARKED", Type::int32, kVirtualParked}}});
    heap_.root(Root::sticky_class, server_);
  }

  void fill() {
    const auto main = heap_.start_thread(platform("main", kRunnable), {frame("main", 10)});
    heap_.local(main, heap_.add_zeros(Type::int8, 4000));
    for (const auto* name : {"pool-1", "pool-2", "pool-3"}) {
      const auto worker =
          heap_.start_thread(platform(name, kParked), {frame("take", 70), frame("work", 31)});
      heap_.local(worker, heap_.add_string("the last job"), 1);
    }
    fill_thrower();
    fill_virtual();
    heap_.root(Root::jni_global, platform("not yet started", 0));
    heap_.finish();
  }

 private:
  FrameSpec frame(const char* method, std::int32_t line) const {
    return {.method = method, .source = "Server.java", .class_address = server_, .line = line};
  }

  Id platform(const char* name, std::uint32_t status) {
    const Id holder =
        heap_.add_object(holder_, {{"priority", 5}, {"daemon", 0}, {"threadStatus", status}});
    return heap_.add_object(thread_, {{"name", heap_.add_string(name)}, {"holder", holder}});
  }

  Id virtual_thread(const char* name, std::uint32_t state, Id carrier, Id continuation) {
    return heap_.add_object(virtual_, {{"name", heap_.add_string(name)},
                                       {"state", state},
                                       {"carrierThread", carrier},
                                       {"cont", continuation}});
  }

  Id parked_stack(std::uint32_t words) {
    return heap_.add_object(continuation_, {{"tail", heap_.add_object(chunk_, {{"size", words}})}});
  }

  void fill_thrower() {
    const Id error = heap_.add_class({.name = "java.lang.OutOfMemoryError"});
    const FrameSpec constructor{
        .method = "<init>", .source = "OutOfMemoryError.java", .class_address = error, .line = 48};
    const auto thrower =
        heap_.start_thread(platform("loader", kRunnable), {constructor, frame("load", 92)});
    heap_.local(thrower, heap_.add_object(error));
    heap_.local(thrower, heap_.add_zeros(Type::int8, 600), 1);
  }

  /// One that runs, one whose stack the dump has (JDK 22 and later), one whose stack it lacks.
  void fill_virtual() {
    const Id carrier = platform("ForkJoinPool-1-worker-1", kRunnable);
    heap_.start_thread(carrier, {});
    const auto running = heap_.start_thread(
        virtual_thread("request-1", kVirtualRunning, carrier, 0), {frame("answer", 55)});
    heap_.local(running, heap_.add_zeros(Type::int8, 300));
    const auto parked =
        heap_.start_thread(virtual_thread("request-2", kVirtualParked, 0, parked_stack(60)),
                           {frame("take", 70), frame("answer", 53)});
    heap_.local(parked, heap_.add_zeros(Type::int8, 900), 1);
    heap_.root(Root::jni_global, virtual_thread("request-3", kVirtualParked, 0, parked_stack(200)));
  }

  HeapBuilder heap_;
  Id thread_;
  Id holder_;
  Id chunk_;
  Id continuation_;
  Id server_;
  Id virtual_ = 0;
};

}  // namespace

void write_threads(const std::string& path, std::uint64_t) {
  ThreadHeap(path).fill();
}

}  // namespace hprof::test
