#pragma once

#include "formats/report/fields.h"
#include "formats/report/top.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// Objects of one class in a component.
struct ComponentClass {
  std::string class_name;
  Address class_address;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;

  bool operator==(const ComponentClass&) const = default;
  static constexpr auto kName = "ComponentClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("class_address", self.class_address, "address of the class object");
    visit("instances", self.instances, "direct instances in the set");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
  }
};

/// Some of the arrays of a row.
struct FillPart {
  std::uint64_t arrays = 0;
  std::uint64_t shallow = 0;

  bool operator==(const FillPart&) const = default;
  static constexpr auto kName = "FillPart";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("arrays", self.arrays, "how many they are");
    visit("shallow", self.shallow, "their bytes");
  }
};

/// Object arrays of one class by how much of them is used.
struct ComponentFill {
  std::uint64_t most_bp = 0;
  std::uint64_t arrays = 0;
  std::uint64_t shallow = 0;
  std::uint64_t unused_bytes = 0;
  std::optional<FillPart> own_class;
  std::optional<FillPart> at_end;

  bool operator==(const ComponentFill&) const = default;
  static constexpr auto kName = "ComponentFill";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("most_bp", self.most_bp,
          "largest share of slots in use in this row in basis points; rows end as those of "
          "arrays.fill");
    visit("arrays", self.arrays, "arrays with slots in this row");
    visit("shallow", self.shallow, "their bytes");
    visit("unused_bytes", self.unused_bytes, "bytes of slots that lead to no object");
    visit("own_class", self.own_class,
          "those of the arrays that lead to their own class object only; absent: none");
    visit("at_end", self.at_end,
          "those of the others of which exactly most_bp are used, without those that are full; "
          "absent: "
          "none");
  }
};

/// Arrays of one class in a component.
struct ComponentArrays {
  std::string class_name;
  Address class_address;
  std::uint64_t arrays = 0;
  std::uint64_t shallow = 0;
  std::uint64_t zero_length = 0;
  std::uint64_t zero_length_shallow = 0;
  std::optional<std::vector<ComponentFill>> fill;

  bool operator==(const ComponentArrays&) const = default;
  static constexpr auto kName = "ComponentArrays";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the array class");
    visit("class_address", self.class_address, "address of the class object");
    visit("arrays", self.arrays, "arrays of the class in the set");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("zero_length", self.zero_length, "those of them without elements");
    visit("zero_length_shallow", self.zero_length_shallow, "sum of the shallow sizes of these");
    visit(
        "fill", self.fill,
        "by how much of them is used, without empty rows; absent: they have no slots for objects");
  }
};

/// Objects counted together.
struct ObjectSums {
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;

  bool operator==(const ObjectSums&) const = default;
  static constexpr auto kName = "ObjectSums";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("instances", self.instances, "number of objects");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained, "sum of their retained sizes in bytes");
  }
};

/// Everything that would go away with all top-level objects of a component together, if soft, weak,
/// phantom and finalizer references keep nothing alive: also what several of them share. Such sets
/// of two components may overlap.
struct RetainedSet {
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::uint64_t shallow_bp = 0;
  std::uint64_t classes = 0;
  std::uint64_t class_loaders = 0;
  std::vector<ComponentClass> histogram;
  TopConsumers top;
  ObjectSums top_class_objects;
  std::optional<bool> primitive_class_first;
  std::optional<std::vector<ComponentArrays>> arrays;
  std::optional<std::vector<ComponentClass>> soft_references;
  std::optional<std::vector<ComponentClass>> softly_referenced;
  std::optional<std::vector<ComponentClass>> weak_references;
  std::optional<std::vector<ComponentClass>> weakly_referenced;
  std::optional<std::vector<ComponentClass>> with_finalizer;

