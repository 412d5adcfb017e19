#pragma once

#include "formats/diff/series.h"
#include "formats/report/fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// One of the reports that are compared.
struct DiffDump {
  std::string report;
  std::string file_name;
  std::uint64_t dump_creation_ms = 0;
  bool complete = true;
  std::optional<std::string> jvm_version;
  std::uint64_t total_shallow = 0;
  std::uint64_t total_objects = 0;
  std::uint64_t unreachable_shallow = 0;

  bool operator==(const DiffDump&) const = default;
  static constexpr auto kName = "DiffDump";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("report", self.report, "file name of the JSON report; - for standard input");
    visit("file_name", self.file_name, "file name of the dump");
    visit("dump_creation_ms", self.dump_creation_ms,
          "when the dump was taken, milliseconds since 1970 UTC");
    visit("complete", self.complete,
          "false: the dump is damaged, and what it lacks may look like a change");
    visit("jvm_version", self.jvm_version, "as java -version says it, line by line");
    visit("total_shallow", self.total_shallow, "bytes of the used heap");
    visit("total_objects", self.total_objects, "reachable objects");
    visit("unreachable_shallow", self.unreachable_shallow, "bytes that no GC root reaches");
  }
};

/// A figure of the whole heap.
struct DiffTotal {
  std::string name;
  std::string title;
  bool is_bytes = false;
  DiffSeries series;

  bool operator==(const DiffTotal&) const = default;
  static constexpr auto kName = "DiffTotal";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("name", self.name, "its name in rules of --fail-on");
    visit("title", self.title, "what it is called in text");
    visit("is_bytes", self.is_bytes, "bytes; false: a number of things");
    visit("series", self.series, "its values");
  }
};

/// The classes of one name that loaders of one class have defined.
struct DiffClass {
  std::string class_name;
  std::string loader;
  Fate fate = Fate::same;
  DiffSeries copies;
  DiffSeries instances;
  DiffSeries shallow;
  DiffSeries retained;
  bool added_up = false;

  bool operator==(const DiffClass&) const = default;
  static constexpr auto kName = "DiffClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name,
          "Java name of the class; * for what a generated name has at random, unless --raw-names");
    visit("loader", self.loader, "class of its loader, without an address");
    visit("fate", self.fate,
          "new: the first dump lacks it; gone: the last one does; newly_listed, unlisted, unknown: "
          "one is damaged and may have it, or how much of it");
    visit("copies", self.copies, "class objects that are added up here");
    visit("instances", self.instances, "reachable direct instances");
    visit("shallow", self.shallow, "bytes of these instances themselves");
    visit(
        "retained", self.retained,
        "what class object and instances retain, added up in bytes; of several copies the sum, at "
        "most the used heap");
    visit("added_up", self.added_up,
          "true: some dump has several copies, and what two of them retain may be counted twice");
  }
};

/// The classes of a package, its sub-packages not included.
struct DiffPackage {
  std::string package;
  DiffSeries classes;
  DiffSeries instances;
  DiffSeries shallow;

  bool operator==(const DiffPackage&) const = default;
  static constexpr auto kName = "DiffPackage";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("package", self.package,
          "name of the package; in brackets what has none; arrays count with their elements");
    visit("classes", self.classes, "class objects");
    visit("instances", self.instances, "reachable direct instances");
    visit("shallow", self.shallow, "their bytes; every byte of the heap is in one row");
  }
};

/// The class loaders of one class.
struct DiffLoader {
  std::string class_name;
  DiffSeries loaders;
  DiffSeries classes;
  DiffSeries instances;
  DiffSeries shallow;
  std::optional<DiffSeries> retained;
  std::optional<std::vector<std::string>> kept_by;

  bool operator==(const DiffLoader&) const = default;
  static constexpr auto kName = "DiffLoader";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the loaders' class");
    visit("loaders", self.loaders,
          "loaders of that class, those included that have defined no classes");
    visit("classes", self.classes, "these classes");
    visit("instances", self.instances, "reachable direct instances of these classes");
    visit("shallow", self.shallow, "bytes of these instances themselves");
    visit("retained", self.retained,
          "bytes of the components of these loaders; absent: not every report lists loaders");
    visit("kept_by", self.kept_by,
          "fields, locals and threads that keep big objects of these loaders alive in the last "
          "dump, by descending number of such objects");
  }
};

/// The threads of one name.
struct DiffThread {
  std::string name;
  DiffSeries threads;
  DiffSeries retained;

  bool operator==(const DiffThread&) const = default;
  static constexpr auto kName = "DiffThread";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit(
        "name", self.name,
        "name of the threads, * for the numbers that tell them apart; without a name their class");
    visit("threads", self.threads, "how many there are");
    visit("retained", self.retained, "sum of their retained sizes in bytes");
  }
};

}  // namespace hprof
