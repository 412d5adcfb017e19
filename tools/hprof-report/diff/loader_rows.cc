// Loaders of one class are told apart by their addresses within a report and by nothing between
// reports: a collector moves them.
#include "common/checked.h"
#include "tools/hprof-report/diff/loader_counts.h"
#include "tools/hprof-report/diff/row_diffs.h"
#include "tools/hprof-report/loaders/loader_keepers.h"
#include "tools/hprof-report/paths/path_holders.h"

#include <algorithm>
#include <set>

namespace hprof {
namespace {

/// Loaders of one class in one report; what they retain where all of them are listed.
struct LoaderSums {
  Bounds loaders;
  std::uint64_t classes = 0;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  Bounds retained;
};

void add_loaded(Join<std::string, LoaderSums>& join, const Report& report, std::size_t at,
                const DiffOptions& options) {
  for (const auto& row : report.overview.histogram) {
    auto& sums = join.at(loader_key(row.loader_label, options), at);
    ++sums.classes;
    sums.instances = checked_add(sums.instances, row.instances);
    sums.shallow = checked_add(sums.shallow, row.shallow);
  }
}

/// Loaders that a report does not list may be of any class.
void add_counts(Join<std::string, LoaderSums>& join, const Reports& reports,
                const DiffOptions& options) {
  std::vector<LoaderCounts> counts;
  for (std::size_t at = 0; at < reports.size(); ++at) {
    counts.push_back(count_loaders(reports[at], options));
    for (const auto& [name, count] : counts.back().by_class) {
      join.at(name, at).loaders = count;
    }
  }
  for (const auto& [name, sums] : join.rows()) {
    for (std::size_t at = 0; at < reports.size(); ++at) {
      if (!counts[at].by_class.contains(name)) {
        join.at(name, at).loaders = {0, counts[at].unlisted};
      }
    }
  }
}

void add_components(Join<std::string, LoaderSums>& join, const Report& report, std::size_t at,
                    const DiffOptions& options) {
  for (const auto& row : *report.overview.class_loaders) {
    auto& retained = join.at(loader_key(row.label, options), at).retained;
    retained.least = checked_add(retained.least, row.retained);
  }
}

/// Loaders that the list has no room for retain together no more than what it leaves of the heap.
void bound_components(Join<std::string, LoaderSums>& join, const Report& report, std::size_t at) {
  const auto& overview = report.overview;
  std::uint64_t left = overview.total_shallow;
  for (const auto& row : *overview.class_loaders) {
    left -= std::min(left, row.retained);
  }
  const bool all = overview.class_loaders->size() >= overview.classloaders_loaded;
  for (const auto& [key, row] : join.rows()) {
    auto& retained = join.at(key, at).retained;
    retained.most = checked_add(retained.least, all ? 0 : left);
  }
}

void add_keepers(std::vector<DiffLoader>& rows, const Report& report, const DiffOptions& options) {
  std::set<std::string> names;
  for (const auto& row : rows) {
    names.insert(row.class_name);
  }
  const auto keepers = loader_keepers(report, names, options.raw_names);
  for (auto& row : rows) {
    const auto found = keepers.find(row.class_name);
    if (found != keepers.end() && !is_platform_class(row.class_name) &&
        row.loaders.change > SignedCount()) {
      row.kept_by = found->second;
    }
  }
}

bool list_loaders(const Reports& reports) {
  return std::all_of(reports.begin(), reports.end(), [](const Report& report) {
    return report.overview.class_loaders.has_value();
  });
}

DiffLoader loader_row(const std::string& name, const std::vector<LoaderSums>& sums, bool listed) {
  DiffLoader out;
  out.class_name = name;
  out.loaders = series_of(sums, &LoaderSums::loaders);
  out.classes = series_of(sums, &LoaderSums::classes);
  out.instances = series_of(sums, &LoaderSums::instances);
  out.shallow = series_of(sums, &LoaderSums::shallow);
  if (listed) {
    out.retained = series_of(sums, &LoaderSums::retained);
  }
  return out;
}

}  // namespace

std::vector<DiffLoader> diff_loaders(const Reports& reports, const DiffOptions& options) {
  const bool listed = list_loaders(reports);
  Join<std::string, LoaderSums> join(reports.size());
  for (std::size_t at = 0; at < reports.size(); ++at) {
    add_loaded(join, reports[at], at, options);
  }
  add_counts(join, reports, options);
  for (std::size_t at = 0; listed && at < reports.size(); ++at) {
    add_components(join, reports[at], at, options);
  }
  for (std::size_t at = 0; listed && at < reports.size(); ++at) {
    bound_components(join, reports[at], at);
  }
  std::vector<DiffLoader> out;
  for (const auto& [name, sums] : join.rows()) {
    DiffLoader row = loader_row(name, sums, listed);
    if (!is_constant(row.loaders) || !is_constant(row.classes) || !is_constant(row.instances) ||
        !is_constant(row.shallow) || (row.retained && !is_constant(*row.retained))) {
      out.push_back(std::move(row));
    }
  }
  add_keepers(out, reports.back(), options);
  std::stable_sort(out.begin(), out.end(), [](const DiffLoader& a, const DiffLoader& b) {
    return (a.retained ? a.retained->change.amount : a.shallow.change.amount) >
           (b.retained ? b.retained->change.amount : b.shallow.change.amount);
  });
  return out;
}

}  // namespace hprof
