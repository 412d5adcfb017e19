#include "tools/hprof-report/diff/heap_totals.h"

#include "common/checked.h"
#include "tools/hprof-report/diff/row_diffs.h"

#include <algorithm>
#include <array>

namespace hprof {
namespace {

using Value = std::optional<std::uint64_t>;

Value findings(const Report& report, Severity severity) {
  if (!report.triage) {
    return std::nullopt;
  }
  const auto& all = report.triage->findings;
  return static_cast<std::uint64_t>(std::count_if(
      all.begin(), all.end(), [=](const Finding& each) { return each.severity == severity; }));
}

const DuplicateSavings* savings(const Report& report) {
  return report.strings && report.strings->savings ? &*report.strings->savings : nullptr;
}

Value saved(const Report& report, std::uint64_t DuplicateSavings::*part) {
  const auto* found = savings(report);
  return found == nullptr ? Value() : Value(found->*part);
}

Value duplicate_strings(const Report& report) {
  const auto* found = savings(report);
  return found == nullptr ? Value()
                          : Value(checked_add(found->string_arrays, found->string_objects));
}

/// Whether the section on references says that it was filled without the dump.
bool without_dump(const Report& report) {
  const auto& left_out = report.not_covered;
  return left_out && std::any_of(left_out->begin(), left_out->end(),
                                 [](const auto& row) { return row.section == "references"; });
}

Value direct_memory(const Report& report) {
  if (!report.references || without_dump(report)) {
    return std::nullopt;
  }
  const auto& buffers = report.references->direct_buffers;
  return buffers ? buffers->capacity : 0;
}

constexpr const char* kTriage = "a triage";
constexpr const char* kDuplicates = "--find-duplicates";

// clang-format off
constexpr std::array kTotals{
    HeapTotal{"retained", "Used heap", true, true, true, "", [](const Report& r) { return Value(r.overview.total_shallow); }},
    HeapTotal{"objects", "Objects", false, true, true, "", [](const Report& r) { return Value(r.overview.total_objects); }},
    HeapTotal{"classes", "Classes", false, true, true, "", [](const Report& r) { return Value(r.overview.classes_loaded); }},
    HeapTotal{"loaders", "Class loaders", false, true, true, "", [](const Report& r) { return Value(r.overview.classloaders_loaded); }},
    HeapTotal{"duplicate-classes", "Classes of several loaders", false, true, true, "a list of duplicate classes", [](const Report& r) { return r.overview.duplicate_class_names; }},
    HeapTotal{"threads", "Threads", false, true, true, "threads", [](const Report& r) { return r.threads ? Value(r.threads->total) : Value(); }},
    HeapTotal{"gc-roots", "GC roots", false, true, true, "", [](const Report& r) { return Value(r.overview.gc_roots); }},
    HeapTotal{"unreachable", "Unreachable", true, true, false, "", [](const Report& r) { return Value(r.overview.unreachable_shallow); }},
    HeapTotal{"unreachable-objects", "Unreachable objects", false, false, false, "", [](const Report& r) { return Value(r.overview.unreachable_count); }},
    HeapTotal{"direct-memory", "Direct buffers, outside", true, true, false, "the dump", direct_memory},
    HeapTotal{"suspects", "Leak suspects", false, true, false, "", [](const Report& r) { return Value(r.leaks.suspects.size()); }},
    HeapTotal{"findings.critical", "Critical findings", false, false, false, kTriage, [](const Report& r) { return findings(r, Severity::critical); }},
    HeapTotal{"findings.warning", "Warnings of the triage", false, false, false, kTriage, [](const Report& r) { return findings(r, Severity::warning); }},
    HeapTotal{"collections", "Collections", false, true, true, "collections", [](const Report& r) { return r.collections ? Value(r.collections->collections) : Value(); }},
    HeapTotal{"collections.wasted", "Wasted in collections", true, true, false, "collections", [](const Report& r) { return r.collections ? Value(r.collections->savings.total) : Value(); }},
    HeapTotal{"duplicate-strings.saved", "Duplicate strings", true, true, false, kDuplicates, duplicate_strings},
    HeapTotal{"duplicate-arrays.saved", "Duplicate arrays", true, true, false, kDuplicates, [](const Report& r) { return saved(r, &DuplicateSavings::other_arrays); }},
    HeapTotal{"boxed-numbers.saved", "Equal boxed numbers", true, true, false, kDuplicates, [](const Report& r) { return saved(r, &DuplicateSavings::boxed_numbers); }},
    HeapTotal{"duplicates.saved", "All duplicates", true, false, false, kDuplicates, [](const Report& r) { return saved(r, &DuplicateSavings::total); }},
};
// clang-format on

}  // namespace

std::span<const HeapTotal> heap_totals() {
  return kTotals;
}

std::vector<DiffTotal> diff_totals(const Reports& reports) {
  std::vector<DiffTotal> out;
  for (const auto& total : kTotals) {
    std::vector<std::uint64_t> values;
    for (const auto& report : reports) {
      if (const auto value = total.value(report)) {
        values.push_back(*value);
      }
    }
    if (total.in_table && values.size() == reports.size()) {
      out.push_back({total.name, total.title, total.is_bytes, exact_series(values)});
    }
  }
  return out;
}

}  // namespace hprof
