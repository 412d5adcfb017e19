#pragma once

#include "formats/diff/series.h"
#include "formats/report/fields.h"
#include "formats/report/leaks.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// A leak suspect of some of the dumps.
struct DiffSuspect {
  SuspectKind kind = SuspectKind::single;
  std::string class_name;
  std::string label;
  std::string path;
  std::optional<std::string> holder;
  std::optional<std::string> anchor;
  Fate fate = Fate::same;
  DiffSeries instances;
  DiffSeries retained;
  std::vector<std::uint64_t> suspect_in;

  bool operator==(const DiffSuspect&) const = default;
  static constexpr auto kName = "DiffSuspect";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind, "one object, or top-level objects of one class");
    visit("class", self.class_name, "Java name of the class");
    visit("label", self.label, "how it is named in text, without an address");
    visit("path", self.path,
          "references from a GC root to where its memory gathers, without addresses and indices; "
          "of a group what the paths share, empty where they share nothing");
    visit("holder", self.holder, "field or local that keeps it, as of the newest dump");
    visit("anchor", self.anchor, "static field or local that the holder hangs on");
    visit("fate", self.fate,
          "new: the first dump lacks it; newly_listed: it is no suspect there, below the threshold "
          "if it is there; gone, unlisted: likewise in the last dump; unknown: one is damaged");
    visit("instances", self.instances, "objects; where it is no suspect, between two bounds");
    visit("retained", self.retained, "bytes; where it is no suspect, between two bounds");
    visit("suspect_in", self.suspect_in, "dumps in which it is a suspect, counted from 1");
  }
};

/// The largest object at the end of a path of references.
struct DiffPath {
  std::string path;
  std::string class_name;
  std::optional<std::string> holder;
  std::optional<HolderKind> holder_kind;
  std::optional<std::string> anchor;
  Fate fate = Fate::same;
  DiffSeries retained;
  SignedCount unshared;
  std::optional<SignedCount> unshared_least;
  std::optional<SignedCount> unshared_most;

  bool operator==(const DiffPath&) const = default;
  static constexpr auto kName = "DiffPath";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("path", self.path,
          "references from a GC root, without addresses and indices; links within lists and trees "
          "are left out");
    visit("class", self.class_name, "Java name of the object's class");
    visit("holder", self.holder, "field or local that keeps it, as of the newest dump");
    visit("holder_kind", self.holder_kind, "what the holder is");
    visit("anchor", self.anchor, "static field or local that the holder hangs on");
    visit("fate", self.fate,
          "new: the first dump lacks it; newly_listed: it does not list it; gone, unlisted: "
          "likewise the last dump; unknown: one is damaged");
    visit("retained", self.retained, "bytes that the largest object with this path retains");
    visit("unshared", self.unshared,
          "the change without that of longer paths of this list that lead on from here; of bounds "
          "what is certain");
    visit("unshared_least", self.unshared_least,
          "it is no lower than this; absent: unshared is exact, or that of what was read of a "
          "damaged dump");
    visit("unshared_most", self.unshared_most, "nor higher than this; absent likewise");
  }
};

/// The change of a path that no longer path shares.
inline ChangeRange unshared_range(const DiffPath& path) {
  return {path.unshared, path.unshared_least, path.unshared_most, range_of(path.retained).unknown};
}

/// The collections that a field holds.
struct DiffField {
  std::string field;
  bool is_static = false;
  Fate fate = Fate::same;
  std::optional<DiffSeries> collections;
  std::optional<DiffSeries> elements;
  DiffSeries retained;
  std::optional<bool> largest_only;
  std::vector<std::string> contents;

  bool operator==(const DiffField&) const = default;
  static constexpr auto kName = "DiffField";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("field", self.field,
          "Class#field, Class.field of a static one; in brackets what it is instead");
    visit("is_static", self.is_static, "a static field");
    visit("fate", self.fate,
          "new: the first dump lacks it; newly_listed: it does not list it; gone, unlisted: "
          "likewise the last dump; unknown: one is damaged");
    visit("collections", self.collections,
          "collections in it; absent: not every report was made with --collections");
    visit("elements", self.elements, "their elements; absent likewise");
    visit("retained", self.retained, "bytes that they retain");
    visit("largest_only", self.largest_only,
          "true: only the largest of its collections is compared, since not every report was made "
          "with --collections and it may hold several; absent: all of them");
    visit("contents", self.contents,
          "classes of what they hold alone, as of the newest dump, the most frequent first");
  }
};

/// What the summary names as growing.
enum class CauseKind { field, path, instances, loader, thread };

template <>
struct Words<CauseKind> {
  static constexpr std::array<std::string_view, 5> kWords{"field", "path", "class", "loader",
                                                          "thread"};
};

/// Something that grows notably.
struct DiffCause {
  CauseKind kind = CauseKind::instances;
  std::string name;
  SignedCount change;
  std::optional<SignedCount> change_most;
  std::optional<bool> as_read;
  std::uint64_t lasting = 0;
  Trend trend = Trend::grown;
  std::string text;
  std::vector<std::string> names;

  bool operator==(const DiffCause&) const = default;
  static constexpr auto kName = "DiffCause";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind, "which table has more on it");
    visit("name", self.name, "the field, class, loader class, thread");
    visit("change", self.change, "bytes from the first dump to the last, at least");
    visit("change_most", self.change_most,
          "nor more than this; absent: change is exact, or as_read is true");
    visit("as_read", self.as_read,
          "true: the first or the last dump is damaged, and changes are those of what was read; "
          "absent: both are whole");
    visit("lasting", self.lasting, "of these, bytes that are no warm-up");
    visit("trend", self.trend, "how it moved");
    visit("text", self.text, "one sentence with the figures");
    visit("names", self.names, "names from the dumps in the text, in the order of the text");
  }
};

}  // namespace hprof
