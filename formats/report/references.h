#pragma once

#include "formats/report/fields.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// How strongly an object is held: by the weakest reference on the strongest path from a GC root.
/// Also what a reference itself is; all but those in java.lang.ref.Reference.referent are strong.
enum class Strength : std::uint8_t { strong, soft, weak, final, phantom };

template <>
struct Words<Strength> {
  static constexpr std::array<std::string_view, 5> kWords{"strong", "soft", "weak", "final",
                                                          "phantom"};
};

/// Objects of one class among others that the same thing is true of.
struct HeldClass {
  std::string class_name;
  Address class_address;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::optional<std::uint64_t> retained;

  bool operator==(const HeldClass&) const = default;
  static constexpr auto kName = "HeldClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class; java.lang.Class for class objects");
    visit("class_address", self.class_address, "address of the class object");
    visit("objects", self.objects, "how many objects of the class there are among them");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained,
          "sum of their retained sizes in bytes, without those that another of them retains");
  }
};

/// One class of references.
struct ReferenceClass {
  std::string class_name;
  Address class_address;
  Strength strength = Strength::weak;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t cleared = 0;

  bool operator==(const ReferenceClass&) const = default;
  static constexpr auto kName = "ReferenceClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("class_address", self.class_address, "address of the class object");
    visit("strength", self.strength, "how its instances hold their referents");
    visit("instances", self.instances, "reachable direct instances");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("cleared", self.cleared, "instances without a referent");
  }
};

/// All references of one strength.
struct ReferenceKind {
  Strength strength = Strength::weak;
  std::uint64_t instances = 0;
  std::uint64_t cleared = 0;
  std::uint64_t referents = 0;
  std::uint64_t referents_shallow = 0;
  std::uint64_t referents_retained = 0;
  std::uint64_t referent_class_count = 0;
  std::vector<HeldClass> referent_classes;

  bool operator==(const ReferenceKind&) const = default;
  static constexpr auto kName = "ReferenceKind";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("strength", self.strength, "soft, weak, final or phantom");
    visit("instances", self.instances, "reachable references of this strength");
    visit("cleared", self.cleared, "of these, without a referent");
    visit("referents", self.referents, "objects that are the referent of one or more of them");
    visit("referents_shallow", self.referents_shallow, "sum of their shallow sizes in bytes");
    visit("referents_retained", self.referents_retained,
          "sum of their retained sizes in bytes, without those that another of them retains");
    visit("referent_class_count", self.referent_class_count, "classes that referents are of");
    visit("referent_classes", self.referent_classes,
          "the classes whose referents retain most, by descending retained size");
  }
};

/// Reachable objects that are held with one strength and no better.
struct ReachRow {
  Strength strength = Strength::strong;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::uint64_t shallow_bp = 0;
  std::vector<HeldClass> classes;

  bool operator==(const ReachRow&) const = default;
  static constexpr auto kName = "ReachRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("strength", self.strength,
          "the weakest reference on the strongest path from a GC root to each of them");
    visit("objects", self.objects, "how many there are");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("shallow_bp", self.shallow_bp, "share of the used heap in basis points, rounded down");
    visit("classes", self.classes,
          "the classes with most bytes among them, without retained sizes; none for strong");
  }
};

/// A referent that only its own reference's other fields keep alive.
struct SelfHeldReferent {
  Address address;
  std::string label;
  std::uint64_t retained = 0;
  Address reference_address;
  std::string reference_class;

  bool operator==(const SelfHeldReferent&) const = default;
  static constexpr auto kName = "SelfHeldReferent";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the referent");
    visit("label", self.label, "how it is named in text");
    visit("retained", self.retained, "its retained size in bytes");
    visit("reference_address", self.reference_address, "address of the reference");
    visit("reference_class", self.reference_class, "Java name of the reference's class");
  }
};

