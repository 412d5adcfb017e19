// With --collections a report sums up collections by field. Without, it lists the biggest ones with
// their owners: then the largest of a field is compared, or all of a static field, of which there
// are no more than copies of its class.
#include "common/checked.h"
#include "tools/hprof-report/diff/owner_diffs.h"
#include "tools/hprof-report/joined_names.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kMostContents = 5;

struct FieldSums {
  bool listed = false;
  Bounds collections;
  Bounds elements;
  Bounds retained;
  std::uint64_t count = 0;    ///< collections that are listed one by one
  std::uint64_t sum = 0;      ///< what they retain together
  std::uint64_t largest = 0;  ///< what the largest retains
  bool nested = false;        ///< some of them may lie within others
};

struct FieldJoin {
  explicit FieldJoin(std::size_t reports) : sums(reports) {}

  Join<std::string, FieldSums> sums;
  std::map<std::string, std::vector<std::string>> contents;
};

constexpr std::string_view kStatic = "class ";

/// The field of a class whose name is joined: "a.B#f", "class a.B.f".
std::string field_key(const std::string& field, const DiffOptions& options) {
  if (options.raw_names || field.starts_with("(")) {
    return field;
  }
  const bool is_static = field.starts_with(kStatic);
  const auto end = is_static ? field.rfind('.') : field.rfind('#');
  if (end == std::string::npos || end < kStatic.size()) {
    return field;
  }
  const auto begin = is_static ? kStatic.size() : 0;
  return field.substr(0, begin) + joined_class_name(field.substr(begin, end - begin)) +
         field.substr(end);
}

std::vector<std::string> contents_of(const CollectionField& field, const DiffOptions& options) {
  std::vector<std::string> out;
  for (const auto& content : field.contents) {
    const auto name = class_key(content.class_name, options);
    if (out.size() < kMostContents && std::find(out.begin(), out.end(), name) == out.end()) {
      out.push_back(name);
    }
  }
  return out;
}

void add_by_field(FieldJoin& join, const Report& report, std::size_t at,
                  const DiffOptions& options) {
  for (const auto& field : *report.collections->by_field) {
    const auto key = field_key(field.field, options);
    auto& sums = join.sums.at(key, at);
    sums.listed = true;
    sums.collections = exactly(checked_add(sums.collections.least, field.collections));
    sums.elements = exactly(checked_add(sums.elements.least, field.elements));
    sums.retained =
        exactly(capped_sum(sums.retained.least, field.retained, report.overview.total_shallow));
    join.contents[key] = contents_of(field, options);
  }
}

/// The class that declares the field of a key; empty where the key is none.
std::string declaring_class(const std::string& key) {
  const bool is_static = key.starts_with(kStatic);
  const auto end = is_static ? key.rfind('.') : key.rfind('#');
  const auto begin = is_static ? kStatic.size() : 0;
  return end == std::string::npos || end < begin ? "" : key.substr(begin, end - begin);
}

/// Whether the heap has no such field, as the class that declares it is not there.
bool surely_lacks_field(const Report& report, const std::string& key, const DiffOptions& options) {
  const auto name = declaring_class(key);
  return !name.empty() && surely_lacks(report, std::string(kStatic) + name, options);
}

/// Fields that the list has no room for retain no more than its last one, and have no more
/// collections than there are.
void bound_by_field(FieldJoin& join, const Report& report, std::size_t at,
                    const DiffOptions& options) {
  const auto& all = *report.collections;
  const auto& listed = *all.by_field;
  for (const auto& [key, row] : join.sums.rows()) {
    auto& sums = join.sums.at(key, at);
    if (!sums.listed && !listed.empty() && !surely_lacks_field(report, key, options)) {
      sums.collections = {0, all.collections};
      sums.elements = {0, all.elements};
      sums.retained = {0, listed.back().retained};
    }
  }
}

