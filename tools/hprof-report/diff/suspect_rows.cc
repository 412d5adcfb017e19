// A suspect is recognised by what it is and by its path. Where the shortest path of the same object
// has become another one, the class alone must do: suspects left over on both sides are paired by
// it if neither side has two.
#include "common/checked.h"
#include "tools/hprof-report/diff/owner_diffs.h"
#include "tools/hprof-report/joined_names.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace hprof {
namespace {

constexpr std::string_view kClass = "class ";

/// The class that a label stands for, or of which it stands for an object.
std::string class_called(const std::string& label) {
  return label.starts_with(kClass) ? label.substr(kClass.size()) : label;
}

struct SuspectKey {
  SuspectKind kind = SuspectKind::single;
  std::string label;
  std::string path;
  bool operator<(const SuspectKey& other) const {
    return std::tie(kind, label, path) < std::tie(other.kind, other.label, other.path);
  }
};

std::string joined_suspect_label(const Suspect& suspect, const DiffOptions& options) {
  return suspect.kind == SuspectKind::group
             ? class_key(suspect.class_name, options)
             : joined_object(suspect.label, suspect.class_name, options.raw_names);
}

SuspectKey key_of(const Suspect& suspect, const DiffOptions& options) {
  return {suspect.kind, joined_suspect_label(suspect, options), suspect_path(suspect, options)};
}

/// The suspects of one row, one per report or none.
using SuspectRow = std::vector<const Suspect*>;
using SuspectRows = std::map<SuspectKey, SuspectRow>;

/// Several suspects of a report with one key: the largest stands for them.
SuspectRows join_suspects(const Reports& reports, const DiffOptions& options) {
  SuspectRows rows;
  for (std::size_t at = 0; at < reports.size(); ++at) {
    for (const auto& suspect : reports[at].leaks.suspects) {
      auto& row =
          rows.try_emplace(key_of(suspect, options), SuspectRow(reports.size())).first->second[at];
      if (row == nullptr || row->retained < suspect.retained) {
        row = &suspect;
      }
    }
  }
  return rows;
}

bool overlap(const SuspectRow& a, const SuspectRow& b) {
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (a[at] != nullptr && b[at] != nullptr) {
      return true;
    }
  }
  return false;
}

/// Puts rows of the same thing under different paths together; the newest path stays.
void pair_leftovers(SuspectRows& rows) {
  std::map<std::pair<SuspectKind, std::string>, std::vector<SuspectKey>> by_label;
  for (const auto& [key, row] : rows) {
    by_label[{key.kind, key.label}].push_back(key);
  }
  for (const auto& [label, keys] : by_label) {
    if (keys.size() != 2 || overlap(rows[keys[0]], rows[keys[1]])) {
      continue;
    }
    const bool first_is_newer = rows[keys[0]].back() != nullptr;
    auto& kept = rows[keys[first_is_newer ? 0 : 1]];
    const auto& other = rows[keys[first_is_newer ? 1 : 0]];
    for (std::size_t at = 0; at < kept.size(); ++at) {
      kept[at] = kept[at] == nullptr ? other[at] : kept[at];
    }
    rows.erase(keys[first_is_newer ? 1 : 0]);
  }
}

/// What is known of something in one report.
struct SuspectFigures {
  Bounds instances;
  Bounds retained;
};

bool has_single(const Report& report, const std::string& class_name, const DiffOptions& options) {
  const auto& suspects = report.leaks.suspects;
  return std::any_of(suspects.begin(), suspects.end(), [&](const Suspect& suspect) {
    return suspect.kind == SuspectKind::single &&
           class_key(suspect.class_name, options) == class_name;
  });
}

/// A group that is no suspect has no more than all top-level objects of its class, and just these
/// where none of them is a suspect by itself.
SuspectFigures unlisted_group(const Report& report, const SuspectKey& key,
                              const DiffOptions& options) {
  const std::uint64_t threshold = report.leaks.threshold;
  std::vector<const TopClass*> rows;
  std::uint64_t sum = 0;
  for (const auto& row : report.top.biggest_classes) {
    if (class_key(row.class_name, options) == key.label) {
      rows.push_back(&row);
      sum = capped_sum(sum, row.retained, report.overview.total_shallow);
    }
  }
  if (rows.size() == 1 && sum <= threshold && !has_single(report, key.label, options)) {
    return {exactly(rows.front()->instances), exactly(sum)};
  }
  return {{0, objects_called(report, key.label, options)},
          {0, rows.empty() ? threshold : std::min(sum, threshold)}};
}

bool is_at(const TopObject& object, const SuspectKey& key, const DiffOptions& options) {
  return object.why_alive && joined_path(object.why_alive->steps, options.raw_names) == key.path;
}