/// Referents that can never be cleared, because the reference itself leads to them strongly, as an
/// entry of a WeakHashMap does whose value holds its key.
struct SelfHeldReferents {
  std::uint64_t objects = 0;
  std::uint64_t references_retained = 0;
  std::vector<SelfHeldReferent> largest;

  bool operator==(const SelfHeldReferents&) const = default;
  static constexpr auto kName = "SelfHeldReferents";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("objects", self.objects,
          "referents that are strongly reachable, but only through their own reference");
    visit("references_retained", self.references_retained,
          "what each of their references retains, added up in bytes, nothing counted twice");
    visit("largest", self.largest, "those whose references retain most");
  }
};

/// Objects with a finalize method that the JVM watches, and those whose turn has come.
struct Finalizers {
  std::uint64_t registered = 0;
  std::uint64_t enqueued = 0;
  std::optional<std::uint64_t> queue_length;
  std::uint64_t waiting = 0;
  std::uint64_t waiting_shallow = 0;
  std::uint64_t waiting_retained = 0;
  std::vector<HeldClass> waiting_classes;

  bool operator==(const Finalizers&) const = default;
  static constexpr auto kName = "Finalizers";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("registered", self.registered, "reachable finalizers with an object");
    visit("enqueued", self.enqueued, "of these, in the queue of the finalizer thread");
    visit("queue_length", self.queue_length, "what the queue itself says of its length");
    visit("waiting", self.waiting, "objects that enqueued finalizers hold");
    visit("waiting_shallow", self.waiting_shallow, "sum of their shallow sizes in bytes");
    visit("waiting_retained", self.waiting_retained,
          "sum of their retained sizes in bytes, without those that another of them retains");
    visit("waiting_classes", self.waiting_classes,
          "the classes whose waiting objects retain most, by descending retained size");
  }
};

/// One buffer outside the heap.
struct BufferRow {
  Address address;
  std::string class_name;
  std::uint64_t capacity = 0;
  Address memory;
  bool mapped = false;

  bool operator==(const BufferRow&) const = default;
  static constexpr auto kName = "BufferRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the buffer object");
    visit("class", self.class_name, "Java name of its class");
    visit("capacity", self.capacity, "bytes outside the heap");
    visit("memory", self.memory, "where they lie");
    visit("mapped", self.mapped, "true: a file that is mapped into memory");
  }
};

/// Memory outside the heap that java.nio buffers stand for; views of a buffer add nothing.
struct DirectBuffers {
  std::uint64_t buffers = 0;
  std::uint64_t capacity = 0;
  std::uint64_t mapped_buffers = 0;
  std::uint64_t mapped_capacity = 0;
  std::uint64_t freed = 0;
  std::uint64_t views = 0;
  std::uint64_t foreign = 0;
  std::uint64_t foreign_capacity = 0;
  std::optional<std::uint64_t> jvm_count;
  std::optional<std::uint64_t> jvm_capacity;
  std::optional<std::uint64_t> jvm_reserved;
  std::optional<std::uint64_t> jvm_limit;
  std::vector<BufferRow> largest;

  bool operator==(const DirectBuffers&) const = default;
  static constexpr auto kName = "DirectBuffers";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("buffers", self.buffers, "direct buffers that own memory");
    visit("capacity", self.capacity, "sum of their capacities in bytes");
    visit("mapped_buffers", self.mapped_buffers, "buffers that own a mapped part of a file");
    visit("mapped_capacity", self.mapped_capacity, "sum of their capacities in bytes");
    visit("freed", self.freed, "buffers whose memory has been given back already; not counted");
    visit("views", self.views, "slices, duplicates and typed views of other buffers; not counted");
    visit("foreign", self.foreign, "buffers over memory that native code or a segment owns");
    visit("foreign_capacity", self.foreign_capacity,
          "sum of their capacities in bytes; several may lie over the same memory");
    visit("jvm_count", self.jvm_count, "java.nio.Bits: number of direct buffers");
    visit("jvm_capacity", self.jvm_capacity, "java.nio.Bits: sum of their capacities in bytes");
    visit("jvm_reserved", self.jvm_reserved,
          "java.nio.Bits: bytes reserved for them, page alignment included");
    visit("jvm_limit", self.jvm_limit, "java.nio.Bits: most bytes that may be reserved");
    visit("largest", self.largest, "by descending capacity");
  }
};