void add_biggest_collections(FieldJoin& join, const Report& report, std::size_t at,
                             const DiffOptions& options) {
  for (const auto& big : report.collections->biggest) {
    auto& sums = join.sums.at(field_key(big.owner.field, options), at);
    const bool all = big.owner.field.starts_with(kStatic) && !big.owner.nested;
    sums.listed = true;
    sums.nested = sums.nested || !all;
    ++sums.count;
    sums.sum = checked_add(sums.sum, big.retained);
    sums.largest = std::max(sums.largest, big.retained);
  }
}

std::uint64_t copies_of(const Report& report, const std::string& class_name,
                        const DiffOptions& options) {
  const auto& rows = report.overview.histogram;
  return static_cast<std::uint64_t>(std::count_if(
      rows.begin(), rows.end(),
      [&](const HistogramRow& row) { return class_key(row.class_name, options) == class_name; }));
}

/// Whether the lists of the biggest collections tell all of a field.
bool lists_all(const std::string& key, const std::vector<FieldSums>& sums) {
  return key.starts_with(kStatic) &&
         std::none_of(sums.begin(), sums.end(), [](const FieldSums& part) { return part.nested; });
}

/// The most that collections which are not listed add: each less than the last one of the list.
void bound_biggest_collections(FieldJoin& join, const Report& report, std::size_t at,
                               const DiffOptions& options) {
  const auto& listed = report.collections->biggest;
  const std::uint64_t each = listed.empty() ? 0 : listed.back().retained;
  for (const auto& [key, row] : join.sums.rows()) {
    auto& sums = join.sums.at(key, at);
    if (lists_all(key, row)) {
      const auto copies =
          copies_of(report, key.substr(kStatic.size(), key.rfind('.') - kStatic.size()), options);
      const auto missing = copies - std::min(copies, sums.count);
      sums.retained = {sums.sum, checked_add(sums.sum, checked_mul(missing, each))};
    } else {
      sums.retained = sums.listed                                ? exactly(sums.largest)
                      : surely_lacks_field(report, key, options) ? Bounds()
                                                                 : Bounds{0, each};
    }
  }
}

DiffField field_row(const std::string& key, const std::vector<FieldSums>& sums, bool by_field) {
  DiffField out;
  out.is_static = key.starts_with(kStatic);
  out.field = out.is_static ? key.substr(kStatic.size()) : key;
  if (by_field) {
    out.collections = series_of(sums, &FieldSums::collections);
    out.elements = series_of(sums, &FieldSums::elements);
  } else if (!lists_all(key, sums)) {
    out.largest_only = true;
  }
  out.retained = series_of(sums, &FieldSums::retained);
  out.fate = fate_of(sums.front().listed, sums.back().listed, out.retained);
  return out;
}

bool all_have(const Reports& reports, bool (*has)(const Collections& collections)) {
  return std::all_of(reports.begin(), reports.end(), [&](const Report& report) {
    return report.collections && has(*report.collections);
  });
}

void join_fields(FieldJoin& join, const Reports& reports, bool by_field,
                 const DiffOptions& options) {
  for (std::size_t at = 0; at < reports.size(); ++at) {
    by_field ? add_by_field(join, reports[at], at, options)
             : add_biggest_collections(join, reports[at], at, options);
  }
  for (std::size_t at = 0; at < reports.size(); ++at) {
    by_field ? bound_by_field(join, reports[at], at, options)
             : bound_biggest_collections(join, reports[at], at, options);
  }
}

}  // namespace

std::vector<DiffField> diff_fields(const Reports& reports, const DiffOptions& options) {
  if (!all_have(reports, [](const Collections&) { return true; })) {
    return {};
  }
  const bool by_field =
      all_have(reports, [](const Collections& found) { return found.by_field.has_value(); });
  FieldJoin join(reports.size());
  join_fields(join, reports, by_field, options);
  std::vector<DiffField> out;
  for (const auto& [key, sums] : join.sums.rows()) {
    DiffField row = field_row(key, sums, by_field);
    row.contents = join.contents[key];
    if (row.retained.change.amount != 0 || row.retained.trend != Trend::same ||
        (row.elements && row.elements->change.amount != 0)) {
      out.push_back(std::move(row));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const DiffField& a, const DiffField& b) {
    return a.retained.change > b.retained.change;
  });
  return out;
}

}  // namespace hprof
