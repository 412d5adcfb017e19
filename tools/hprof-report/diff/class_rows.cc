// The histogram has a row per class object. Its instances and shallow sizes add up exactly; what
// copies of a class retain may overlap, so their sum is capped by the used heap and marked.
#include "common/checked.h"
#include "tools/hprof-report/diff/row_diffs.h"
#include "tools/hprof-report/joined_names.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

struct ClassSums {
  std::uint64_t copies = 0;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
};

using ClassKey = std::pair<std::string, std::string>;

void add_histogram(Join<ClassKey, ClassSums>& join, const Report& report, std::size_t at,
                   const DiffOptions& options) {
  for (const auto& row : report.overview.histogram) {
    auto& sums =
        join.at({class_key(row.class_name, options), loader_key(row.loader_label, options)}, at);
    ++sums.copies;
    sums.instances = checked_add(sums.instances, row.instances);
    sums.shallow = checked_add(sums.shallow, row.shallow);
    sums.retained = sums.copies == 1
                        ? row.retained
                        : capped_sum(sums.retained, row.retained, report.overview.total_shallow);
  }
}

DiffClass class_row(const ClassKey& key, const std::vector<ClassSums>& sums) {
  DiffClass out;
  out.class_name = key.first;
  out.loader = key.second;
  out.copies = series_of(sums, &ClassSums::copies);
  out.instances = series_of(sums, &ClassSums::instances);
  out.shallow = series_of(sums, &ClassSums::shallow);
  out.retained = series_of(sums, &ClassSums::retained);
  out.added_up =
      std::any_of(sums.begin(), sums.end(), [](const ClassSums& part) { return part.copies > 1; });
  out.fate = fate_of(sums.front().copies != 0, sums.back().copies != 0, out.retained);
  return out;
}

bool is_same(const DiffClass& row) {
  return is_constant(row.copies) && is_constant(row.instances) && is_constant(row.shallow) &&
         is_constant(row.retained);
}

struct PackageSums {
  std::uint64_t classes = 0;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
};

}  // namespace

std::vector<DiffClass> diff_classes(const Reports& reports, const DiffOptions& options,
                                    std::uint64_t& same) {
  Join<ClassKey, ClassSums> join(reports.size());
  for (std::size_t at = 0; at < reports.size(); ++at) {
    add_histogram(join, reports[at], at, options);
  }
  std::vector<DiffClass> out;
  for (const auto& [key, sums] : join.rows()) {
    DiffClass row = class_row(key, sums);
    if (is_same(row)) {
      ++same;
    } else {
      out.push_back(std::move(row));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const DiffClass& a, const DiffClass& b) {
    return std::tuple(a.retained.change.amount, a.shallow.change.amount) >
           std::tuple(b.retained.change.amount, b.shallow.change.amount);
  });
  return out;
}

std::vector<DiffPackage> diff_packages(const Reports& reports, const DiffOptions& options) {
  Join<std::string, PackageSums> join(reports.size());
  for (std::size_t at = 0; at < reports.size(); ++at) {
    for (const auto& row : reports[at].overview.histogram) {
      auto& sums = join.at(package_of(class_key(row.class_name, options)), at);
      ++sums.classes;
      sums.instances = checked_add(sums.instances, row.instances);
      sums.shallow = checked_add(sums.shallow, row.shallow);
    }
  }
  std::vector<DiffPackage> out;
  for (const auto& [name, sums] : join.rows()) {
    DiffPackage row{name, series_of(sums, &PackageSums::classes),
                    series_of(sums, &PackageSums::instances),
                    series_of(sums, &PackageSums::shallow)};
    if (!is_constant(row.classes) || !is_constant(row.instances) || !is_constant(row.shallow)) {
      out.push_back(std::move(row));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const DiffPackage& a, const DiffPackage& b) {
    return a.shallow.change.amount > b.shallow.change.amount;
  });
  return out;
}

}  // namespace hprof
