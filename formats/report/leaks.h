#pragma once

#include "formats/report/fields.h"
#include "formats/report/paths.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// A single object that holds much, or many objects of one class that do so together.
enum class SuspectKind { single, group };

template <>
struct Words<SuspectKind> {
  static constexpr std::array<std::string_view, 2> kWords{"single", "group"};
};

/// One object as it is shown.
struct ObjectRef {
  Address address;
  std::string class_name;
  std::string label;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;

  bool operator==(const ObjectRef&) const = default;
  static constexpr auto kName = "ObjectRef";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the object");
    visit("class", self.class_name, "Java name of its class");
    visit("label", self.label, "how the object is named in text");
    visit("shallow", self.shallow, "its shallow size in bytes");
    visit("retained", self.retained, "its retained size in bytes");
  }
};

/// Objects of a class, taken together.
struct ClassShare {
  std::string class_name;
  Address class_address;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::optional<std::uint64_t> retained = std::nullopt;

  bool operator==(const ClassShare&) const = default;
  static constexpr auto kName = "ClassShare";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("class_address", self.class_address, "address of the class object");
    visit("objects", self.objects, "how many objects");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained,
          "sum of their retained sizes in bytes; only where none of them retains another");
  }
};

/// How deep a tree of dominated objects may be in a report.
inline constexpr unsigned kMostTreeDepth = 50;

/// An object with the largest of those that it dominates directly.
struct DominatedObject {
  Address address;
  std::string label;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::vector<DominatedObject> children;

  bool operator==(const DominatedObject&) const = default;
  static constexpr auto kName = "DominatedObject";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the object");
    visit("label", self.label, "how the object is named in text");
    visit("shallow", self.shallow, "its shallow size in bytes");
    visit("retained", self.retained, "its retained size in bytes");
    visit("children", self.children,
          "the largest objects that it dominates directly, by descending retained size; what they "
          "lack of its retained size is in smaller ones and in deeper levels");
  }
};

/// What an accumulation point dominates directly.
struct Accumulated {
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::vector<ClassShare> classes;
  std::vector<ObjectRef> largest;

  bool operator==(const Accumulated&) const = default;
  static constexpr auto kName = "Accumulated";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("objects", self.objects, "objects that it dominates directly");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained, "sum of their retained sizes in bytes");
    visit("classes", self.classes, "by class, the largest retained sums");
    visit("largest", self.largest, "the largest ones by retained size");
  }
};

/// One of several references that lead to the same objects.
struct SharingReference {
  Holder holder;
  ObjectRef object;

  bool operator==(const SharingReference&) const = default;
  static constexpr auto kName = "SharingReference";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("holder", self.holder, "the reference, as it is met first on the way to the objects");
    visit("object", self.object,
          "what it references, or the object that has the field where that is one of the objects "
          "themselves; no more than this retains is freed where the reference alone goes");
  }
};

/// Objects right under an accumulation point that no single one of its references keeps alive.
struct HeldTogether {
  std::vector<ClassShare> classes;
  std::vector<SharingReference> references;

  bool operator==(const HeldTogether&) const = default;
  static constexpr auto kName = "HeldTogether";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit(
        "classes", self.classes,
        "classes of the objects, with the figures of the accumulation point's table: together half "
        "of what the point retains, or the largest part of it");
    visit("references", self.references,
          "references that lead to them, those first that lead to most; not necessarily all");
  }
};

/// A stack frame with the locals in it that have to do with a suspect.
struct SuspectFrame {
  std::string frame;
  std::string method;
  std::vector<ObjectRef> locals;

  bool operator==(const SuspectFrame&) const = default;
  static constexpr auto kName = "SuspectFrame";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("frame", self.frame, "as stack traces print it");
    visit("method", self.method, "class, method and signature");
    visit("locals", self.locals,
          "locals that lie on the path or retain more than a tenth of the suspect");
  }
};

/// The thread that is the suspect or keeps it alive.
struct SuspectThread {
  ObjectRef thread;
  std::optional<std::string> name;
  std::vector<SuspectFrame> frames;
  std::uint64_t frames_left_out = 0;

