// Who holds the memory, whatever it is.
#include "common/concat.h"
#include "common/text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/paths/path_holders.h"
#include "tools/hprof-report/triage/hoards.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/triage/suspect_facts.h"
#include "tools/hprof-report/wording.h"

#include <string_view>

namespace hprof::triage {
namespace {

constexpr std::uint64_t kHalf = 5000;
constexpr std::uint64_t kFifth = 2000;
constexpr std::uint64_t kFewestElements = 100;

/// Whether a field, "app.Cache#map" or "class app.Cache.MAP", is the application's.
bool is_application_field(std::string_view field) {
  constexpr std::string_view kStatic = "class ";
  if (field.starts_with(kStatic)) {
    field.remove_prefix(kStatic.size());
  }
  return !field.starts_with('(') && !is_platform_class(field);
}

/// The collection of a fifth of the heap or more that retains most, those of the JDK's own fields
/// passed over (a class loader's list of classes retains what their static fields hold).
const BigCollection* biggest_of_application(const Report& report) {
  if (!report.collections) {
    return nullptr;
  }
  for (const auto& collection : report.collections->biggest) {
    if (collection.retained_bp >= kFifth && collection.size.value_or(0) >= kFewestElements &&
        is_application_field(collection.owner.field)) {
      return &collection;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Finding> static_anchor(const Facts& facts) {
  if (find_hoard(facts.report)) {
    return std::nullopt;  // hoard() and listener_leak() name the field
  }
  for (const auto& suspect : facts.report.leaks.suspects) {
    const auto* anchor = static_anchor_of(suspect);
    if (anchor == nullptr || suspect.retained_bp < kFifth ||
        is_platform_class(anchor->class_name)) {
      continue;
    }
    return Wording()
        .words("The static field ")
        .name(anchor->name)
        .words(" leads to ")
        .name(suspect.accumulation_point ? suspect.accumulation_point->label : suspect.label)
        .words(concat(", which retains ", size_and_share(facts, gathered(suspect)),
                      "; what a static field leads to stays until its class is unloaded."))
        .finding("static-anchor", Severity::info, "Static field as anchor", "leaks");
  }
  return std::nullopt;
}

std::optional<Finding> root_kind(const Facts& facts) {
  const auto& overview = facts.report.overview;
  if (!facts.report.complete && overview.root_policy == "fallback") {
    return std::nullopt;  // the roots are a guess
  }
  for (const auto& row : overview.gc_roots_by_type) {
    const auto share = share_bp(row.retained, overview.total_shallow);
    if (share >= kHalf) {
      return Wording()
          .words("Most of the used heap hangs on GC roots of one kind: " +
                 format_count(row.count, "root", "roots") + " of kind ")
          .name(row.root_type)
          .words(concat(row.count == 1 ? " retains " : " retain ", format_bytes(row.retained), " (",
                        format_share(share), ")."))
          .finding("root-kind", Severity::info, "Kind of GC root", "overview");
    }
  }
  return std::nullopt;
}

std::optional<Finding> big_collection(const Facts& facts) {
  const auto* biggest = biggest_of_application(facts.report);
  if (biggest == nullptr) {
    return std::nullopt;
  }
  return Wording()
      .words("One collection, a ")
      .name(biggest->class_name)
      .words(" of " + format_count(*biggest->size, "element", "elements") + " in ")
      .name(biggest->owner.field)
      .words(concat(", retains ", format_bytes(biggest->retained), " (",
                    format_share(biggest->retained_bp), ")."))
      .finding("big-collection", Severity::info, "One big collection", "collections");
}

}  // namespace hprof::triage