/// The ThreadLocals of one thread.
struct ThreadLocalRow {
  Address thread;
  std::string name;
  std::uint64_t entries = 0;
  std::uint64_t stale = 0;
  std::uint64_t retained = 0;
  std::uint64_t stale_retained = 0;

  bool operator==(const ThreadLocalRow&) const = default;
  static constexpr auto kName = "ThreadLocalRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("thread", self.thread, "address of the thread; 0x0: entries of no thread's table");
    visit("name", self.name, "name of the thread, or its class where it has none");
    visit("entries", self.entries, "entries of its tables");
    visit("stale", self.stale, "of these, with a cleared key: nothing can ask for the value again");
    visit("retained", self.retained,
          "what each entry retains, added up in bytes, nothing counted twice");
    visit("stale_retained", self.stale_retained, "the same of the stale ones");
  }
};

/// A large entry of a ThreadLocal table.
struct ThreadLocalValue {
  Address entry;
  Address thread;
  bool stale = false;
  std::optional<std::string> key_class;
  std::optional<Address> value;
  std::optional<std::string> value_class;
  std::uint64_t retained = 0;

  bool operator==(const ThreadLocalValue&) const = default;
  static constexpr auto kName = "ThreadLocalValue";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("entry", self.entry, "address of the entry");
    visit("thread", self.thread, "address of the thread; 0x0: not in a thread's table");
    visit("stale", self.stale, "its key is cleared");
    visit("key_class", self.key_class, "Java name of the ThreadLocal's class");
    visit("value", self.value, "address of the value");
    visit("value_class", self.value_class, "Java name of the value's class");
    visit("retained", self.retained, "bytes that the entry retains");
  }
};

/// Entries of the ThreadLocal tables of all threads.
struct ThreadLocals {
  std::uint64_t entries = 0;
  std::uint64_t stale = 0;
  std::uint64_t retained = 0;
  std::uint64_t stale_retained = 0;
  std::uint64_t thread_count = 0;
  std::vector<ThreadLocalRow> threads;
  std::vector<ThreadLocalValue> largest;

  bool operator==(const ThreadLocals&) const = default;
  static constexpr auto kName = "ThreadLocals";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("entries", self.entries, "reachable entries");
    visit("stale", self.stale, "of these, with a cleared key");
    visit("retained", self.retained,
          "what each entry retains, added up in bytes, nothing counted twice");
    visit("stale_retained", self.stale_retained, "the same of the stale ones");
    visit("thread_count", self.thread_count, "threads with entries");
    visit("threads", self.threads, "those whose entries retain most");
    visit("largest", self.largest, "the entries that retain most");
  }
};

/// References that the garbage collector treats specially, and what hangs on them.
struct References {
  std::vector<ReachRow> reachability;
  std::vector<ReferenceKind> kinds;
  std::vector<ReferenceClass> classes;
  std::optional<SelfHeldReferents> self_held;
  std::optional<Finalizers> finalizers;
  std::optional<DirectBuffers> direct_buffers;
  std::optional<ThreadLocals> thread_locals;

  bool operator==(const References&) const = default;
  static constexpr auto kName = "References";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("reachability", self.reachability,
          "the used heap by how strongly objects are held; rows add up to all of it");
    visit("kinds", self.kinds, "references by strength");
    visit("classes", self.classes,
          "classes of references that have instances, by descending number of them");
    visit("self_held", self.self_held, "referents that their own references keep alive");
    visit("finalizers", self.finalizers, "objects with a finalize method");
    visit("direct_buffers", self.direct_buffers, "java.nio buffers outside the heap");
    visit("thread_locals", self.thread_locals, "entries of ThreadLocal tables");
  }
};

}  // namespace hprof