  bool operator==(const RetainedSet&) const = default;
  static constexpr auto kName = "RetainedSet";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("objects", self.objects, "objects of the set");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("shallow_bp", self.shallow_bp, "share of the used heap in basis points, rounded down");
    visit("classes", self.classes, "classes that have instances in it");
    visit("class_loaders", self.class_loaders, "class loaders that defined these classes");
    visit("histogram", self.histogram, "by descending shallow size, the largest classes");
    visit("top", self.top,
          "the top-level objects of the set; shares and thresholds are of its own size");
    visit("top_class_objects", self.top_class_objects,
          "those of them that are class objects of the component's own loader");
    visit("primitive_class_first", self.primitive_class_first,
          "whether the first of the top-level instances of java.lang.Class by address stands for a "
          "primitive type and is no class object; absent: the set has none");
    visit("arrays", self.arrays, "all array classes of the set, by descending shallow size");
    visit("soft_references", self.soft_references,
          "all classes of soft references in it, by descending shallow size");
    visit("softly_referenced", self.softly_referenced,
          "their referents by class, in the set or not, by descending shallow size");
    visit("weak_references", self.weak_references, "the same of weak references");
    visit("weakly_referenced", self.weakly_referenced, "the same of their referents");
    visit(
        "with_finalizer", self.with_finalizer,
        "objects of the set that a finalizer, in the set or not, watches, by class, by descending "
        "shallow size");
  }
};

/// A class of the top-level objects of a component.
struct ComponentTopClass {
  std::string class_name;
  Address class_address;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;

  bool operator==(const ComponentTopClass&) const = default;
  static constexpr auto kName = "ComponentTopClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name,
          "Java name of the class; class objects count with the class that they stand for");
    visit("class_address", self.class_address, "address of the class object");
    visit("instances", self.instances, "top-level objects of the component with this class");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained, "sum of their retained sizes in bytes");
    visit("retained_bp", self.retained_bp, "share of the component in basis points, rounded down");
  }
};

/// The top-level objects that belong to a class loader, with all that they retain one by one.
struct Component {
  Address address;
  std::string label;
  std::uint64_t top_level_objects = 0;
  std::uint64_t objects = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  std::vector<ComponentTopClass> top_classes;
  std::optional<RetainedSet> retained_set;

  bool operator==(const Component&) const = default;
  static constexpr auto kName = "Component";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the class loader; 0x0 is the boot loader");
    visit("label", self.label, "its class and address");
    visit("top_level_objects", self.top_level_objects,
          "objects that belong to the loader and that no other object dominates");
    visit("objects", self.objects, "these objects and all that they dominate");
    visit("retained", self.retained, "bytes of these objects");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
    visit("top_classes", self.top_classes,
          "by descending retained size: classes of the top-level objects");
    visit("retained_set", self.retained_set,
          "what would go away with the whole component if soft, weak, phantom and finalizer "
          "references keep nothing alive; for those of 1 % and more");
  }
};

/// The components of all class loaders of a class together.
struct LoaderClassRow {
  std::string class_name;
  std::uint64_t class_loaders = 0;
  std::uint64_t objects = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;

  bool operator==(const LoaderClassRow&) const = default;
  static constexpr auto kName = "LoaderClassRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name,
          "Java name of the loaders' class; <system class loader> for the boot loader");
    visit("class_loaders", self.class_loaders, "loaders of that class that have a component");
    visit("objects", self.objects, "objects of their components");
    visit("retained", self.retained, "bytes of these objects");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
  }
};

/// The used heap, split by class loader.
struct Components {
  std::uint64_t threshold_bp = 0;
  std::uint64_t threshold = 0;
  std::vector<Component> components;
  std::uint64_t others = 0;
  std::uint64_t others_objects = 0;
  std::uint64_t others_retained = 0;
  std::uint64_t others_retained_bp = 0;
  std::vector<LoaderClassRow> loader_classes;

  bool operator==(const Components&) const = default;
  static constexpr auto kName = "Components";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("threshold_bp", self.threshold_bp,
          "share of the used heap in basis points from which on a component is described");
    visit("threshold", self.threshold, "the same in bytes");
    visit("components", self.components, "by descending size");
    visit("others", self.others, "components that are left out of the list");
    visit("others_objects", self.others_objects, "their objects");
    visit("others_retained", self.others_retained, "their bytes; with the list, the used heap");
    visit("others_retained_bp", self.others_retained_bp,
          "share of the used heap in basis points, rounded down");
    visit("loader_classes", self.loader_classes,
          "all components by the class of their loader, by descending size");
  }
};

}  // namespace hprof
