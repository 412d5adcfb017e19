#pragma once

#include <cstdint>
#include <string>

namespace hprof {

/// One of the heaps of an Android process.
struct AndroidHeap {
  std::string name;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::uint64_t unreachable_objects = 0;
  std::uint64_t unreachable_shallow = 0;

  bool operator==(const AndroidHeap&) const = default;
  static constexpr auto kName = "AndroidHeap";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("name", self.name, "app, zygote, image …; default: no record of the dump tells");
    visit("objects", self.objects, "reachable objects in it");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("unreachable_objects", self.unreachable_objects, "unreachable objects in it");
    visit("unreachable_shallow", self.unreachable_shallow, "sum of their shallow sizes in bytes");
  }
};

/// What --mapping did.
struct NameMapping {
  std::string file;
  std::uint64_t classes = 0;
  std::uint64_t fields_named = 0;

  bool operator==(const NameMapping&) const = default;
  static constexpr auto kName = "NameMapping";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("file", self.file, "name of the mapping file");
    visit("classes", self.classes, "classes that it gave another name, arrays of them too");
    visit("fields", self.fields_named, "fields that it gave another name");
  }
};

}  // namespace hprof
