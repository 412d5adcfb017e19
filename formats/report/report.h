#pragma once

#include "formats/report/allocation_sites.h"
#include "formats/report/arrays.h"
#include "formats/report/collections.h"
#include "formats/report/components.h"
#include "formats/report/dominators.h"
#include "formats/report/fields.h"
#include "formats/report/leaks.h"
#include "formats/report/overview.h"
#include "formats/report/references.h"
#include "formats/report/string_findings.h"
#include "formats/report/threads.h"
#include "formats/report/top.h"
#include "formats/report/triage.h"
#include "formats/report/unreachable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// Raised when a field is renamed, removed, retyped or changes its meaning or unit; optional
/// additions leave it.
inline constexpr std::uint64_t kReportSchemaVersion = 2;

/// Something that a report does not tell although it would be expected.
struct NotCovered {
  std::string section;
  std::string reason;

  bool operator==(const NotCovered&) const = default;
  static constexpr auto kName = "NotCovered";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("section", self.section, "id of the section that is missing or has less in it");
    visit("reason", self.reason, "what is missing, and why");
  }
};

/// Everything that a report says; filled once, written as JSON, rendered to every other format.
struct Report {
  std::uint64_t schema_version = kReportSchemaVersion;
  std::string generated;
  std::string generator;
  bool complete = true;
  std::string detail;
  std::optional<std::vector<std::string>> sections;
  std::optional<std::vector<NotCovered>> not_covered;
  Overview overview;
  Leaks leaks;
  TopConsumers top;
  std::optional<Triage> triage;
  std::optional<Dominators> dominators;
  std::optional<Threads> threads;
  std::optional<Components> components;
  std::optional<Arrays> arrays;
  std::optional<Collections> collections;
  std::optional<Strings> strings;
  std::optional<References> references;
  std::optional<Unreachable> unreachable;
  std::optional<AllocationSites> allocation_sites;

  bool operator==(const Report&) const = default;
  static constexpr auto kName = "Report";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("schema_version", self.schema_version,
          "version of this format; a reader refuses any other");
    visit("generated", self.generated, "when the report was made, UTC");
    visit("generator", self.generator, "program and version that made it");
    visit("complete", self.complete,
          "false: the dump is damaged; counts and bytes of reachable objects are then lower bounds "
          "(none with root_policy fallback), retained sizes, shares and garbage are not");
    visit("detail", self.detail, "level of detail: minimal, default or max");
    visit("sections", self.sections, "ids of the sections that were asked for; absent: all");
    visit("not_covered", self.not_covered, "what is missing from this report; absent: nothing");
    visit("overview", self.overview, "the heap as a whole");
    visit("leaks", self.leaks, "leak suspects");
    visit("top", self.top, "top consumers");
    visit("triage", self.triage, "where to look first");
    visit("dominators", self.dominators, "the dominator tree seen from several sides");
    visit("threads", self.threads, "threads with their stacks and what these keep alive");
    visit("components", self.components, "the used heap, split by class loader");
    visit("arrays", self.arrays, "arrays by length and content");
    visit("collections", self.collections,
          "lists, maps and other collections; absent: the dump or the rule file was not there");
    visit("strings", self.strings, "Strings, equal arrays, boxed numbers, object headers");
    visit("references", self.references,
          "soft, weak, phantom and final references, and what hangs on them");
    visit("unreachable", self.unreachable, "what the garbage collector had not yet taken");
    visit("allocation_sites", self.allocation_sites, "where objects were allocated");
  }
};

}  // namespace hprof
