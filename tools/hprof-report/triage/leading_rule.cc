// Suspects are single objects or classes. A leak of many small things under the JVM's own classes,
// as of class loaders, has a suspect that says no more than "java.lang.Class".
#include "tools/hprof-report/triage/leading_rule.h"

#include "tools/hprof-report/paths/path_holders.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hprof::triage {
namespace {

constexpr std::string_view kLoaderLeak = "loader-leak";

bool is_leak(const Finding& finding) {
  constexpr std::array<std::string_view, 5> kLeaks{
      kLoaderLeak, "thread-local-leak", "finalizer-backlog", "self-held-keys", "listener-leak"};
  return std::find(kLeaks.begin(), kLeaks.end(), finding.rule) != kLeaks.end();
}

bool names_field(const Suspect& suspect) {
  const auto holders = {&suspect.holder, &suspect.anchor, &suspect.largest_static};
  return std::any_of(holders.begin(), holders.end(), [](const std::optional<Holder>* holder) {
    return *holder && !is_platform_class((*holder)->class_name);
  });
}

/// Whether a single object is of the program: a class object by the class that it stands for.
bool names_class(const Suspect& suspect) {
  constexpr std::string_view kClass = "class ";
  const std::string_view label = suspect.label;
  const bool is_class = label.starts_with(kClass);
  return suspect.kind == SuspectKind::single &&
         !is_platform_class(is_class ? label.substr(kClass.size()) : suspect.class_name);
}

/// One loader is no explanation of loaders that pile up.
bool explains(const Suspect& suspect, const Finding& leak) {
  return names_field(suspect) || (names_class(suspect) && leak.rule != kLoaderLeak);
}

}  // namespace

std::optional<std::string> leading_rule(const std::vector<Finding>& findings,
                                        const std::vector<Suspect>& suspects) {
  const auto least = suspects.empty() ? Severity::warning : Severity::critical;
  const auto leak = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return is_leak(finding) && finding.severity >= least;
  });
  if (leak == findings.end() || (!suspects.empty() && explains(suspects.front(), *leak))) {
    return std::nullopt;
  }
  return leak->rule;
}

}  // namespace hprof::triage
