#pragma once

#include "formats/report/fields.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// How an object on a path is referenced by the one before it.
enum class Via {
  root,
  field,
  static_field,
  element,
  local,
  own_class,
  super_class,
  class_loader,
  unknown
};

template <>
struct Words<Via> {
  static constexpr std::array<std::string_view, 9> kWords{"root",    "field",        "static_field",
                                                          "element", "local",        "class",
                                                          "super",   "class_loader", "unknown"};
};

/// One object on a path.
struct PathStep {
  Via via = Via::unknown;
  std::string reference;
  std::optional<std::string> declared_by = std::nullopt;
  std::optional<std::string> frame = std::nullopt;
  Address address;
  std::string class_name;
  std::string label;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::optional<std::uint64_t> targets = std::nullopt;

  bool operator==(const PathStep&) const = default;
  static constexpr auto kName = "PathStep";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("via", self.via, "how the object before references this one");
    visit("reference", self.reference,
          "field name, [index], <Java Local>, <class>, <super>, <class loader>; of a root its "
          "kinds; ? where the dump was not there to tell");
    visit("declared_by", self.declared_by, "class that declares the field");
    visit("frame", self.frame, "of a local: the stack frame, as stack traces print it");
    visit("address", self.address, "address of the object");
    visit("class", self.class_name, "Java name of its class");
    visit("label", self.label, "how the object is named in text");
    visit("shallow", self.shallow, "its shallow size in bytes");
    visit("retained", self.retained, "its retained size in bytes");
    visit("targets", self.targets, "of several paths: how many of them lead through this object");
  }
};

/// A shortest chain of references from a GC root to an object.
struct ReferencePath {
  std::vector<PathStep> steps;
  std::uint64_t left_out = 0;
  std::uint64_t left_out_after = 0;
  bool only_weak = false;
  std::string line;

  bool operator==(const ReferencePath&) const = default;
  static constexpr auto kName = "ReferencePath";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("steps", self.steps, "objects from the GC root on");
    visit("left_out", self.left_out, "objects left out of the middle of a long path");
    visit("left_out_after", self.left_out_after, "number of steps before the gap; 0: no gap");
    visit("only_weak", self.only_weak,
          "the object is reached through the referent of a soft, weak, phantom or final reference "
          "only");
    visit("line", self.line, "the path in one line");
  }
};

/// What a programmer has to look at: the place in the code that keeps an object alive.
enum class HolderKind { static_field, field, thread_local_value, local };

template <>
struct Words<HolderKind> {
  static constexpr std::array<std::string_view, 4> kWords{"static_field", "field", "thread_local",
                                                          "local"};
};

struct Holder {
  HolderKind kind = HolderKind::field;
  std::string class_name;
  std::string member;
  std::string name;
  Address address;

  bool operator==(const Holder&) const = default;
  static constexpr auto kName = "Holder";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind, "what it is");
    visit("class", self.class_name, "class that declares the field or runs the frame");
    visit("member", self.member, "field or method");
    visit("name", self.name, "both, as they are named in text");
    visit("address", self.address,
          "object that has the field: the class object for a static one; the thread for a local");
  }
};

}  // namespace hprof
