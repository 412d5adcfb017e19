#pragma once

#include "formats/report/fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// A class loader with what it has defined and what hangs on it.
struct ClassLoaderRow {
  Address address;
  std::string label;
  std::string class_name;
  std::optional<std::string> name;
  std::optional<Address> parent_address;
  std::optional<std::string> parent_label;
  std::uint64_t classes = 0;
  std::uint64_t duplicate_classes = 0;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;

  bool operator==(const ClassLoaderRow&) const = default;
  static constexpr auto kName = "ClassLoaderRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the class loader; 0x0 is the boot loader");
    visit("label", self.label, "its class and address");
    visit("class", self.class_name, "Java name of its class");
    visit("name", self.name, "its name, where it has one (JDK 9 and later)");
    visit("parent_address", self.parent_address,
          "address of its parent loader, 0x0 for the boot loader; absent: not known, or none");
    visit("parent_label", self.parent_label, "the parent's class and address");
    visit("classes", self.classes, "reachable classes that it defined");
    visit("duplicate_classes", self.duplicate_classes,
          "those of them whose name another loader has defined as well");
    visit("instances", self.instances, "reachable direct instances of its classes");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("retained", self.retained,
          "sum of what the top-level objects that belong to the loader retain, in bytes; the "
          "loaders' sum is the used heap. Not what would be freed without the loader");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
  }
};

/// A class loader as it is named elsewhere.
struct LoaderName {
  Address address;
  std::string label;

  bool operator==(const LoaderName&) const = default;
  static constexpr auto kName = "LoaderName";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the class loader; 0x0 is the boot loader");
    visit("label", self.label, "its class and address");
  }
};

/// A name that several class loaders have defined a class of.
struct DuplicateClass {
  std::string class_name;
  std::uint64_t count = 0;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::vector<LoaderName> loaders;

  bool operator==(const DuplicateClass&) const = default;
  static constexpr auto kName = "DuplicateClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the classes");
    visit("count", self.count, "class loaders that defined it");
    visit("instances", self.instances, "reachable direct instances of all of them");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("loaders", self.loaders, "the first of these loaders, by address");
  }
};

}  // namespace hprof