  bool operator==(const SuspectThread&) const = default;
  static constexpr auto kName = "SuspectThread";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("thread", self.thread, "the thread object");
    visit("name", self.name, "the thread's name");
    visit("frames", self.frames, "its stack, innermost frame first");
    visit("frames_left_out", self.frames_left_out, "frames of a deep stack that are not listed");
  }
};

struct Suspect {
  SuspectKind kind = SuspectKind::single;
  std::string class_name;
  std::optional<Address> address;
  std::string label;
  Address class_address;
  std::string loader_label;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  std::vector<std::string> root_types;
  std::optional<ObjectRef> accumulation_point;
  std::vector<PathStep> common_path;
  std::optional<std::uint64_t> common_path_left_out;
  std::optional<ReferencePath> why_alive;
  std::optional<Holder> holder;
  std::optional<Holder> anchor;
  std::optional<Holder> largest_static;
  std::optional<HeldTogether> held_together;
  std::optional<SuspectThread> thread;
  std::optional<std::vector<ClassShare>> retained_classes;
  std::optional<std::uint64_t> same_point_as;
  std::optional<Accumulated> accumulated;
  std::optional<DominatedObject> tree;
  std::optional<std::vector<std::string>> keywords;

  bool operator==(const Suspect&) const = default;
  static constexpr auto kName = "Suspect";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind, "one object, or the remaining top-level objects of one class");
    visit("class", self.class_name, "Java name of the object's or objects' class");
    visit("address", self.address, "address of a single suspect");
    visit("label", self.label, "how the suspect is named in text");
    visit("class_address", self.class_address, "address of the class object");
    visit("loader_label", self.loader_label,
          "class loader of the class, or of the class that a class object stands for");
    visit("instances", self.instances, "number of objects; 1 for a single suspect");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained, "sum of their retained sizes in bytes");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
    visit("root_types", self.root_types,
          "kinds of the GC roots from which the suspect is reached on the shortest way, itself one "
          "or not");
    visit("accumulation_point", self.accumulation_point,
          "the object under which the memory gathers, if there is one");
    visit("common_path", self.common_path,
          "group: what the shortest paths from a GC root to most instances share; ends at the "
          "accumulation point, if any");
    visit("common_path_left_out", self.common_path_left_out,
          "objects left out of the middle of a long common path");
    visit(
        "why_alive", self.why_alive,
        "shortest path from a GC root to the accumulation point, without one to the suspect; of a "
        "group without one to its largest instance");
    visit("holder", self.holder,
          "nearest field on the path of a class outside the JDK; without one the nearest static "
          "field or local; none where a field of the JDK leads to a class, which its loader keeps");
    visit("anchor", self.anchor,
          "static field or local nearest to the holder on the way to it, where the holder is "
          "neither");
    visit(
        "largest_static", self.largest_static,
        "where the accumulation point is a class: the static field that holds the largest of what "
        "it dominates");
    visit("held_together", self.held_together,
          "where most of what the accumulation point retains is held by several of its references "
          "at once: what that is, and by which");
    visit("thread", self.thread, "thread that is the suspect or on the path to it");
    visit(
        "retained_classes", self.retained_classes,
        "what the suspect retains, by class, class objects with the class that they stand for: the "
        "largest shallow sums");
    visit("same_point_as", self.same_point_as,
          "number, from 1, of an earlier suspect with the same accumulation point; what that point "
          "holds is told there alone");
    visit("accumulated", self.accumulated, "what the accumulation point dominates directly");
    visit("tree", self.tree, "dominator tree under the accumulation point");
    visit("keywords", self.keywords, "names to search for");
  }
};

/// Top-level objects, alone or by class, that retain more than the threshold.
struct Leaks {
  std::uint64_t threshold_bp = 0;
  std::uint64_t threshold = 0;
  std::vector<Suspect> suspects;

  bool operator==(const Leaks&) const = default;
  static constexpr auto kName = "Leaks";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("threshold_bp", self.threshold_bp,
          "share of the used heap in basis points above which something is suspect");
    visit("threshold", self.threshold, "the same in bytes");
    visit("suspects", self.suspects, "by descending retained size");
  }
};

}  // namespace hprof