/// An object that is no suspect may be in the list of the largest ones, under its path or another.
SuspectFigures unlisted_single(const Report& report, const SuspectKey& key, bool lists_bound,
                               const DiffOptions& options) {
  std::uint64_t most = unlisted_object(report);
  const bool only = report.complete && objects_called(report, key.label, options) == 1;
  for (const auto& object : report.top.biggest_objects) {
    if (joined_object(object.label, object.class_name, options.raw_names) != key.label) {
      continue;
    }
    if ((only || is_at(object, key, options)) && object.retained <= report.leaks.threshold) {
      return {exactly(1), exactly(object.retained)};
    }
    most = std::max(most, object.retained);
  }
  return {{0, 1},
          {0, lists_bound ? std::min(most, report.leaks.threshold)
                          : most_of_class(report, key.label, options)}};
}

SuspectFigures figures_of(const Suspect* suspect, const Report& report, const SuspectKey& key,
                          bool lists_bound, const DiffOptions& options) {
  if (suspect != nullptr) {
    return {exactly(suspect->instances), exactly(suspect->retained)};
  }
  if (surely_lacks(report, key.label, options)) {
    return {};
  }
  return key.kind == SuspectKind::group ? unlisted_group(report, key, options)
                                        : unlisted_single(report, key, lists_bound, options);
}

const Suspect& newest(const SuspectRow& row) {
  return **std::find_if(row.rbegin(), row.rend(),
                        [](const Suspect* each) { return each != nullptr; });
}

std::optional<std::string> name_of(const std::optional<Holder>& holder) {
  return holder ? std::optional(holder->name) : std::nullopt;
}

DiffSuspect suspect_row(const SuspectKey& key, const SuspectRow& row, const Reports& reports,
                        const DiffOptions& options) {
  DiffSuspect out;
  out.kind = key.kind;
  out.class_name = class_key(newest(row).class_name, options);
  out.label = key.label;
  out.path = key.path;
  out.holder = name_of(newest(row).holder);
  out.anchor = name_of(newest(row).anchor);
  std::vector<Bounds> retained;
  std::vector<Bounds> instances;
  const bool bound = lists_bound(reports);
  for (std::size_t at = 0; at < row.size(); ++at) {
    const auto figures = figures_of(row[at], reports[at], key, bound, options);
    retained.push_back(figures.retained);
    instances.push_back(figures.instances);
    if (row[at] != nullptr) {
      out.suspect_in.push_back(at + 1);
    }
  }
  out.retained = make_series(retained);
  out.instances = make_series(instances);
  out.fate = fate_of(row.front() != nullptr, row.back() != nullptr, out.retained);
  return out;
}

}  // namespace

std::string suspect_path(const Suspect& suspect, const DiffOptions& options) {
  if (suspect.kind == SuspectKind::group) {
    return joined_path(suspect.common_path, options.raw_names);
  }
  return suspect.why_alive ? joined_path(suspect.why_alive->steps, options.raw_names) : "";
}

std::uint64_t objects_called(const Report& report, const std::string& label,
                             const DiffOptions& options) {
  const bool class_object = label.starts_with(kClass);
  const std::string name = class_called(label);
  std::uint64_t count = 0;
  for (const auto& row : report.overview.histogram) {
    if (class_key(row.class_name, options) == name) {
      count = checked_add(count, class_object ? 1 : row.instances);
    }
  }
  return count;
}

bool surely_lacks(const Report& report, const std::string& label, const DiffOptions& options) {
  return report.complete && objects_called(report, label, options) == 0;
}

std::uint64_t unlisted_object(const Report& report) {
  const auto& listed = report.top.biggest_objects;
  const bool all = listed.size() >= report.top.top_level_objects;
  return all || listed.empty() ? 0 : listed.back().retained;
}

std::uint64_t most_of_class(const Report& report, const std::string& label,
                            const DiffOptions& options) {
  const std::string name = class_called(label);
  std::uint64_t most = 0;
  for (const auto& row : report.overview.histogram) {
    if (class_key(row.class_name, options) == name) {
      most = std::max(most, row.retained);
    }
  }
  return most;
}

bool lists_bound(const Reports& reports) {
  return std::all_of(reports.begin(), reports.end(),
                     [](const Report& report) { return report.complete; });
}

std::vector<DiffSuspect> diff_suspects(const Reports& reports, const DiffOptions& options) {
  SuspectRows rows = join_suspects(reports, options);
  pair_leftovers(rows);
  std::vector<DiffSuspect> out;
  for (const auto& [key, row] : rows) {
    out.push_back(suspect_row(key, row, reports, options));
  }
  std::stable_sort(out.begin(), out.end(), [](const DiffSuspect& a, const DiffSuspect& b) {
    return std::tuple(a.retained.change, a.retained.values.back()) >
           std::tuple(b.retained.change, b.retained.values.back());
  });
  return out;
}

}  // namespace hprof
