#pragma once

#include "formats/report/fields.h"
#include "formats/report/leaks.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// An object below which memory spreads out: none of the objects that it immediately dominates
/// retains nearly as much as it does.
struct BigDrop {
  Address address;
  std::string class_name;
  std::string label;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  std::uint64_t children = 0;
  std::optional<ObjectRef> largest_child;
  std::uint64_t drop = 0;
  std::uint64_t drop_bp = 0;

  bool operator==(const BigDrop&) const = default;
  static constexpr auto kName = "BigDrop";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the object");
    visit("class", self.class_name, "Java name of its class");
    visit("label", self.label, "how the object is named in text");
    visit("shallow", self.shallow, "its shallow size in bytes");
    visit("retained", self.retained, "its retained size in bytes");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
    visit("children", self.children, "objects that it immediately dominates");
    visit("largest_child", self.largest_child,
          "the one of them that retains most; absent: there is none");
    visit("drop", self.drop, "bytes that it retains beyond its largest child");
    visit("drop_bp", self.drop_bp, "share of the used heap in basis points, rounded down");
  }
};

/// Objects of one class by the class of what holds them.
struct HolderRow {
  std::string class_name;
  std::optional<Address> class_address;
  std::uint64_t classes = 0;
  bool is_class_object = false;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;

  bool operator==(const HolderRow&) const = default;
  static constexpr auto kName = "HolderRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name,
          "Java name of the holder's class; <ROOT>: no single object of such a class holds them");
    visit("class_address", self.class_address,
          "address of the class object, of the first where several classes have that name; absent "
          "for <ROOT>");
    visit("classes", self.classes, "classes of that name, by several class loaders; 0 for <ROOT>");
    visit("is_class_object", self.is_class_object,
          "the holder is the class object itself, with its static fields");
    visit("objects", self.objects, "objects that are held so");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
  }
};

/// Who holds the objects of a class.
struct DominatedClass {
  std::string class_name;
  Address class_address;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::uint64_t shallow_bp = 0;
  std::vector<HolderRow> holders;
  std::uint64_t further_holders = 0;
  std::uint64_t further_objects = 0;
  std::uint64_t further_shallow = 0;

  bool operator==(const DominatedClass&) const = default;
  static constexpr auto kName = "DominatedClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("class_address", self.class_address, "address of the class object");
    visit("objects", self.objects, "its reachable direct instances");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("shallow_bp", self.shallow_bp, "share of the used heap in basis points, rounded down");
    visit("holders", self.holders,
          "by descending shallow size: the class of the nearest object on the way up the dominator "
          "tree whose class the pattern does not skip");
    visit("further_holders", self.further_holders, "rows that are left out of the list");
    visit("further_objects", self.further_objects, "objects in them");
    visit("further_shallow", self.further_shallow, "sum of their shallow sizes in bytes");
  }
};

/// The objects at some levels of the dominator tree; a GC root, and whatever no single object
/// dominates, lies at level 1.
struct DepthRow {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;

  bool operator==(const DepthRow&) const = default;
  static constexpr auto kName = "DepthRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("from", self.from, "first level of the row");
    visit("to", self.to, "last level of the row");
    visit("objects", self.objects, "objects at these levels");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
  }
};

/// What the largest top-level objects retain.
struct ConcentrationRow {
  std::uint64_t objects = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;

  bool operator==(const ConcentrationRow&) const = default;
  static constexpr auto kName = "ConcentrationRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("objects", self.objects, "how many of the largest top-level objects");
    visit("retained", self.retained, "what each of them retains, added up in bytes");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
  }
};

/// The dominator tree seen from several sides.
struct Dominators {
  std::uint64_t drop_threshold = 0;
  std::vector<BigDrop> big_drops;
  std::uint64_t further_drops = 0;
  std::string skipped_classes;
  std::vector<DominatedClass> dominated_classes;
  std::uint64_t depth_p90 = 0;
  std::uint64_t depth_max = 0;
  std::vector<DepthRow> depths;
  std::vector<ConcentrationRow> concentration;
  std::uint64_t objects_over_one_percent = 0;

  bool operator==(const Dominators&) const = default;
  static constexpr auto kName = "Dominators";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("drop_threshold", self.drop_threshold,
          "a big drop is larger than this many bytes, 1 % of the used heap");
    visit("big_drops", self.big_drops, "by descending drop");
    visit("further_drops", self.further_drops, "big drops that are left out of the list");
    visit("skipped_classes", self.skipped_classes,
          "pattern of the classes that are no holders; arrays never are");
    visit("dominated_classes", self.dominated_classes,
          "skipped classes with the most bytes, or those asked for, by who holds their instances");
    visit("depth_p90", self.depth_p90,
          "90 % of the reachable objects lie no deeper than this level of the dominator tree");
    visit("depth_max", self.depth_max, "deepest level of the dominator tree");
    visit("depths", self.depths, "levels 1 to 64 one by one, then up to each power of two");
    visit("concentration", self.concentration, "what the largest top-level objects retain");
    visit("objects_over_one_percent", self.objects_over_one_percent,
          "objects that nothing else dominates and that retain more than 1 % of the used heap");
  }
};

}  // namespace hprof
