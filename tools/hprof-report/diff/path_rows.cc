// Of the objects with one path the largest is compared: a report lists only so many of them, and a
// sum would grow with the length of the list. An accumulation point lies under its suspect, so its
// share of the suspect's growth is told apart. The shortest path of an object may be another one in
// the next dump: paths that only some reports list are joined by what they end in, before anything
// is called new or gone.
#include "tools/hprof-report/diff/owner_diffs.h"
#include "tools/hprof-report/joined_names.h"
#include "tools/hprof-report/paths/path_holders.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

struct PathEnd {
  bool listed = false;
  std::uint64_t retained = 0;
};

/// What a path leads to, as of the newest report that lists it.
struct PathFacts {
  std::string class_name;
  std::optional<Holder> holder;
  std::optional<Holder> anchor;
  std::string
      parent;       ///< path of the suspect that the object lies under; empty: a top-level object
  std::string end;  ///< what tells it under any path; empty: nothing does
};

using PathEnds = std::vector<PathEnd>;

struct PathJoin {
  explicit PathJoin(const Reports& reports)
      : ends(reports.size()), lists_bound(hprof::lists_bound(reports)) {}

  void add(const std::string& path, std::size_t at, std::uint64_t retained, PathFacts of) {
    if (path.empty()) {
      return;
    }
    auto& end = ends.at(path, at);
    end.retained = end.listed ? std::max(end.retained, retained) : retained;
    end.listed = true;
    facts[path] = std::move(of);
  }

  Join<std::string, PathEnd> ends;
  std::map<std::string, PathFacts> facts;
  bool lists_bound;
};

/// A class object by its name; other objects by their class with the field that keeps them, of one
/// of the platform only where that is no field of the platform itself.
std::string end_of(const PathFacts& facts, const PathStep& last) {
  if (facts.class_name.starts_with("class ")) {
    return facts.class_name;
  }
  if (facts.holder) {
    return facts.class_name + " in " + facts.holder->name;
  }
  const bool is_field = last.via == Via::field || last.via == Via::static_field;
  return is_field && !is_platform_class(facts.class_name)
             ? facts.class_name + " in " + last.declared_by.value_or("") + "." + last.reference
             : "";
}

void add_path(PathJoin& join, const ReferencePath& path, std::size_t at, std::uint64_t retained,
              PathFacts facts, const DiffOptions& options) {
  facts.end = end_of(facts, path.steps.back());
  join.add(joined_path(path.steps, options.raw_names), at, retained, std::move(facts));
}

void add_biggest(PathJoin& join, const Report& report, std::size_t at, const DiffOptions& options) {
  for (const auto& object : report.top.biggest_objects) {
    if (object.why_alive && !object.why_alive->steps.empty()) {
      add_path(join, *object.why_alive, at, object.retained,
               {joined_object(object.label, object.class_name, options.raw_names), object.holder,
                std::nullopt, "", ""},
               options);
    }
  }
}

/// The path to the suspect itself: the beginning of that to its accumulation point, where it lies
/// on it.
std::string parent_path(const Suspect& suspect, const DiffOptions& options) {
  std::vector<PathStep> steps;
  for (const auto& step : suspect.why_alive->steps) {
    steps.push_back(step);
    if (step.address == suspect.address) {
      return joined_path(steps, options.raw_names);
    }
  }
  return "";
}

void add_accumulation_points(PathJoin& join, const Report& report, std::size_t at,
                             const DiffOptions& options) {
  for (const auto& suspect : report.leaks.suspects) {
    if (suspect.kind != SuspectKind::single || !suspect.why_alive ||
        suspect.why_alive->steps.empty()) {
      continue;
    }
    const auto path = joined_path(suspect.why_alive->steps, options.raw_names);
    const auto& point = suspect.accumulation_point;
    const bool apart = point && point->address != suspect.address;
    const auto parent = apart ? parent_path(suspect, options) : "";
    add_path(join, *suspect.why_alive, at, apart ? point->retained : suspect.retained,
             {apart ? joined_object(point->label, point->class_name, options.raw_names)
                    : joined_object(suspect.label, suspect.class_name, options.raw_names),
              suspect.holder, suspect.anchor, parent == path ? "" : parent, ""},
             options);
  }
}

