#include "tools/hprof-report/gate/measures.h"

#include "common/checked.h"
#include "tools/hprof-report/diff/heap_totals.h"
#include "tools/hprof-report/diff/loader_counts.h"
#include "tools/hprof-report/diff/owner_diffs.h"
#include "tools/hprof-report/diff/row_diffs.h"
#include "tools/hprof-report/joined_names.h"

#include <algorithm>
#include <set>

namespace hprof {
namespace {

Measures lacking(const std::string& what) {
  Measures out;
  out.missing = what;
  return out;
}

void add_exact(Measures& out, const std::string& name, std::uint64_t value) {
  auto& row = out.rows[name];
  row = exactly(checked_add(row.least, value));
}

std::uint64_t of_class(const HistogramRow& row, const std::string& metric) {
  return metric == "instances" ? row.instances
         : metric == "shallow" ? row.shallow
         : metric == "copies"  ? 1
                               : row.retained;
}

Measures measure_classes(const GateRule& rule, const Report& report, const DiffOptions& options) {
  Measures out;
  std::set<std::string> seen;
  for (const auto& row : report.overview.histogram) {
    const auto name = class_key(row.class_name, options);
    add_exact(out, name, of_class(row, rule.metric));
    const bool again = !seen.insert(name).second;
    if (again && rule.metric == "retained") {
      auto& sum = out.rows[name];
      sum = exactly(std::min(sum.least, report.overview.total_shallow));
    }
  }
  return out;
}

/// The node of a package in the tree, which leaves small ones out.
const PackageNode* package_node(const PackageNode& root, std::string_view name) {
  const PackageNode* node = &root;
  while (node != nullptr && !name.empty()) {
    const auto segment = name.substr(0, name.find('.'));
    const auto found =
        std::find_if(node->children.begin(), node->children.end(),
                     [&](const PackageNode& child) { return child.name == segment; });
    node = found == node->children.end() ? nullptr : &*found;
    name.remove_prefix(std::min(name.size(), segment.size() + 1));
  }
  return node;
}

bool lies_in(const std::string& package, const std::string& name) {
  return package == name || package.starts_with(name + ".");
}

Measures measure_package(const GateRule& rule, const Report& report, const DiffOptions& options) {
  Measures out;
  if (rule.metric == "retained") {
    const auto* node = package_node(report.top.biggest_packages, rule.pattern);
    out.rows[rule.pattern] =
        node == nullptr ? Bounds{0, report.top.threshold} : exactly(node->retained);
    out.note = "retained of a package is that of its objects which nothing else dominates";
    return out;
  }
  out.rows[rule.pattern] = exactly(0);
  for (const auto& row : report.overview.histogram) {
    if (lies_in(package_of(class_key(row.class_name, options)), rule.pattern)) {
      add_exact(out, rule.pattern, rule.metric == "classes" ? 1 : of_class(row, rule.metric));
    }
  }
  return out;
}

/// Loaders that are not listed share what the list leaves of the heap.
Measures measure_loader_sizes(const Report& report, const DiffOptions& options) {
  if (!report.overview.class_loaders) {
    return lacking("has no list of class loaders");
  }
  Measures out;
  std::uint64_t left = report.overview.total_shallow;
  for (const auto& row : *report.overview.class_loaders) {
    add_exact(out, loader_key(row.label, options), row.retained);
    left -= std::min(left, row.retained);
  }
  if (report.overview.class_loaders->size() < report.overview.classloaders_loaded) {
    for (auto& [name, bounds] : out.rows) {
      bounds.most = checked_add(bounds.least, left);
    }
    out.others = {0, left};
  }
  return out;
}

Measures measure_loader_counts(const Report& report, const DiffOptions& options) {
  const LoaderCounts counts = count_loaders(report, options);
  Measures out;
  out.rows.insert(counts.by_class.begin(), counts.by_class.end());
  out.others = {0, counts.unlisted};
  return out;
}

Measures measure_loaders(const GateRule& rule, const Report& report, const DiffOptions& options) {
  if (rule.metric == "retained") {
    return measure_loader_sizes(report, options);
  }
  if (rule.metric == "loaders") {
    return measure_loader_counts(report, options);
  }
  Measures out;
  for (const auto& row : report.overview.histogram) {
    add_exact(out, loader_key(row.loader_label, options),
              rule.metric == "classes" ? 1 : of_class(row, rule.metric));
  }
  return out;
}

/// Whether --sections has left a section out.
bool left_out(const Report& report, const char* section) {
  const auto& chosen = report.sections;
  return chosen && std::find(chosen->begin(), chosen->end(), section) == chosen->end();
}

Measures measure_threads(const GateRule& rule, const Report& report, const DiffOptions& options) {
  if (!report.threads) {
    return lacking(left_out(report, "threads") ? "has no threads; --sections left out threads"
                                               : "has no threads; give hprof-report the dump");
  }
  Measures out;
  const auto& threads = *report.threads;
  for (const auto& thread : threads.threads) {
    add_exact(out, thread_key(thread, options), rule.metric == "threads" ? 1 : thread.retained);
  }
  const std::uint64_t each =
      rule.metric == "threads" || threads.threads.empty() ? 1 : threads.threads.back().retained;
  out.others = {0, checked_mul(threads.left_out, each)};
  for (auto& [name, bounds] : out.rows) {
    bounds.most = checked_add(bounds.least, out.others.most);
  }
  return out;
}

/// As a table of the comparison names it: without "class ".
std::string field_name(const std::string& field) {
  return field.starts_with("class ") ? field.substr(6) : field;
}

std::uint64_t of_field(const CollectionField& field, const std::string& metric) {
  return metric == "retained"      ? field.retained
         : metric == "collections" ? field.collections
                                   : field.elements;
}

/// What fields that are not listed have together; the classes of collections are all there.
std::uint64_t in_unlisted_fields(const Collections& all, std::uint64_t CollectionClass::*in_class,
                                 std::uint64_t CollectionField::*in_field) {
  std::uint64_t left = 0;
  for (const auto& row : all.classes) {
    left = checked_add(left, row.kind == "view" ? 0 : row.*in_class);
  }
  for (const auto& field : *all.by_field) {
    left -= std::min(left, field.*in_field);
  }
  return left;
}

/// What a field that is not listed may have: no more than all of these, nor than the last one of
/// the list.
Bounds of_unlisted_field(const Collections& all, const std::string& metric) {
  const auto left =
      in_unlisted_fields(all, &CollectionClass::collections, &CollectionField::collections);
  if (metric == "elements") {
    return {0, in_unlisted_fields(all, &CollectionClass::elements, &CollectionField::elements)};
  }
  const bool none = left == 0 || all.by_field->empty();
  return {0, metric == "collections" ? left : none ? 0 : all.by_field->back().retained};
}

Measures measure_fields(const GateRule& rule, const Report& report) {
  if (!report.collections || !report.collections->by_field) {
    return lacking(left_out(report, "collections")
                       ? "does not tell collections by field; --sections left out collections"
                       : "does not tell collections by field; run hprof-report with --collections");
  }
  Measures out;
  for (const auto& field : *report.collections->by_field) {
    add_exact(out, field_name(field.field), of_field(field, rule.metric));
  }
  out.others = of_unlisted_field(*report.collections, rule.metric);
  return out;
}

/// A suspect goes by its class; a class object by the class that it stands for.
std::string suspect_name(const Suspect& suspect, const DiffOptions& options) {
  constexpr std::string_view kClass = "class ";
  const auto label = joined_object(suspect.label, suspect.class_name, options.raw_names);
  const bool single = suspect.kind == SuspectKind::single;
  return single && label.starts_with(kClass) ? label.substr(kClass.size())
                                             : class_key(suspect.class_name, options);
}

Measures measure_suspects(const GateRule& rule, const Report& report, const DiffOptions& options) {
  Measures out;
  for (const auto& suspect : report.leaks.suspects) {
    auto& row = out.rows[suspect_name(suspect, options)];
    const auto value = rule.metric == "retained" ? suspect.retained : suspect.instances;
    row = exactly(std::max(row.least, value));
  }
  out.others = rule.metric == "retained" ? Bounds{0, report.leaks.threshold} : kUnknownBounds;
  return out;
}

}  // namespace

Measures measure_rows(const GateRule& rule, const Report& report, const DiffOptions& options) {
  switch (rule.subject) {
    case RuleSubject::class_rows:
      return measure_classes(rule, report, options);
    case RuleSubject::package:
      return measure_package(rule, report, options);
    case RuleSubject::loader:
      return measure_loaders(rule, report, options);
    case RuleSubject::thread:
      return measure_threads(rule, report, options);
    case RuleSubject::field:
      return measure_fields(rule, report);
    default:
      return measure_suspects(rule, report, options);
  }
}

Measures measure_heap(const GateRule& rule, const Report& report) {
  for (const auto& total : heap_totals()) {
    if (rule.metric == total.name) {
      const auto value = total.value(report);
      if (!value) {
        return lacking(std::string("does not tell ") + total.name + "; it was made without " +
                       total.needs);
      }
      Measures out;
      out.rows[rule.metric] = exactly(*value);
      return out;
    }
  }
  return lacking("has no such figure");
}

}  // namespace hprof
