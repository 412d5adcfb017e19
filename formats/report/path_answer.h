#pragma once

#include "formats/report/caveats.h"
#include "formats/report/fields.h"
#include "formats/report/paths.h"
#include "formats/report/text_sink.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

enum class PathTargetKind { object, class_instances };

template <>
struct Words<PathTargetKind> {
  static constexpr std::array<std::string_view, 2> kWords{"object", "class"};
};

/// A GC root at which paths begin.
struct PathStart {
  std::string label;
  Address address;
  std::string root_types;
  std::uint64_t targets = 0;

  bool operator==(const PathStart&) const = default;
  static constexpr auto kName = "PathStart";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("label", self.label, "how the root is named in text");
    visit("address", self.address, "address of the root");
    visit("root_types", self.root_types, "its kinds");
    visit("targets", self.targets, "how many of the objects are reached from it");
  }
};

/// Why one object, or the instances of one class, are alive.
struct PathTarget {
  PathTargetKind kind = PathTargetKind::object;
  std::string label;
  Address address;
  std::string loader_label;
  std::uint64_t reachable = 0;
  std::uint64_t unreachable = 0;
  std::uint64_t retained = 0;
  std::optional<std::string> largest;
  std::optional<ReferencePath> path;
  std::optional<Holder> holder;
  std::optional<Holder> anchor;
  std::uint64_t weakly_held = 0;
  std::vector<PathStart> starts;
  std::uint64_t further_starts = 0;
  std::uint64_t further_start_targets = 0;
  std::vector<PathStep> common_path;
  std::uint64_t common_path_left_out = 0;
  std::vector<PathStep> held_by;

  bool operator==(const PathTarget&) const = default;
  static constexpr auto kName = "PathTarget";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind, "one object, or the instances of a class");
    visit("label", self.label, "how it is named in text");
    visit("address", self.address, "address of the object or the class object");
    visit("loader_label", self.loader_label, "class loader of the object's class or the class");
    visit("reachable", self.reachable, "objects that are alive");
    visit("unreachable", self.unreachable,
          "objects that no GC root reaches; garbage only where nothing was lost or left out");
    visit("retained", self.retained,
          "retained size in bytes; of a class the sum, in which what retains another is twice");
    visit("largest", self.largest, "class: the instance that retains most, to which `path` leads");
    visit("path", self.path, "shortest path from a GC root");
    visit("holder", self.holder,
          "as of a suspect in the report; of a class: of the instance that retains most");
    visit("anchor", self.anchor, "in the same way");
    visit("weakly_held", self.weakly_held,
          "class: of those that are alive, such that no path of strong references leads to, only "
          "referents of soft, weak, final or phantom references; where others are, `starts` and "
          "`common_path` leave them out");
    visit("starts", self.starts, "class: the GC roots from which most are reached");
    visit("further_starts", self.further_starts, "class: GC roots that are not in `starts`");
    visit("further_start_targets", self.further_start_targets,
          "class: how many instances are reached from these");
    visit("common_path", self.common_path,
          "class: what the shortest paths to most instances share");
    visit("common_path_left_out", self.common_path_left_out,
          "objects left out of the middle of a long common path");
    visit("held_by", self.held_by,
          "of an unreachable object without a path: the unreachable ones that hold it, from the "
          "outermost on");
  }
};

/// What `hprof-report path` answers.
struct PathAnswer {
  std::string generator;
  std::string file_name;
  std::string to;
  Caveats caveats;
  std::vector<PathTarget> targets;

  bool operator==(const PathAnswer&) const = default;
  static constexpr auto kName = "PathAnswer";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("generator", self.generator, "program and version that made it");
    visit("file_name", self.file_name, "name of the dump");
    visit("to", self.to, "what was asked for");
    visit("complete", self.caveats.complete, "as in the report");
    visit("root_policy", self.caveats.root_policy, "as in the report");
    visit("reference_policy", self.caveats.reference_policy, "as in the report");
    visit("roots_left_out", self.caveats.roots_left_out, "as in the report");
    visit("targets", self.targets, "the object, or every class of that name");
  }
};

/// The answer as JSON, in the way of the report.
void write_path_json(const PathAnswer& answer, TextSink& sink);
/// The answer as Markdown.
std::string md_path_answer(const PathAnswer& answer);

}  // namespace hprof
