// Sentences are made from the model alone, so that a rendered JSON says the same as the report
// itself.
#include "formats/report/summary.h"

#include "common/concat.h"
#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

Span words(std::string text) {
  return {std::move(text), false};
}
Span name(std::string text) {
  return {std::move(text), true};
}

std::string size_and_share(const Suspect& suspect) {
  return format_bytes(suspect.retained) + " (" + format_share(suspect.retained_bp) + ")";
}

std::string listed(const std::vector<std::string>& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return out;
}

void append_holder(Sentence& out, const Suspect& suspect) {
  if (suspect.kind == SuspectKind::single) {
    out.push_back(name(suspect.label));
    out.push_back(words(" holds " + size_and_share(suspect) + " of the used heap"));
  } else {
    out.push_back(words(
        format_count(suspect.instances, "top-level instance", "top-level instances") + " of "));
    out.push_back(name(suspect.class_name));
    out.push_back(words(" together hold " + size_and_share(suspect) + " of the used heap"));
  }
}

void append_roots(Sentence& out, const Suspect& suspect) {
  if (!suspect.root_types.empty()) {
    const std::string noun =
        suspect.root_types.size() == 1 ? "GC root of kind " : "GC roots of the kinds ";
    out.push_back(words("; alive from " + (suspect.root_types.size() == 1 ? "a " + noun : noun) +
                        listed(suspect.root_types)));
  }
}

void append(Sentence& out, const Sentence& more) {
  out.insert(out.end(), more.begin(), more.end());
}

/// Whether most of a suspect's memory is below its accumulation point. A group's point is the last
/// object that the paths to all of them have in common, whatever it retains.
bool gathers_most(const Suspect& suspect) {
  const auto& point = *suspect.accumulation_point;
  return suspect.kind != SuspectKind::group ||
         (point.retained <= suspect.retained && point.retained >= suspect.retained / 2);
}

void append_accumulation(Sentence& out, const Suspect& suspect) {
  if (!suspect.accumulation_point) {
    return;
  }
  const auto& point = *suspect.accumulation_point;
  if (suspect.address == point.address) {
    out.push_back(words(". The memory gathers in it directly"));
    if (suspect.largest_static) {
      out.push_back(words(", the largest part in "));
      append(out, holder_sentence(*suspect.largest_static));
    }
    return;
  }
  out.push_back(words(gathers_most(suspect) ? ". The memory gathers in "
                                            : ". The paths to them all lead through "));
  out.push_back(name(point.label));
  out.push_back(words(", which retains " + format_bytes(point.retained)));
}

/// What keeps the memory alive, in the program's own terms; a platform's static field or a local
/// only where nothing else is known.
void append_keeper(Sentence& out, const Suspect& suspect) {
  const bool gathers_apart =
      suspect.accumulation_point && suspect.address != suspect.accumulation_point->address;
  if (suspect.holder) {
    const bool example = suspect.kind == SuspectKind::group && !suspect.accumulation_point;
    out.push_back(words(gathers_apart ? ", kept alive by "
                        : example     ? "; the largest is kept alive by "
                                      : "; kept alive by "));
    append(out, holder_sentence(*suspect.holder));
    if (suspect.anchor) {
      out.push_back(words(", which hangs on "));
      append(out, holder_sentence(*suspect.anchor));
    }
  }
  out.push_back(words("."));
}

/// The finding that says more than any suspect; nullptr: there is none.
const Finding* leading_finding(const Report& report) {
  if (!report.triage || !report.triage->leading_rule) {
    return nullptr;
  }
  const auto& findings = report.triage->findings;
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.rule == *report.triage->leading_rule;
  });
  return found == findings.end() ? nullptr : &*found;
}

}  // namespace

Sentence suspect_sentence(const Suspect& suspect) {
  Sentence out;
  append_holder(out, suspect);
  append_roots(out, suspect);
  append_accumulation(out, suspect);
  append_keeper(out, suspect);
  return out;
}

Sentence holder_sentence(const Holder& holder) {
  switch (holder.kind) {
    case HolderKind::static_field:
      return {words("static field "), name(holder.name)};
    case HolderKind::thread_local_value:
      return {words("a value of the thread-local "), name(holder.name)};
    case HolderKind::local:
      return {words("a local variable in "), name(holder.name)};
    case HolderKind::field:
      break;
  }
  return {words("field "), name(holder.name)};
}

