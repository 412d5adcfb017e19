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

/// Nothing but the GC roots is above a top-level object in the dominator tree: wherever the
/// shortest paths of a group come together, other ways lead to each of its objects.
void append_shared_point(Sentence& out, const Suspect& suspect) {
  const auto paths =
      suspect.common_path.empty() ? std::nullopt : suspect.common_path.back().targets;
  const bool all = !paths || *paths >= suspect.instances;
  out.push_back(
      words(all ? ". The shortest paths to all of them lead through "
                : concat(*paths == 1 ? ". The shortest path to " : ". The shortest paths to ",
                         grouped(*paths), " of them ",
                         *paths == 1 ? "leads through " : "lead through ")));
  out.push_back(name(suspect.accumulation_point->label));
  out.push_back(
      words(concat(", which retains ", format_bytes(suspect.accumulation_point->retained))));
}

void append_accumulation(Sentence& out, const Suspect& suspect) {
  if (!suspect.accumulation_point) {
    return;
  }
  const auto& point = *suspect.accumulation_point;
  if (suspect.kind == SuspectKind::group) {
    append_shared_point(out, suspect);
  } else if (suspect.address == point.address) {
    out.push_back(words(". The memory gathers in it directly"));
    if (suspect.largest_static && !suspect.held_together) {
      out.push_back(words(", the largest part in "));
      append(out, holder_sentence(*suspect.largest_static));
    }
  } else {
    out.push_back(words(". The memory gathers in "));
    out.push_back(name(point.label));
    out.push_back(words(", which retains " + format_bytes(point.retained)));
  }
}

/// Whether the holder of a single suspect is the suspect or below it on the path. What is above a
/// top-level object does not keep it alive alone.
bool holder_is_below(const Suspect& suspect) {
  if (suspect.kind == SuspectKind::group || !suspect.why_alive) {
    return false;
  }
  const auto& steps = suspect.why_alive->steps;
  const auto place_of = [&](const Address& address) {
    return std::find_if(steps.begin(), steps.end(),
                        [&](const PathStep& step) { return step.address == address; });
  };
  const auto holder = place_of(suspect.holder->address);
  const auto self = suspect.address ? place_of(*suspect.address) : steps.end();
  return holder != steps.end() && (self == steps.end() || self <= holder);
}

/// How the memory is reached, in the program's own terms; a platform's static field or a local only
/// where nothing else is known.
void append_keeper(Sentence& out, const Suspect& suspect) {
  const bool gathers_apart =
      suspect.accumulation_point && suspect.address != suspect.accumulation_point->address;
  if (suspect.holder) {
    const bool example = suspect.kind == SuspectKind::group && !suspect.accumulation_point;
    out.push_back(words(concat(gathers_apart ? ", "
                               : example     ? "; the largest is "
                                             : "; ",
                               holder_is_below(suspect) ? "kept alive by " : "reached through ")));
    append(out, holder_sentence(*suspect.holder));
    if (suspect.anchor) {
      out.push_back(words(", which hangs on "));
      append(out, holder_sentence(*suspect.anchor));
    }
  }
  if (suspect.kind == SuspectKind::group && suspect.accumulation_point &&
      suspect.accumulation_point->class_name != suspect.class_name) {
    out.push_back(words("; each is also reached without it"));
  }
  out.push_back(words("."));
}

/// "50,000 `a.Row` retain 11.1 MiB and 3 `byte[]` 2.0 MiB"
void append_classes(Sentence& out, const std::vector<ClassShare>& classes) {
  bool plural = classes.size() > 1;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto& row = classes[i];
    plural = plural || row.objects != 1;
    out.push_back(words((i == 0                    ? ""
                         : i + 1 == classes.size() ? " and "
                                                   : ", ") +
                        grouped(row.objects) + " "));
    out.push_back(name(row.class_name));
    const std::string verb = i != 0 ? " " : row.objects == 1 ? " retains " : " retain ";
    out.push_back(words(verb + format_bytes(row.retained.value_or(0))));
  }
  out.push_back(words(plural ? "; several references hold them together"
                             : "; several references hold it together"));
}

/// What only a thread's stack or table names, by its class as well.
void append_reference(Sentence& out, const SharingReference& reference, const Holder* before) {
  if (before != nullptr && before->name == reference.holder.name) {
    out.push_back(words(reference.holder.kind == HolderKind::local ? "another one there"
                                                                   : "another such field"));
  } else {
    append(out, holder_sentence(reference.holder));
  }
  out.push_back(words(" ("));
  if (reference.holder.kind == HolderKind::local ||
      reference.holder.kind == HolderKind::thread_local_value) {
    out.push_back(name(reference.object.class_name));
    out.push_back(words(", "));
  }
  out.push_back(words(format_bytes(reference.object.retained) + " on its own)"));
}

void append_held_together(Sentence& out, const Suspect& suspect) {
  constexpr std::size_t kNamed = 3;
  if (!suspect.held_together) {
    return;
  }
  const auto& held = *suspect.held_together;
  out.push_back(words(" Of that, "));
  append_classes(out, held.classes);
  const auto named = std::min(held.references.size(), kNamed);
  for (std::size_t i = 0; i < named; ++i) {
    out.push_back(words(i == 0 ? ", among them " : i + 1 == named ? " and " : ", "));
    append_reference(out, held.references[i], i == 0 ? nullptr : &held.references[i - 1].holder);
  }
  out.push_back(words(named == 0 ? "." : "; to remove one alone frees no more than its own."));
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
  append_held_together(out, suspect);
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
