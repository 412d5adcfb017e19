#pragma once

#include "formats/report/fields.h"
#include "formats/report/paths.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

struct TopObject {
  Address address;
  std::string class_name;
  std::string label;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  bool above_threshold = false;
  std::optional<ReferencePath> why_alive = std::nullopt;
  std::optional<Holder> holder = std::nullopt;

  bool operator==(const TopObject&) const = default;
  static constexpr auto kName = "TopObject";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the object");
    visit("class", self.class_name, "Java name of its class");
    visit("label", self.label, "how the object is named in text");
    visit("shallow", self.shallow, "its shallow size in bytes");
    visit("retained", self.retained, "its retained size in bytes");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
    visit("above_threshold", self.above_threshold, "retains more than the threshold");
    visit("why_alive", self.why_alive, "shortest path from a GC root");
    visit("holder", self.holder, "as of a suspect");
  }
};

struct TopClass {
  std::string class_name;
  Address class_address;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  bool above_threshold = false;

  bool operator==(const TopClass&) const = default;
  static constexpr auto kName = "TopClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("class_address", self.class_address, "address of the class object");
    visit("instances", self.instances, "top-level objects of this class");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained, "sum of their retained sizes in bytes");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
    visit("above_threshold", self.above_threshold, "retain more than the threshold");
  }
};

struct TopLoader {
  Address address;
  std::string label;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  bool above_threshold = false;

  bool operator==(const TopLoader&) const = default;
  static constexpr auto kName = "TopLoader";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the class loader; 0x0 is the boot loader");
    visit("label", self.label, "its class and address");
    visit("instances", self.instances, "top-level objects that belong to it");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained, "sum of their retained sizes in bytes");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
    visit("above_threshold", self.above_threshold, "retain more than the threshold");
  }
};

/// How deep the package tree may get; the rest of a longer name becomes one segment.
inline constexpr unsigned kMaxPackageDepth = 64;

struct PackageNode {
  std::string name;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  std::vector<PackageNode> children;

  bool operator==(const PackageNode&) const = default;
  static constexpr auto kName = "PackageNode";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("name", self.name, "one segment of a class name; <all> at the top");
    visit("instances", self.instances, "top-level objects under this name");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained, "sum of their retained sizes in bytes");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
    visit("children", self.children,
          "by descending retained size; those under the threshold are left out");
  }
};

/// Top-level objects of about the same size.
struct SizeClassRow {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t objects = 0;
  std::uint64_t retained = 0;

  bool operator==(const SizeClassRow&) const = default;
  static constexpr auto kName = "SizeClassRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("from", self.from, "least retained size in bytes: 0 or a power of two");
    visit("to", self.to, "largest retained size in bytes");
    visit("objects", self.objects, "top-level objects that retain so much");
    visit("retained", self.retained, "sum of their retained sizes in bytes");
  }
};

/// What the objects that nothing else dominates hold, taken one by one and by class, loader and
/// package.
struct TopConsumers {
  std::uint64_t threshold_bp = 0;
  std::uint64_t threshold = 0;
  std::uint64_t top_level_objects = 0;
  std::vector<TopObject> biggest_objects;
  std::vector<TopClass> biggest_classes;
  std::vector<TopLoader> biggest_class_loaders;
  PackageNode biggest_packages;
  std::optional<std::vector<SizeClassRow>> size_distribution;

  bool operator==(const TopConsumers&) const = default;
  static constexpr auto kName = "TopConsumers";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("threshold_bp", self.threshold_bp,
          "share of the used heap in basis points that counts as big");
    visit("threshold", self.threshold, "the same in bytes");
    visit("top_level_objects", self.top_level_objects, "objects that no other object dominates");
    visit("biggest_objects", self.biggest_objects,
          "by descending retained size: all above the threshold, and more up to the number asked "
          "for");
    visit("biggest_classes", self.biggest_classes, "in the same way");
    visit("biggest_class_loaders", self.biggest_class_loaders, "in the same way");
    visit("biggest_packages", self.biggest_packages, "tree of packages and classes");
    visit("size_distribution", self.size_distribution,
          "top-level objects by power-of-two classes of their retained size, ascending");
  }
};

}  // namespace hprof
