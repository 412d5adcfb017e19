#pragma once

#include "formats/report/fields.h"
#include "formats/report/leaks.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// A method on a stack; names as the dump has them.
struct StackFrameRow {
  std::string class_name;
  std::string method;
  std::string signature;
  std::string source;
  std::optional<std::uint64_t> line;
  bool native = false;

  bool operator==(const StackFrameRow&) const = default;
  static constexpr auto kName = "StackFrameRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class; empty where the dump has none");
    visit("method", self.method, "name of the method");
    visit("signature", self.signature, "its signature in the JVM's form");
    visit("source", self.source, "source file; empty where the dump has none");
    visit("line", self.line, "line in it, where it is known");
    visit("native", self.native, "the method is native");
  }
};

/// A stack that one thread or several have, frame by frame.
struct StackRow {
  std::uint64_t threads = 0;
  std::uint64_t virtual_threads = 0;
  std::uint64_t retained = 0;
  std::uint64_t depth = 0;
  std::vector<StackFrameRow> frames;

  bool operator==(const StackRow&) const = default;
  static constexpr auto kName = "StackRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("threads", self.threads, "threads that have exactly this stack");
    visit("virtual_threads", self.virtual_threads, "those of them that are virtual");
    visit("retained", self.retained,
          "what each of these threads retains, added up in bytes, nothing counted twice");
    visit("depth", self.depth, "frames that the stack has");
    visit("frames", self.frames, "the frames from the top; of a very deep stack the uppermost");
  }
};

/// An object on the stack of a thread.
struct LocalRow {
  std::optional<std::uint64_t> frame;
  std::string root_type;
  bool held_elsewhere = false;
  ObjectRef object;

  bool operator==(const LocalRow&) const = default;
  static constexpr auto kName = "LocalRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("frame", self.frame, "frame that holds it, 0 is the top; absent: no Java frame");
    visit("root_type", self.root_type, "Java Local, JNI Local, Native Stack or Thread Block");
    visit("held_elsewhere", self.held_elsewhere,
          "it would stay alive without this thread, and all that it retains");
    visit("object", self.object, "the object");
  }
};

/// The locals of one frame.
struct FrameLocals {
  std::optional<std::uint64_t> frame;
  std::string root_type;
  std::uint64_t locals = 0;
  std::uint64_t retained = 0;
  std::optional<std::uint64_t> largest;

  bool operator==(const FrameLocals&) const = default;
  static constexpr auto kName = "FrameLocals";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("frame", self.frame, "place on the stack, 0 is the top; absent: no Java frame");
    visit("root_type", self.root_type, "Java Local, JNI Local, Native Stack or Thread Block");
    visit("locals", self.locals, "distinct objects, the thread itself left out");
    visit("retained", self.retained,
          "what each of them retains, added up in bytes, nothing counted twice; what other frames "
          "or threads hold, too, is in it");
    visit("largest", self.largest, "bytes that the one of them retains that retains most");
  }
};

/// What makes a thread the one that ran out of memory.
enum class OutOfMemorySign { thrown, local };
template <>
struct Words<OutOfMemorySign> {
  static constexpr std::array<std::string_view, 2> kWords{"thrown", "local"};
};

enum class ThreadKind { platform, virtual_thread };
template <>
struct Words<ThreadKind> {
  static constexpr std::array<std::string_view, 2> kWords{"platform", "virtual"};
};

/// A reachable thread object.
struct ThreadRow {
  Address address;
  std::string class_name;
  std::optional<std::string> name;
  ThreadKind kind = ThreadKind::platform;
  std::optional<bool> daemon;
  std::optional<std::uint64_t> priority;
  std::optional<std::string> state;
  std::optional<std::string> state_detail;
  std::optional<std::uint64_t> state_value;
  std::optional<std::string> context_class_loader;
  std::optional<Address> carrier;
  std::optional<OutOfMemorySign> out_of_memory;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  std::uint64_t locals = 0;
  std::uint64_t locals_retained = 0;
  std::optional<ObjectRef> largest_local;
  std::optional<bool> largest_local_elsewhere;
  std::uint64_t depth = 0;
  std::optional<std::uint64_t> stack;
  std::optional<std::vector<FrameLocals>> frames;
  std::optional<std::vector<LocalRow>> largest_locals;

