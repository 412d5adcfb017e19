// Known ways to leak. Each rule asks for several signs at once, since a healthy heap shows any one
// of them.
#include "common/concat.h"
#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/units.h"
#include "tools/hprof-report/joined_names.h"
#include "tools/hprof-report/loaders/loader_keepers.h"
#include "tools/hprof-report/triage/hoards.h"
#include "tools/hprof-report/triage/loader_copies.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/triage/suspect_facts.h"
#include "tools/hprof-report/wording.h"

namespace hprof::triage {
namespace {

constexpr std::uint64_t kTenth = 1000;
constexpr std::uint64_t kHalf = 5000;

std::vector<std::string> keepers_of(const Report& report, const LoaderCopies& copies) {
  const auto loader_class = joined_label(copies.loader_class, false);
  const auto keepers = loader_keepers(report, {loader_class}, false);
  const auto found = keepers.find(loader_class);
  return found == keepers.end() ? std::vector<std::string>() : found->second;
}

/// "618 of all 618 "; of the reachable ones where others may be alive, too.
std::string of_all(const Facts& facts, const Hoard& hoard) {
  const bool known = !caveats_of(facts.report).any();
  return concat(grouped(hoard.element.objects), known ? " of all " : " of the ",
                grouped(hoard.instances), known ? " " : " reachable ");
}

/// The instances that are missing in these figures and may be alive.
std::string unreached(const Facts& facts, const Hoard& hoard) {
  const auto caveats = caveats_of(facts.report);
  for (const auto& row : facts.report.overview.unreachable_histogram) {
    if (caveats.any() && row.class_address == hoard.element.class_address) {
      return concat(" No GC root reaches ", grouped(row.instances),
                    " more: ", fate_of_unreached(caveats, true), ".");
    }
  }
  return "";
}

/// Of listeners that lead to most of the memory, at best, but do not keep it alone.
void say_what_else_holds(const Facts& facts, const Hoard& hoard, Wording& text) {
  text.words(concat("; the ", hoard.callbacks ? "callbacks" : "listeners", " themselves keep only ",
                    size_and_share(facts, hoard.listeners_retained)));
  if (hoard.most) {
    text.words(concat(", ", format_count(hoard.most->objects, "object", "objects"), " of class "))
        .name(hoard.most->class_name)
        .words(concat(" ", size_and_share(facts, hoard.most->retained.value_or(0))));
  }
  text.words(
      ". Look whether listeners are removed when they are done, and at what else leads to the "
      "rest.");
}

}  // namespace

std::optional<Finding> listener_leak(const Facts& facts) {
  const auto found = find_hoard(facts.report);
  if (!found || !found->of_listeners) {
    return std::nullopt;
  }
  Wording text;
  if (found->callbacks) {
    text.words(grouped(found->callbacks->objects) + " callbacks of class ");
    text.name(found->callbacks->class_name).words(" and ");
  }
  text.words(of_all(facts, *found));
  text.name(found->element.class_name).words(" hang on ").name(found->field.name);
  text.words(concat(", which keeps ", size_and_share(facts, found->retained), " alive"));
  const bool much = share_bp(found->listeners_retained, found->retained) >= kHalf;
  if (much) {
    text.words(": listeners that are registered and never removed.");
  } else {
    say_what_else_holds(facts, *found, text);
  }
  text.words(unreached(facts, *found));
  return text.finding("listener-leak", much ? Severity::critical : Severity::warning,
                      "Listeners that pile up", "leaks");
}

std::optional<Finding> hoard(const Facts& facts) {
  const auto found = find_hoard(facts.report);
  if (!found || found->of_listeners) {
    return std::nullopt;
  }
  return Wording()
      .words(of_all(facts, *found))
      .name(found->element.class_name)
      .words(" hang on ")
      .name(found->field.name)
      .words(concat(", which keeps ", size_and_share(facts, found->retained),
                    " alive; if their number only grows, this is the leak.",
                    unreached(facts, *found)))
      .finding("hoard", Severity::warning,
               caveats_of(facts.report).any() ? "One field that keeps many of a class"
                                              : "One field that keeps all of a class",
               "leaks");
}

std::optional<Finding> loader_leak(const Facts& facts) {
  const auto& overview = facts.report.overview;
  const auto copies = find_loader_copies(overview.histogram);
  if (!copies) {
    return std::nullopt;
  }
  const auto share = share_bp(copies->retained, overview.total_shallow);
  const bool one_class = copies->shared_classes == 1;
  Wording text;
  text.words(grouped(copies->loaders) + " class loaders of ")
      .name(copies->loader_class)
      .words(one_class ? " have each loaded the same class, "
                       : concat(" have each loaded the same ", grouped(copies->shared_classes),
                                " classes, of which the copies of "))
      .name(copies->class_name)
      .words(concat(one_class ? ", whose copies retain " : " alone retain ",
                    format_bytes(copies->retained), " (", format_share(share), ")"));
  say_keepers(text, "; the largest are kept alive by ", keepers_of(facts.report, *copies));
  return text.words("; earlier versions of a plug-in or application are never unloaded.")
      .finding("loader-leak", share >= kTenth ? Severity::critical : Severity::warning,
               "Class loaders that pile up", "overview");
}

}  // namespace hprof::triage
