#pragma once

#include "formats/diff/diff_owners.h"
#include "formats/diff/diff_rows.h"
#include "formats/diff/gate.h"
#include "formats/report/triage.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// Raised as kReportSchemaVersion is.
inline constexpr std::uint64_t kDiffSchemaVersion = 1;

/// What changed between the dumps of two or more reports; written as JSON, rendered to every other
/// format.
struct HeapDiff {
  std::uint64_t schema_version = kDiffSchemaVersion;
  std::string generated;
  std::string generator;
  bool raw_names = false;
  std::vector<DiffDump> dumps;
  std::optional<DiffDump> warm_up;
  Finding verdict;
  std::vector<DiffCause> causes;
  std::uint64_t notable = 0;
  std::vector<Finding> warnings;
  std::vector<DiffTotal> totals;
  std::vector<DiffSuspect> suspects;
  std::vector<DiffPath> paths;
  std::vector<DiffField> fields_held;
  std::vector<DiffClass> classes;
  std::uint64_t same_classes = 0;
  std::vector<DiffPackage> packages;
  std::vector<DiffLoader> loaders;
  std::optional<std::vector<DiffThread>> threads;
  std::optional<GateReport> gate;

  bool operator==(const HeapDiff&) const = default;
  static constexpr auto kName = "HeapDiff";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    head_fields(self, visit);
    table_fields(self, visit);
  }

 private:
  template <typename Self, typename Visitor>
  static void head_fields(Self& self, Visitor& visit) {
    visit("schema_version", self.schema_version,
          "version of this format; a reader refuses any other");
    visit("generated", self.generated, "when the comparison was made, UTC");
    visit("generator", self.generator, "program and version that made it");
    visit("raw_names", self.raw_names, "generated names are compared as they are");
    visit("dumps", self.dumps, "what is compared, by time");
    visit("warm_up", self.warm_up, "the first dump, left out with --ignore-warm-up");
    visit("verdict", self.verdict, "what grew, and who holds it");
    visit("causes", self.causes, "what grows notably; the likeliest owner first");
    visit("notable", self.notable, "bytes from which on growth is notable here");
    visit("warnings", self.warnings, "why the dumps may not be comparable");
  }

  template <typename Self, typename Visitor>
  static void table_fields(Self& self, Visitor& visit) {
    visit("totals", self.totals, "figures of the whole heaps");
    visit("suspects", self.suspects, "leak suspects of any dump, by descending change");
    visit("paths", self.paths,
          "the largest objects by the references that keep them, by descending change; unchanged "
          "ones are left out, here and in all tables below");
    visit("fields", self.fields_held, "fields that hold collections, by descending change");
    visit("classes", self.classes, "by descending amount of the change of the retained size");
    visit("same_classes", self.same_classes, "classes that did not change");
    visit("packages", self.packages, "by descending amount of the change of the shallow size");
    visit("loaders", self.loaders, "by descending amount of the change of the retained size");
    visit("threads", self.threads,
          "by descending amount of the change of the retained size; absent: not every report has "
          "threads");
    visit("gate", self.gate, "what came of the rules of --fail-on");
  }
};

/// Whether no dump is damaged.
inline bool is_whole(const HeapDiff& diff) {
  return std::all_of(diff.dumps.begin(), diff.dumps.end(),
                     [](const DiffDump& dump) { return dump.complete; });
}

}  // namespace hprof