bool listed_everywhere(const PathEnds& ends) {
  return std::all_of(ends.begin(), ends.end(), [](const PathEnd& end) { return end.listed; });
}

/// Whether no report lists both.
bool apart(const PathEnds& a, const PathEnds& b) {
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (a[at].listed && b[at].listed) {
      return false;
    }
  }
  return true;
}

bool all_apart(const PathJoin& join, const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (std::size_t j = i + 1; j < paths.size(); ++j) {
      if (!apart(join.ends.rows().at(paths[i]), join.ends.rows().at(paths[j]))) {
        return false;
      }
    }
  }
  return true;
}

/// The newest report that lists a path.
std::size_t newest_of(const PathEnds& ends) {
  return static_cast<std::size_t>(
      ends.rend() -
      std::find_if(ends.rbegin(), ends.rend(), [](const PathEnd& end) { return end.listed; }));
}

/// Rows by path; `moved` are the paths that others stand for now.
struct PathRows {
  std::map<std::string, PathEnds> ends;
  std::map<std::string, std::string> moved;

  const std::string& path_of(const std::string& path) const {
    const auto found = moved.find(path);
    return found == moved.end() ? path : found->second;
  }
};

/// Puts rows together under the newest path of them.
void unite(PathRows& rows, const std::vector<std::string>& paths) {
  const auto& kept = *std::max_element(
      paths.begin(), paths.end(), [&](const std::string& a, const std::string& b) {
        return newest_of(rows.ends.at(a)) < newest_of(rows.ends.at(b));
      });
  for (const auto& path : paths) {
    if (path == kept) {
      continue;
    }
    for (std::size_t at = 0; at < rows.ends.at(path).size(); ++at) {
      const auto& end = rows.ends.at(path)[at];
      rows.ends.at(kept)[at] = end.listed ? end : rows.ends.at(kept)[at];
    }
    rows.ends.erase(path);
    rows.moved.emplace(path, kept);
  }
}

/// Rows in which paths with one end, left over in some reports, are put together where no report
/// lists two of them.
PathRows join_leftovers(const PathJoin& join) {
  std::map<std::string, std::vector<std::string>> by_end;
  for (const auto& [path, ends] : join.ends.rows()) {
    const auto& end = join.facts.at(path).end;
    if (!end.empty() && !listed_everywhere(ends)) {
      by_end[end].push_back(path);
    }
  }
  PathRows out{join.ends.rows(), {}};
  for (const auto& [end, paths] : by_end) {
    if (paths.size() > 1 && all_apart(join, paths)) {
      unite(out, paths);
    }
  }
  return out;
}

/// Whether two paths may lead to the same object, by its class and the field that keeps it.
bool may_be_same(const PathFacts& a, const PathFacts& b) {
  return a.class_name == b.class_name &&
         (!a.holder || !b.holder || a.holder->name == b.holder->name);
}

/// Whether some report lists the first path and not the second.
bool listed_without(const PathEnds& a, const PathEnds& b) {
  for (std::size_t at = 0; at < a.size(); ++at) {
    if (a[at].listed && !b[at].listed) {
      return true;
    }
  }
  return false;
}

/// What an object that a report does not list under this path retains there at most, if the report
/// lists it under another one.
std::uint64_t most_elsewhere(const PathJoin& join, const PathRows& rows, const std::string& path,
                             std::size_t at) {
  const auto& own = rows.ends.at(path);
  std::uint64_t most = 0;
  for (const auto& [other, ends] : rows.ends) {
    if (ends[at].listed && may_be_same(join.facts.at(path), join.facts.at(other)) &&
        listed_without(own, ends)) {
      most = std::max(most, ends[at].retained);
    }
  }
  return most;
}

