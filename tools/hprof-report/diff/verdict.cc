#include "common/text.h"
#include "formats/diff/diff_text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/diff/causes.h"
#include "tools/hprof-report/loaders/loader_keepers.h"
#include "tools/hprof-report/wording.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hprof {
namespace {

using triage::Wording;

const DiffSeries& used_heap(const HeapDiff& diff) {
  return diff.totals.front().series;
}

bool nothing_changed(const HeapDiff& diff) {
  const auto constant = [](const DiffTotal& total) { return total.series.trend == Trend::same; };
  return std::all_of(diff.totals.begin(), diff.totals.end(), constant) && diff.classes.empty() &&
         diff.paths.empty() && diff.fields_held.empty();
}

std::string period(const HeapDiff& diff) {
  const std::uint64_t first = diff.dumps.front().dump_creation_ms;
  const std::uint64_t last = diff.dumps.back().dump_creation_ms;
  const std::string dumps =
      diff.dumps.size() > 2 ? " over " + std::to_string(diff.dumps.size()) + " dumps" : "";
  return dumps + (first != 0 && last > first ? " in " + duration_text(last - first) : "");
}

std::string steadiness(const DiffSeries& heap) {
  switch (heap.values.size() > 2 ? heap.trend : Trend::same) {
    case Trend::monotonic:
      return ", at every step";
    case Trend::warm_up:
      return ", at the first step only";
    case Trend::irregular:
      return ", up and down between";
    default:
      return "";
  }
}

std::string heap_at(const DiffTotal& heap, std::size_t dump) {
  const std::string read = format_bytes(heap.series.values[dump]);
  switch (worth_at(heap.series, dump)) {
    case Worth::at_least:
      return "at least " + read;
    case Worth::unsure:
      return read + " (as far as it was read)";
    default:
      return read;
  }
}

/// "grew by 4.5 MiB (+45.00 %)", "grew by at least 4.5 MiB", "may have grown by up to 4.5 MiB"
std::string movement(const DiffTotal& heap, const ChangeRange& range) {
  const bool down = range.change.negative;
  const std::string amount = format_bytes(range.change.amount);
  if (range.is_exact()) {
    const auto& share = heap.series.change_bp;
    return (down ? "shrank by " : "grew by ") + amount +
           (share ? " (" + change_in_share(*share) + ")" : "");
  }
  const bool certain = down ? range.most.has_value() : range.least.has_value();
  return certain ? (down ? "shrank by at least " : "grew by at least ") + amount
                 : (down ? "may have shrunk by up to " : "may have grown by up to ") + amount;
}

std::string heap_in_both(const HeapDiff& diff) {
  const auto& heap = diff.totals.front();
  const std::size_t last = diff.dumps.size() - 1;
  return "The used heap is " + heap_at(heap, 0) + " in dump 1 and " + heap_at(heap, last) +
         " in dump " + std::to_string(last + 1);
}

/// Where the dumps are as large as each other, or not comparable.
bool say_constant_heap(Wording& wording, const HeapDiff& diff) {
  const auto& heap = diff.totals.front();
  const std::size_t last = diff.dumps.size() - 1;
  const auto range = range_of(heap.series);
  if (range.unknown) {
    wording.words(heap_in_both(diff) + "; how it changed is not known");
  } else if (range.change.amount == 0) {
    wording.words("The used heap is " +
                  std::string(range.least  ? "at least "
                              : range.most ? "at most "
                                           : "") +
                  "as large as before" + period(diff) + ", " +
                  format_bytes(heap.series.values[last]));
  }
  return range.unknown || range.change.amount == 0;
}

void say_heap(Wording& wording, const HeapDiff& diff) {
  if (say_constant_heap(wording, diff)) {
    return;
  }
  const auto& heap = diff.totals.front();
  const std::size_t last = diff.dumps.size() - 1;
  wording.words("The used heap " + movement(heap, range_of(heap.series)) + period(diff) +
                ", from " + heap_at(heap, 0) + " to " + heap_at(heap, last) +
                (has_damage(heap.series) ? "" : steadiness(heap.series)));
}

const DiffCause* first_of(const HeapDiff& diff, bool (*wanted)(CauseKind kind)) {
  const auto found = std::find_if(diff.causes.begin(), diff.causes.end(),
                                  [&](const DiffCause& cause) { return wanted(cause.kind); });
  return found == diff.causes.end() ? nullptr : &*found;
}

const DiffField* field_of(const HeapDiff& diff, const std::string& name) {
  const auto found = std::find_if(diff.fields_held.begin(), diff.fields_held.end(),
                                  [&](const DiffField& field) { return field.field == name; });
  return found == diff.fields_held.end() ? nullptr : &*found;
}

/// Another owner that grew at least as much, where the field hangs on it.
const DiffCause* root_of(const HeapDiff& diff, const DiffCause& owner) {
  const auto found =
      std::find_if(diff.causes.begin(), diff.causes.end(), [&](const DiffCause& cause) {
        return cause.kind == CauseKind::path && owner.kind == CauseKind::field &&
               cause.name != owner.name && cause.lasting >= owner.lasting - owner.lasting / 4;
      });
  return found == diff.causes.end() ? nullptr : &*found;
}

const DiffPath* path_of(const HeapDiff& diff, const std::string& holder) {
  const auto found = std::find_if(diff.paths.begin(), diff.paths.end(),
                                  [&](const DiffPath& path) { return path.holder == holder; });
  return found == diff.paths.end() ? nullptr : &*found;
}

/// "static field " and the like before a name, where it is known what it is.
std::string kind_words(const HeapDiff& diff, const DiffCause& owner) {
  if (owner.kind == CauseKind::path) {
    const auto* path = path_of(diff, owner.name);
    return path == nullptr ? "" : holder_words(*path->holder_kind);
  }
  const auto* field = field_of(diff, owner.name);
  return field == nullptr ? "" : field_holder_words(*field);
}

std::string capitalised(std::string words) {
  if (!words.empty()) {
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  }
  return words;
}

std::string more_text(const DiffCause& cause) {
  return (cause.change_most ? "at least " : "") + format_bytes(cause.change.amount);
}

std::string in_what(const DiffCause& cause) {
  return cause.as_read ? " in what was read" : "";
}

void say_owner(Wording& wording, const HeapDiff& diff, const DiffCause& owner) {
  wording.words(". " + capitalised(kind_words(diff, owner)))
      .name(owner.name)
      .words(" holds " + more_text(owner) + " more" + in_what(owner));
  if (const auto* root = root_of(diff, owner)) {
    wording.words(", and so does " + kind_words(diff, *root)).name(root->name);
  }
}

/// The row that a cause was made of; loaders of several classes may have classes of one name.
const DiffClass* class_of(const HeapDiff& diff, const DiffCause& cause) {
  const auto found =
      std::find_if(diff.classes.begin(), diff.classes.end(), [&](const DiffClass& row) {
        return row.class_name == cause.name &&
               (row.retained.change == cause.change || row.shallow.change == cause.change);
      });
  return found == diff.classes.end() ? nullptr : &*found;
}

void say_class(Wording& wording, const HeapDiff& diff, const DiffCause& cause) {
  wording.words(". The class that grows most is ").name(cause.name);
  if (const auto* row = class_of(diff, cause)) {
    const auto& instances = row->instances;
    wording.words(" with " +
                  told_change(range_of(instances),
                              change_in_count(instances.change) +
                                  (instances.change.amount == 1 ? " instance" : " instances")));
  }
}

void say_loader(Wording& wording, const HeapDiff& diff, const DiffCause& cause) {
  const auto found =
      std::find_if(diff.loaders.begin(), diff.loaders.end(),
                   [&](const DiffLoader& row) { return row.class_name == cause.name; });
  if (found == diff.loaders.end()) {
    return;
  }
  wording
      .words(". " + format_count(found->loaders.change.amount, "more class loader of ",
                                 "more class loaders of "))
      .name(cause.name)
      .words((found->loaders.change.amount == 1 ? " stays alive" : " stay alive") + in_what(cause));
  say_keepers(wording, ", kept by ", found->kept_by.value_or(std::vector<std::string>()));
}

void say_thread(Wording& wording, const DiffCause& cause) {
  wording.words(". Threads ")
      .name(cause.name)
      .words(" hold " + more_text(cause) + " more" + in_what(cause));
}

bool is_owner(CauseKind kind) {
  return kind == CauseKind::field || kind == CauseKind::path;
}

void say_causes(Wording& wording, const HeapDiff& diff) {
  const auto* owner = first_of(diff, is_owner);
  const auto* grown = first_of(diff, [](CauseKind kind) { return kind == CauseKind::instances; });
  const auto* loader = first_of(diff, [](CauseKind kind) { return kind == CauseKind::loader; });
  const auto* thread = first_of(diff, [](CauseKind kind) { return kind == CauseKind::thread; });
  if (owner != nullptr) {
    say_owner(wording, diff, *owner);
  }
  if (grown != nullptr) {
    say_class(wording, diff, *grown);
  }
  if (loader != nullptr) {
    say_loader(wording, diff, *loader);
  }
  if (thread != nullptr && owner == nullptr && loader == nullptr) {
    say_thread(wording, *thread);
  }
}

std::string nothing_notable(const HeapDiff& diff) {
  const auto& heap = used_heap(diff);
  if (heap.values.size() > 2 && heap.trend == Trend::warm_up && !is_read_in_part(heap)) {
    return ": that looks like a warm-up; nothing notable grew after it";
  }
  return (is_whole(diff) ? "; no" : "; in what was read no") +
         std::string(" class, field, loader or thread grew notably") +
         std::string(heap.values.size() > 2 ? " and lastingly" : "") + ", by " +
         format_bytes(diff.notable) + " or more";
}

/// A heap may stay small while buffers outside of it do not.
void say_direct_memory(Wording& wording, const HeapDiff& diff) {
  constexpr std::uint64_t kMuch = 64 << 20U;
  for (const auto& total : diff.totals) {
    if (total.name == "direct-memory" && total.series.lasting >= kMuch &&
        !range_of(total.series).unknown) {
      wording.words(". Direct buffers outside the heap grew by " +
                    format_bytes(total.series.change.amount));
    }
  }
}

const Finding* warning_of(const HeapDiff& diff, std::string_view rule) {
  const auto found = std::find_if(diff.warnings.begin(), diff.warnings.end(),
                                  [&](const Finding& each) { return each.rule == rule; });
  return found == diff.warnings.end() ? nullptr : &*found;
}

struct OtherFigures {
  std::string_view rule;
  const char* what;
};

constexpr std::array kOtherFigures{
    OtherFigures{"references", "follow different references"},
    OtherFigures{"roots", "start from different roots"},
    OtherFigures{"layout", "measure objects differently"},
};

/// Why other figures need be no change.
void say_other_figures(Wording& wording, const HeapDiff& diff) {
  std::string why;
  for (const auto& other : kOtherFigures) {
    if (warning_of(diff, other.rule) != nullptr) {
      why += (why.empty() ? "" : " and ") + std::string(other.what);
    }
  }
  if (!why.empty()) {
    wording.words("The reports " + why + ", so what changed may be due to that. ");
  }
}

void say_lead(Wording& wording, const HeapDiff& diff, bool one_dump) {
  if (!is_whole(diff)) {
    wording.words("A dump is damaged, and what it lacks may look like a change. ");
  }
  if (one_dump) {
    wording.words(warning_of(diff, "same_dump")->text + " ");
  } else {
    say_other_figures(wording, diff);
  }
}

Finding info_of(Wording& wording, const char* rule) {
  return wording.finding(rule, Severity::info, "Verdict", "summary");
}

void say_changes(Wording& wording, const HeapDiff& diff) {
  say_heap(wording, diff);
  if (diff.causes.empty()) {
    wording.words(nothing_notable(diff));
  } else {
    say_causes(wording, diff);
  }
  say_direct_memory(wording, diff);
  wording.words(".");
}

}  // namespace

Finding verdict_of(const HeapDiff& diff, bool one_dump) {
  Wording wording;
  say_lead(wording, diff, one_dump);
  if (nothing_changed(diff)) {
    wording.words(
        (is_whole(diff) ? "No change: the dumps hold the same, " : "No change in what was read: ") +
        format_bytes(used_heap(diff).values.front()) + " in " +
        format_count(diff.dumps.front().total_objects, "object", "objects") + ".");
    return info_of(wording, "same");
  }
  if (one_dump) {
    wording.words(heap_in_both(diff) + ".");
    return info_of(wording, "same_dump");
  }
  say_changes(wording, diff);
  return diff.causes.empty() ? info_of(wording, "nothing_notable")
                             : wording.finding("growth", Severity::warning, "Verdict", "summary");
}

}  // namespace hprof
