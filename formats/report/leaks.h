#pragma once

#include "formats/report/fields.h"

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
  std::vector<ObjectRef> common_path;

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
