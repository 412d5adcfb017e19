#include "tools/hprof-report/triage/hoards.h"

#include "formats/report/units.h"
#include "tools/hprof-report/paths/path_holders.h"
#include "tools/hprof-report/triage/suspect_facts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace hprof::triage {
namespace {

constexpr std::uint64_t kThird = 3333;
constexpr std::uint64_t kHalf = 5000;
constexpr std::uint64_t kNearlyAll = 9000;
constexpr std::uint64_t kFewestObjects = 100;

const HistogramRow* row_of(const Overview& overview, Address class_address) {
  const auto& rows = overview.histogram;
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const HistogramRow& row) {
    return row.class_address == class_address;
  });
  return found == rows.end() ? nullptr : &*found;
}

std::uint64_t instances_of(const Overview& overview, Address class_address) {
  const auto* const row = row_of(overview, class_address);
  return row == nullptr ? 0 : row->instances;
}

std::uint64_t retained_by(const Overview& overview, const std::optional<ClassShare>& kept) {
  const auto* const row = kept ? row_of(overview, kept->class_address) : nullptr;
  return row == nullptr ? 0 : row->retained;
}

bool is_lambda(const std::string& class_name) {
  return class_name.find("$$Lambda") != std::string::npos;
}

bool is_element(const std::string& class_name) {
  return !is_platform_class(class_name) && !class_name.ends_with("[]") && !is_lambda(class_name);
}

/// The class with most instances among those that the suspect retains nearly all of; the class
/// object, which rows of the suspect count as well, is none of them.
template <typename Fits>
std::optional<ClassShare> kept_class(const Overview& overview, const Suspect& suspect,
                                     Fits&& fits) {
  std::optional<ClassShare> best;
  for (const auto& row : *suspect.retained_classes) {
    const auto instances = instances_of(overview, row.class_address);
    const auto kept = std::min(row.objects, instances);
    const bool nearly_all = share_bp(kept, instances) >= kNearlyAll;
    if (kept >= kFewestObjects && nearly_all && fits(row.class_name) &&
        (!best || kept > best->objects)) {
      best = row;
      best->objects = kept;
    }
  }
  return best;
}

bool tells_of_listeners(std::string name) {
  constexpr std::array<std::string_view, 5> kWords{"listener", "subscriber", "observer", "callback",
                                                   "handler"};
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

bool is_primitive_array(const std::string& class_name) {
  return class_name.ends_with("[]") && class_name.find('.') == std::string::npos &&
         is_platform_class(class_name);
}

/// Whether a field of the application leads to where nearly all of the suspect's memory gathers,
/// and a static field to that one.
bool gathers_in_field(const Suspect& suspect) {
  const bool known = suspect.holder && suspect.accumulation_point && suspect.retained_classes;
  return known && suspect.retained_bp >= kThird && static_anchor_of(suspect) != nullptr &&
         !is_platform_class(suspect.holder->class_name) &&
         !is_primitive_array(suspect.accumulation_point->class_name) &&
         share_bp(std::min(suspect.accumulation_point->retained, suspect.retained),
                  suspect.retained) >= kNearlyAll;
}

/// Of what the accumulation point dominates directly, the class that retains half of it or more.
std::optional<ClassShare> most_of(const Suspect& suspect, std::uint64_t retained) {
  if (!suspect.accumulated || suspect.accumulated->classes.empty()) {
    return std::nullopt;
  }
  const auto& first = suspect.accumulated->classes.front();
  return share_bp(first.retained.value_or(0), retained) >= kHalf ? std::optional(first)
                                                                 : std::nullopt;
}

/// Says whether what hangs there are listeners, and what they keep themselves.
void judge_listeners(const Overview& overview, Hoard& hoard) {
  const bool by_field = tells_of_listeners(hoard.field.name);
  const bool by_element = tells_of_listeners(hoard.element.class_name);
  hoard.of_listeners = hoard.callbacks || by_field || by_element;
  const auto elements = by_element ? retained_by(overview, hoard.element) : 0;
  const auto listeners = std::max(elements, retained_by(overview, hoard.callbacks));
  hoard.listeners_retained = by_field ? hoard.retained : std::min(listeners, hoard.retained);
}

}  // namespace

std::optional<Hoard> find_hoard(const Report& report) {
  for (const auto& suspect : report.leaks.suspects) {
    if (!gathers_in_field(suspect)) {
      continue;
    }
    const auto element = kept_class(report.overview, suspect, is_element);
    if (!element) {
      continue;
    }
    Hoard out{.field = *suspect.holder,
              .element = *element,
              .instances = instances_of(report.overview, element->class_address),
              .retained = gathered(suspect),
              .callbacks = kept_class(report.overview, suspect, is_lambda),
              .most = most_of(suspect, gathered(suspect))};
    judge_listeners(report.overview, out);
    return out;
  }
  return std::nullopt;
}

}  // namespace hprof::triage
