#pragma once

#include "formats/report/fields.h"
#include "formats/report/overview.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// An unreachable object from which others are reached, but which no other unreachable object
/// references, or one for each such cycle.
struct GarbageRoot {
  Address address;
  std::string class_name;
  std::string label;
  bool in_cycle = false;
  std::uint64_t shallow = 0;
  std::uint64_t objects = 0;
  std::uint64_t reached_shallow = 0;

  bool operator==(const GarbageRoot&) const = default;
  static constexpr auto kName = "GarbageRoot";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the object");
    visit("class", self.class_name, "Java name of its class");
    visit("label", self.label, "how it is named in text");
    visit("in_cycle", self.in_cycle,
          "it stands for a cycle of objects that nothing else references");
    visit("shallow", self.shallow, "its shallow size in bytes");
    visit("objects", self.objects,
          "unreachable objects that are reached first from here, itself too");
    visit("reached_shallow", self.reached_shallow, "sum of their shallow sizes in bytes");
  }
};

/// Garbage roots of one class.
struct GarbageRootClass {
  std::string class_name;
  Address class_address;
  std::uint64_t roots = 0;
  std::uint64_t objects = 0;
  std::uint64_t reached_shallow = 0;

  bool operator==(const GarbageRootClass&) const = default;
  static constexpr auto kName = "GarbageRootClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("class_address", self.class_address, "address of the class object");
    visit("roots", self.roots, "garbage roots of this class");
    visit("objects", self.objects, "unreachable objects that are reached first from them");
    visit("reached_shallow", self.reached_shallow, "sum of their shallow sizes in bytes");
  }
};

/// What the unreachable objects once were: structures by their topmost objects. Each object counts
/// once, with the garbage root from which it is reached first, roots taken by address.
struct Garbage {
  std::uint64_t roots = 0;
  std::uint64_t cycles = 0;
  std::vector<GarbageRoot> largest;
  std::uint64_t root_class_count = 0;
  std::vector<GarbageRootClass> root_classes;
  std::uint64_t filler_objects = 0;
  std::uint64_t filler_shallow = 0;
  std::uint64_t lone_int_arrays = 0;
  std::uint64_t lone_int_arrays_shallow = 0;
  std::uint64_t lone_objects = 0;
  std::uint64_t lone_objects_shallow = 0;

  bool operator==(const Garbage&) const = default;
  static constexpr auto kName = "Garbage";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("roots", self.roots, "garbage roots, one for each cycle included");
    visit("cycles", self.cycles, "of these, such that stand for a cycle");
    visit("largest", self.largest, "those from which most bytes are reached");
    visit("root_class_count", self.root_class_count, "classes that garbage roots are of");
    visit("root_classes", self.root_classes, "those from whose roots most bytes are reached");
    visit("filler_objects", self.filler_objects,
          "objects of classes that the garbage collector fills gaps with and nothing else is of "
          "(JDK 19 and later); filler for certain");
    visit("filler_shallow", self.filler_shallow, "sum of their shallow sizes in bytes");
    visit("lone_int_arrays", self.lone_int_arrays,
          "unreachable int[] that nothing references: likely filler, since collectors fill gaps "
          "with int[], and with FillerElement[], which dumps write as int[]");
    visit("lone_int_arrays_shallow", self.lone_int_arrays_shallow,
          "sum of their shallow sizes in bytes");
    visit("lone_objects", self.lone_objects,
          "unreachable java.lang.Object that nothing references: likely filler of the smallest "
          "gaps; 0 without such int[], where an int[] can be as small (compressed references), and "
          "where the JVM has a class of its own for these");
    visit("lone_objects_shallow", self.lone_objects_shallow, "sum of their shallow sizes in bytes");
  }
};

/// Objects that no GC root reaches; by class they are in the overview too.
struct Unreachable {
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::vector<CompositionRow> composition;
  std::optional<Garbage> garbage;

  bool operator==(const Unreachable&) const = default;
  static constexpr auto kName = "Unreachable";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("objects", self.objects, "objects that no GC root reaches");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("composition", self.composition, "by kind of object");
    visit("garbage", self.garbage, "by the topmost objects of what they were");
  }
};

}  // namespace hprof