Sentence verdict(const Report& report) {
  Sentence out;
  if (const auto cut_off = cut_off_sentence(report); !cut_off.empty()) {
    out.push_back(words(cut_off + " "));
  }
  const auto* leading = leading_finding(report);
  if (leading != nullptr) {
    append(out, finding_sentence(*leading));
    out.push_back(words(" "));
  }
  const auto& suspects = report.leaks.suspects;
  if (suspects.empty()) {
    out.push_back(words(as_far_as_read(
        report.complete, std::string(leading == nullptr ? "Nothing stands out: no" : "No") +
                             " single object and no class of top-level objects holds more than " +
                             format_share(report.leaks.threshold_bp) + " of the used heap (" +
                             format_bytes(report.overview.total_shallow) + ").")));
    return out;
  }
  append(out, suspect_sentence(suspects.front()));
  if (suspects.size() > 1) {
    out.push_back(words(
        " " + format_count(suspects.size() - 1, "more suspect follows.", "more suspects follow.")));
  }
  return out;
}

Sentence finding_sentence(const Finding& finding) {
  Sentence out;
  std::string_view rest = finding.text;
  for (const auto& part : finding.names.value_or(std::vector<std::string>())) {
    const auto at = rest.find(part);
    if (part.empty() || at == std::string_view::npos) {
      continue;
    }
    out.push_back(words(std::string(rest.substr(0, at))));
    out.push_back(name(part));
    rest.remove_prefix(at + part.size());
  }
  out.push_back(words(std::string(rest)));
  return out;
}

namespace {

/// Whether the two figures are one percent apart or more.
bool far_apart(std::uint64_t a, std::uint64_t b) {
  return std::max(a, b) - std::min(a, b) >= std::max(a, b) / 100;
}

/// The used heap, and what the JVM itself would count where that is something else.
std::string used_heap(const Overview& overview) {
  const auto& jvm = overview.used_heap_hotspot;
  const bool also = jvm && far_apart(*jvm, overview.total_shallow);
  return format_bytes(overview.total_shallow) +
         (also ? " (" + format_bytes(*jvm) + " by the JVM's own sizes)" : "");
}

/// Classes that may be nothing but ids in damaged records.
std::uint64_t made_up(const Overview& overview) {
  return std::min(overview.classes_loaded, overview.fake_classes);
}

bool may_be_filler(const UnreachableRow& row) {
  return row.class_name == "int[]" || row.class_name.starts_with("jdk.internal.vm.Filler");
}

}  // namespace

std::string unreachable_text(const Report& report) {
  const auto& overview = report.overview;
  const auto caveats = caveats_of(report);
  return format_bytes(overview.unreachable_shallow) + " in " +
         format_count(overview.unreachable_count, "object", "objects") +
         (caveats.any() && overview.unreachable_count != 0
              ? ": " + fate_of_unreached(caveats, overview.unreachable_count != 1)
              : "");
}

std::uint64_t likely_filler_bytes(const Report& report) {
  if (report.unreachable && report.unreachable->garbage) {
    const auto& garbage = *report.unreachable->garbage;
    return garbage.filler_shallow + garbage.lone_int_arrays_shallow + garbage.lone_objects_shallow;
  }
  std::uint64_t sum = 0;
  for (const auto& row : report.overview.unreachable_histogram) {
    sum += may_be_filler(row) ? row.shallow : 0;
  }
  return sum;
}

std::vector<KeyFigure> key_figures(const Report& report) {
  const auto& overview = report.overview;
  const auto& biggest = report.top.biggest_objects;
  const std::string biggest_text = biggest.empty()
                                       ? "none"
                                       : format_bytes(biggest.front().retained) + " (" +
                                             format_share(biggest.front().retained_bp) + ")";
  const std::string bound = caveats_of(report).has_lower_bounds() ? "at least " : "";
  return {
      {"Used heap", bound + used_heap(overview)},
      {"Objects", bound + grouped(overview.total_objects)},
      {"Classes",
       bound + grouped(overview.classes_loaded - (bound.empty() ? 0 : made_up(overview))) +
           " from " + format_count(overview.classloaders_loaded, "class loader", "class loaders")},
      {"GC roots", bound + grouped(overview.gc_roots)},
      {"Biggest object", biggest_text},
      {"Unreachable", unreachable_text(report)},
  };
}

}  // namespace hprof