  bool operator==(const ThreadRow&) const = default;
  static constexpr auto kName = "ThreadRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    field_values(self, visit);
    figures(self, visit);
  }

 private:
  template <typename Self, typename Visitor>
  static void field_values(Self& self, Visitor& visit) {
    visit("address", self.address, "where the thread object lies");
    visit("class", self.class_name, "Java name of its class");
    visit("name", self.name, "the thread's name, where the dump was there to read it");
    visit("kind", self.kind, "platform or virtual");
    visit("daemon", self.daemon, "does not keep the JVM running; where the object says so");
    visit("priority", self.priority, "Java priority, 1 to 10");
    visit("state", self.state, "as java.lang.Thread.State");
    visit("state_detail", self.state_detail, "the JVM's finer words for it");
    visit("state_value", self.state_value,
          "the number behind it: JVMTI thread state bits, or the state of a virtual thread");
    visit("context_class_loader", self.context_class_loader, "class and address; absent: none");
    visit("carrier", self.carrier, "the thread that a virtual thread is mounted on");
    visit("out_of_memory", self.out_of_memory,
          "thrown: it was throwing OutOfMemoryError when the heap was dumped; local: it holds one");
  }

  template <typename Self, typename Visitor>
  static void figures(Self& self, Visitor& visit) {
    visit("shallow", self.shallow, "shallow size in bytes");
    visit("retained", self.retained, "retained size in bytes");
    visit("retained_bp", self.retained_bp, "retained size in basis points of the used heap");
    visit("locals", self.locals, "distinct objects on its stack, itself left out");
    visit("locals_retained", self.locals_retained,
          "bytes that would be freed if none of them were on its stack, exactly: without what its "
          "fields, other threads or anything else hold, too");
    visit("largest_local", self.largest_local, "the one of them that retains most");
    visit("largest_local_elsewhere", self.largest_local_elsewhere,
          "that one would stay alive without this thread; absent: it would not");
    visit("depth", self.depth, "frames of its stack; 0: the dump has no stack of it");
    visit("stack", self.stack, "its stack's place in stacks; absent: it is not among them");
    visit("frames", self.frames,
          "the locals of each frame, of very many frames those that retain most; absent: not among "
          "the threads shown in detail");
    visit("largest_locals", self.largest_locals, "the largest locals, by descending retained size");
  }
};

/// Virtual threads that wait off their carriers.
struct UnmountedSums {
  std::uint64_t threads = 0;
  std::uint64_t retained = 0;
  std::uint64_t stack_bytes = 0;

  bool operator==(const UnmountedSums&) const = default;
  static constexpr auto kName = "UnmountedSums";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("threads", self.threads, "number of threads");
    visit("retained", self.retained,
          "what each of them retains, added up in bytes, nothing counted twice");
    visit("stack_bytes", self.stack_bytes,
          "what their stacks take in the heap beside the shallow sizes of the "
          "jdk.internal.vm.StackChunk objects; no other figure includes it");
  }
};

/// The threads of the heap.
struct Threads {
  std::uint64_t total = 0;
  std::uint64_t virtual_threads = 0;
  std::uint64_t mounted = 0;
  std::optional<UnmountedSums> unmounted;
  std::uint64_t without_stack = 0;
  std::uint64_t virtual_without_stack = 0;
  std::uint64_t missing_objects = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  std::uint64_t left_out = 0;
  std::uint64_t distinct_stacks = 0;
  std::vector<ThreadRow> threads;
  std::vector<StackRow> stacks;

  bool operator==(const Threads&) const = default;
  static constexpr auto kName = "Threads";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("total", self.total, "reachable thread objects");
    visit("virtual_threads", self.virtual_threads, "those of them that are virtual");
    visit("mounted", self.mounted, "listed virtual threads that run on a carrier");
    visit("unmounted", self.unmounted,
          "listed virtual threads that have begun, not ended and run on no carrier; absent: none");
    visit("without_stack", self.without_stack, "threads of which the dump has no stack");
    visit("virtual_without_stack", self.virtual_without_stack, "those of them that are virtual");
    visit("missing_objects", self.missing_objects,
          "threads that the dump names but has no object of");
    visit("retained", self.retained,
          "what each thread retains, added up in bytes, nothing counted twice");
    visit("retained_bp", self.retained_bp, "the same in basis points of the used heap");
    visit("left_out", self.left_out, "threads that are not listed, those that retain least");
    visit("distinct_stacks", self.distinct_stacks, "different stacks, listed or not");
    visit("threads", self.threads, "by descending retained size, then by address");
    visit("stacks", self.stacks,
          "stacks of the threads shown in detail and those that most threads have, by descending "
          "number of threads, then retained size");
  }
};

}  // namespace hprof