/// What the object may retain in a report that does not list it: no more than what it lies under.
std::uint64_t most_unlisted(const PathJoin& join, const PathRows& rows, const std::string& path,
                            const Report& report, std::size_t at, const DiffOptions& options) {
  if (!join.lists_bound) {
    return most_of_class(report, join.facts.at(path).class_name, options);
  }
  const auto parent = rows.ends.find(rows.path_of(join.facts.at(path).parent));
  if (parent != rows.ends.end() && parent->second[at].listed) {
    return parent->second[at].retained;
  }
  return std::max(unlisted_object(report), most_elsewhere(join, rows, path, at));
}

Bounds bounds_of(const PathJoin& join, const PathRows& rows, const std::string& path,
                 const Report& report, std::size_t at, const DiffOptions& options) {
  const auto& end = rows.ends.at(path)[at];
  if (end.listed) {
    return exactly(end.retained);
  }
  return surely_lacks(report, join.facts.at(path).class_name, options)
             ? Bounds()
             : Bounds{0, most_unlisted(join, rows, path, report, at, options)};
}

void set_unshared(DiffPath& row, const ChangeRange& range) {
  row.unshared = range.change;
  row.unshared_least = range.least;
  row.unshared_most = range.most;
}

std::optional<std::string> held_name(const std::optional<Holder>& holder) {
  return holder ? std::optional(holder->name) : std::nullopt;
}

DiffPath path_row(const PathJoin& join, const PathRows& rows, const std::string& path,
                  const Reports& reports, const DiffOptions& options) {
  const auto& ends = rows.ends.at(path);
  const auto& facts = join.facts.at(path);
  DiffPath out;
  out.path = path;
  out.class_name = facts.class_name;
  out.holder = held_name(facts.holder);
  out.holder_kind = facts.holder ? std::optional(facts.holder->kind) : std::nullopt;
  out.anchor = held_name(facts.anchor);
  std::vector<Bounds> retained;
  for (std::size_t at = 0; at < ends.size(); ++at) {
    retained.push_back(bounds_of(join, rows, path, reports[at], at, options));
  }
  out.retained = make_series(retained);
  out.fate = fate_of(ends.front().listed, ends.back().listed, out.retained);
  set_unshared(out, range_of(out.retained));
  return out;
}

/// `growth` without a part of it.
SignedCount without(SignedCount growth, std::uint64_t part) {
  return growth > SignedCount() ? difference(growth.amount, std::min(growth.amount, part)) : growth;
}

/// Takes the growth of accumulation points off that of what they lie under.
void take_off_nested(std::vector<DiffPath>& out, const PathJoin& join, const PathRows& rows) {
  for (const auto& row : out) {
    const auto& parent = rows.path_of(join.facts.at(row.path).parent);
    const auto found = std::find_if(out.begin(), out.end(), [&](const DiffPath& other) {
      return !parent.empty() && other.path == parent;
    });
    const auto nested = range_of(row.retained);
    if (found != out.end() && nested.change > SignedCount()) {
      const auto all = unshared_range(*found);
      set_unshared(
          *found,
          range_between(
              without(all.least.value_or(all.change), rise(nested.most.value_or(nested.change))),
              without(all.most.value_or(all.change), rise(nested.least.value_or(nested.change)))));
    }
  }
}

}  // namespace

std::vector<DiffPath> diff_paths(const Reports& reports, const DiffOptions& options) {
  PathJoin join(reports);
  for (std::size_t at = 0; at < reports.size(); ++at) {
    add_biggest(join, reports[at], at, options);
    add_accumulation_points(join, reports[at], at, options);
  }
  const auto rows = join_leftovers(join);
  std::vector<DiffPath> out;
  for (const auto& [path, ends] : rows.ends) {
    out.push_back(path_row(join, rows, path, reports, options));
  }
  take_off_nested(out, join, rows);
  std::erase_if(out, [](const DiffPath& row) {
    return row.retained.change.amount == 0 && row.retained.trend == Trend::same;
  });
  std::stable_sort(out.begin(), out.end(), [](const DiffPath& a, const DiffPath& b) {
    return a.retained.change > b.retained.change;
  });
  return out;
}

}  // namespace hprof
