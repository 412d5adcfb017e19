#pragma once

#include "formats/report/fields.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// Objects of one class that were allocated at one place.
struct AllocatedClass {
  std::string class_name;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::uint64_t live_objects = 0;
  std::uint64_t live_shallow = 0;

  bool operator==(const AllocatedClass&) const = default;
  static constexpr auto kName = "AllocatedClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("objects", self.objects, "objects of the dump");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("live_objects", self.live_objects, "of these, reachable");
    visit("live_shallow", self.live_shallow, "sum of their shallow sizes in bytes");
  }
};

/// Objects that were allocated with the same stack.
struct AllocationSite {
  std::uint64_t trace_serial = 0;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::uint64_t live_objects = 0;
  std::uint64_t live_shallow = 0;
  std::uint64_t live_bp = 0;
  std::uint64_t class_count = 0;
  std::vector<AllocatedClass> classes;
  std::vector<std::string> frames;

  bool operator==(const AllocationSite&) const = default;
  static constexpr auto kName = "AllocationSite";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("trace_serial", self.trace_serial, "number of the stack trace in the dump");
    visit("objects", self.objects, "objects of the dump");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("live_objects", self.live_objects, "of these, reachable");
    visit("live_shallow", self.live_shallow, "sum of their shallow sizes in bytes");
    visit("live_bp", self.live_bp, "share of the reachable ones in the used heap, basis points");
    visit("class_count", self.class_count, "classes that the objects are of");
    visit("classes", self.classes, "those with most bytes");
    visit("frames", self.frames, "the stack, the place of allocation first");
  }
};

/// Where objects were allocated, as far as the JVM recorded it.
struct AllocationSites {
  bool recorded = false;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::uint64_t live_objects = 0;
  std::uint64_t live_shallow = 0;
  std::uint64_t site_count = 0;
  std::vector<AllocationSite> sites;

  bool operator==(const AllocationSites&) const = default;
  static constexpr auto kName = "AllocationSites";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("recorded", self.recorded, "the dump has stacks of allocations");
    visit("objects", self.objects, "instances and arrays with such a stack");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("live_objects", self.live_objects, "of these, reachable");
    visit("live_shallow", self.live_shallow, "sum of their shallow sizes in bytes");
    visit("site_count", self.site_count, "different stacks");
    visit("sites", self.sites, "those with most reachable bytes");
  }
};

}  // namespace hprof
